// What a form about a record holds until it is sent: texts as they were typed, empty for what was not said.
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
}

export interface FieldsDraft {
  keyFields: string[];
  ignoreFields: string[];
}

/** The fields of each kind of credential; the API wants exactly these. */
export const AUTH_FIELDS: Readonly<Record<AuthType, readonly AuthField[]>> = {
  none: [],
  basic: ['authUsername', 'authPassword'],
  bearer: ['authToken'],
  api_key_header: ['authHeaderName', 'authHeaderValue'],
  api_key_query: ['authQueryParam', 'authQueryValue'],
};

/** Where the API finds fault with how the body is read. */
export const FORMAT_POINTERS = ['/format', '/delimiter', '/rowsPath', '/headerRow'];

/** Where the API finds fault with credentials of any kind. */
export const CREDENTIAL_POINTERS: readonly string[] = [
  '/authType',
  ...Object.values(AUTH_FIELDS).flatMap((fields) => fields.map((field) => `/${field}`)),
];

export const NO_CREDENTIAL: CredentialDraft = { authType: 'none' };
export const ANY_FORMAT: FormatDraft = { format: '', delimiter: '', rowsPath: '', headerRow: '' };

/** The part of a request's body that is about credentials; the fields of other kinds stay behind. */
export function credentialBody(draft: CredentialDraft): Pick<NewRecord, 'authType' | AuthField> {
  const fields = AUTH_FIELDS[draft.authType].map((field) => [field, draft[field] ?? '']);
  return { authType: draft.authType, ...Object.fromEntries(fields) };
}

/** The part that is about the format: only what was said and goes with it. */
export function formatBody({ format, delimiter, rowsPath, headerRow }: FormatDraft): Partial<NewRecord> {
  return {
    ...(format !== '' && { format }),
    ...(delimiter !== '' && takesDelimiter(format) && { delimiter: delimiter === '\\t' ? '\t' : delimiter }),
    ...(rowsPath !== '' && takesRowsPath(format) && { rowsPath }),
    ...(headerRow !== '' && takesHeaderRow(format) && { headerRow: Number(headerRow) }),
  };
}

export const takesDelimiter = (format: FormatDraft['format']): boolean => format === '' || format === 'csv';

export const takesHeaderRow = (format: FormatDraft['format']): boolean =>
  format === '' || format === 'csv' || format === 'tsv';

export const takesRowsPath = (format: FormatDraft['format']): boolean => format === '' || format === 'json';
