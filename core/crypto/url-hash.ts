// A hash that identifies a URL. It is used in workflow histories, where a URL must not appear because its query may contain a
// secret.
import { hash } from 'node:crypto';

/**
 * SHA-256 in hex.
 * @param authVersion how often the record's credentials have changed, because other credentials may get another response
 */
export function urlHash(url: string, authVersion = 0): string {
  // URLs contain no line ends.
  return hash('sha256', authVersion === 0 ? url : `${url}\n${authVersion}`);
}
