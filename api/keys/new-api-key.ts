// A new API key: its value, and what is stored of it.
import { mintApiKey } from '../../core/crypto/api-key.ts';
import type { KeyOwner, NewApiKey } from '../../db/access/api-keys.ts';
import { newId } from '../contract/new-id.ts';

/** The value is shown to whoever asked for the key, once, and stored nowhere. */
export function newApiKey(
  owner: KeyOwner,
  wanted: Pick<NewApiKey, 'name' | 'scope' | 'expiresAt'>,
  nowMs: number,
): { value: string; key: NewApiKey } {
  const kind = owner.recordId === null ? 'account' : 'record';
  const { value, ...minted } = mintApiKey(kind);
  return { value, key: { ...owner, ...wanted, ...minted, kind, id: newId('apiKey', nowMs) } };
}
