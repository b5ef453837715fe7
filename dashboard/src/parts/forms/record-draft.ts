// The values of a form about a record until it is sent: text as typed, empty if nothing was entered.
import type { components } from '../../client/schema.ts';

export type NewRecord = components['schemas']['CreateRecordRequest'];
export type AuthType = NonNullable<NewRecord['authType']>;
export type Format = NonNullable<NewRecord['format']>;

export type AuthField =
  | 'authUsername'
  | 'authPassword'
  | 'authToken'
  | 'authHeaderName'
  | 'authHeaderValue'
  | 'authQueryParam'
  | 'authQueryValue';

export interface CredentialDraft extends Partial<Record<AuthField, string>> {
  authType: AuthType;
}

export interface FormatDraft {
  format: Format | '';
  delimiter: string;
  rowsPath: string;
  headerRow: string;
  quoting: NonNullable<NewRecord['quoting']>;
}

export interface FieldsDraft {
  keyFields: string[];
  ignoreFields: string[];
}

/** The fields of each kind of credential; the API accepts exactly these. */
export const AUTH_FIELDS: Readonly<Record<AuthType, readonly AuthField[]>> = {
  none: [],
  basic: ['authUsername', 'authPassword'],
  bearer: ['authToken'],
  api_key_header: ['authHeaderName', 'authHeaderValue'],
  api_key_query: ['authQueryParam', 'authQueryValue'],
};

/** JSON pointers of faults in how the body is read. */
export const FORMAT_POINTERS = ['/format', '/delimiter', '/rowsPath', '/headerRow', '/quoting'];

/** JSON pointers of faults in credentials of any kind. */
export const CREDENTIAL_POINTERS: readonly string[] = [
  '/authType',
  ...Object.values(AUTH_FIELDS).flatMap((fields) => fields.map((field) => `/${field}`)),
];

export const NO_CREDENTIAL: CredentialDraft = { authType: 'none' };
export const ANY_FORMAT: FormatDraft = {
  format: '',
  delimiter: '',
  rowsPath: '',
  headerRow: '',
  quoting: 'double',
};

/** The part of a request's body about credentials, without the fields of other kinds. */
export function credentialBody(draft: CredentialDraft): Pick<NewRecord, 'authType' | AuthField> {
  const fields = AUTH_FIELDS[draft.authType].map((field) => [field, draft[field] ?? '']);
  return { authType: draft.authType, ...Object.fromEntries(fields) };
}

/** The part about the format: only fields that were set and apply to it. */
export function formatBody(draft: FormatDraft): Partial<NewRecord> {
  const { format, delimiter, rowsPath, headerRow, quoting } = draft;
  return {
    ...(format !== '' && { format }),
    ...(delimiter !== '' && takesDelimiter(format) && { delimiter: delimiter === '\\t' ? '\t' : delimiter }),
    ...(rowsPath !== '' && takesRowsPath(format) && { rowsPath }),
    ...(headerRow !== '' && isDelimited(format) && { headerRow: Number(headerRow) }),
    ...(quoting === 'none' && isDelimited(format) && { quoting }),
  };
}

export const takesDelimiter = (format: FormatDraft['format']): boolean => format === '' || format === 'csv';

/** Delimited text alone has a header row and quotes. */
export const isDelimited = (format: FormatDraft['format']): boolean =>
  format === '' || format === 'csv' || format === 'tsv';

export const takesRowsPath = (format: FormatDraft['format']): boolean => format === '' || format === 'json';
