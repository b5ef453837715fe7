// Secrets that a test invents and puts wherever a caller can put one, with a mark by which one search finds them all.
import { randomBytes } from 'node:crypto';

/** Part of every secret that this test invents, so one search finds them all. */
export const MARK = `Canary${randomBytes(12).toString('hex')}`;
/** Part of values that are not secret. The search must find it in each searched text, which proves that the search works. */
export const LEAK = `Leak${randomBytes(12).toString('hex')}`;

/** A secret of visible ASCII characters, some of which JSON, URLs and headers escape. */
export const visible = (label: string): string => `"${MARK}-${label}\\%/+=&?#<>`;
/** A secret with characters outside ASCII. */
export const printable = (label: string): string => `ü ${visible(label)} 密\u{1F511}`;

export const CREDENTIALS: Readonly<Record<string, (label: string) => Record<string, string>>> = {
  basic: (label) => ({ authUsername: printable(`user-${label}`), authPassword: printable(`pass-${label}`) }),
  bearer: (label) => ({ authToken: visible(`token-${label}`) }),
  api_key_header: (label) => ({
    authHeaderName: `X-${MARK}-${label}`,
    authHeaderValue: visible(`value-${label}`),
  }),
  api_key_query: (label) => ({
    authQueryParam: printable(`name-${label}`),
    authQueryValue: printable(`value-${label}`),
  }),
  none: () => ({}),
};
export const KINDS = Object.keys(CREDENTIALS);
