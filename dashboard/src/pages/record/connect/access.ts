// What the texts of this page are filled with: where the API is, and a credential that works there.

/** Stands where the reader has to put a key. */
const PLACEHOLDER = '<API_KEY>';

export interface Access {
  /** Where the API answers, without a slash at the end. */
  base: string;
  mcpUrl: string;
  /** Of this record, in the API. */
  recordUrl: string;
  /** A value, or a placeholder for one. */
  credential: string;
  hasCredential: boolean;
  isAnonymous: boolean;
}

interface Known {
  /** Where the API answers, without a slash at the end. */
  base: string;
  /** What names the record in paths. */
  reference: string;
  /** Of the session, or of the key that was just made; undefined: there is none to show. */
  credential: string | undefined;
  isAnonymous: boolean;
}

export function accessOf({ base, reference, credential, isAnonymous }: Known): Access {
  return {
    base,
    mcpUrl: `${base}/v1/mcp`,
    recordUrl: `${base}/v1/sources/${reference}`,
    credential: credential ?? PLACEHOLDER,
    hasCredential: credential !== undefined,
    isAnonymous,
  };
}
