// Names a URL without telling it: what is compared later, and passes through workflow histories, where a URL
// whose query holds a secret must not stand.
import { hash } from 'node:crypto';

/** SHA-256 in hex. */
export function urlHash(url: string): string {
  return hash('sha256', url);
}
