// The values that fill in this page's examples: the API's address, and a credential that works there.

/** Shown where the reader has to insert a key. */
const PLACEHOLDER = '<API_KEY>';

export interface Access {
  /** The API's address, without a trailing slash. */
  base: string;
  mcpUrl: string;
  /** The record's path in the API. */
  recordUrl: string;
  /** A value, or a placeholder for one. */
  credential: string;
  hasCredential: boolean;
  isAnonymous: boolean;
}

interface Known {
  /** The API's address, without a trailing slash. */
  base: string;
  /** The record's id or slug in paths. */
  reference: string;
  /** Of the session, or of a key that was just created; undefined: there is none to show. */
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
