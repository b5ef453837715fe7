// Whether a key works.
import type { ApiKey } from './key-door.ts';

export type KeyState = 'works' | 'revoked' | 'expired';

export function stateOf({ revokedAt, expiresAt }: ApiKey): KeyState {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && Date.parse(expiresAt) <= Date.now() ? 'expired' : 'works';
}
