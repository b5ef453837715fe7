// Names a URL without telling it: what is compared later, and passes through workflow histories, where a URL
// whose query holds a secret must not stand.
import { hash } from 'node:crypto';

/**
 * SHA-256 in hex.
 * @param authVersion how often the record's credentials have changed: what an origin answered to one credential says
 *   nothing about its answer to another
 */
export function urlHash(url: string, authVersion = 0): string {
  // No URL holds a line end.
  return hash('sha256', authVersion === 0 ? url : `${url}\n${authVersion}`);
}
