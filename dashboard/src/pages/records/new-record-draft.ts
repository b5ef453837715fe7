// The values of the form for a new record, and the request made of them.
import {
  ANY_FORMAT,
  CREDENTIAL_POINTERS,
  credentialBody,
  type CredentialDraft,
  type FieldsDraft,
  FORMAT_POINTERS,
  formatBody,
  type FormatDraft,
  type NewRecord,
  NO_CREDENTIAL,
} from '../../parts/forms/record-draft.ts';

export interface NewRecordDraft {
  url: string;
  name: string;
  /** Minutes as text; empty: the default. */
  interval: string;
  credential: CredentialDraft;
  format: FormatDraft;
  fields: FieldsDraft;
  /** Whether similar rows without a key pair. */
  isPairing: boolean;
}

export const EMPTY_DRAFT: NewRecordDraft = {
  url: '',
  name: '',
  interval: '',
  credential: NO_CREDENTIAL,
  format: ANY_FORMAT,
  fields: { keyFields: [], ignoreFields: [] },
  isPairing: false,
};

export function newRecordBody({
  url,
  name,
  interval,
  credential,
  format,
  fields,
  isPairing,
}: NewRecordDraft): NewRecord {
  const { keyFields, ignoreFields } = fields;
  return {
    url: url.trim(),
    ...(name.trim() !== '' && { name: name.trim() }),
    ...(interval !== '' && { checkIntervalMinutes: Number(interval) }),
    ...(credential.authType !== 'none' && credentialBody(credential)),
    ...formatBody(format),
    ...(keyFields.length > 0 && { keyFields }),
    ...(ignoreFields.length > 0 && { ignoreFields }),
    ...(isPairing && { pairing: 'similarity' as const }),
  };
}

/** The fields that are folded away. */
export const ADVANCED_POINTERS = [...FORMAT_POINTERS, '/keyFields', '/ignoreFields', '/pairing'];

/** All faults that belong to a field of the form. */
export const POINTERS = [
  '/url',
  '/name',
  '/checkIntervalMinutes',
  ...CREDENTIAL_POINTERS,
  ...ADVANCED_POINTERS,
];
