// Opaque cursors: encrypted and bound to their listing and its filters, so that none can be forged, read or reused.
// The same position gives the same cursor: a page that did not change has the same bytes, and so the same ETag.
import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { ApiError } from '../errors.ts';
import { decrypt, encryptAlike, lengthPrefixed } from './aes-gcm.ts';
import type { KeyEncryptionKeys } from './envelope.ts';

/** What a cursor belongs to: the listing's name, and what else must be the same on the next page. */
export interface CursorBinding {
  listing: string;
  /** Record id, filters, order: whatever the listing's meaning depends on; the page size does not. */
  filters: Readonly<Record<string, string | number | boolean | null>>;
}

/** The sort key of the last item shown. */
export type CursorPosition = readonly (string | number)[];

export interface CursorCodec {
  seal: (binding: CursorBinding, position: CursorPosition) => string;
  /** @throws ApiError invalid_cursor */
  open: (binding: CursorBinding, cursor: string) => CursorPosition;
}

const VERSION = 'cursor v1';

/** Cursors outlive a rotation: the first key seals, all open. */
export function createCursorCodec(keks: KeyEncryptionKeys): CursorCodec {
  const keys = Array.from(keks.values(), (kek) => ({
    key: deriveKey(kek, VERSION),
    ivKey: deriveKey(kek, `${VERSION}, iv`),
  }));
  const [sealingKey] = keys;
  if (sealingKey === undefined) throw new Error('No key-encryption key is set (KEY_ENCRYPTION_KEYS)');
  return {
    seal: (binding, position) =>
      encryptAlike(
        sealingKey.key,
        sealingKey.ivKey,
        Buffer.from(JSON.stringify(position)),
        bindingAad(binding),
      ).toString('base64url'),
    open: (binding, cursor) => {
      const blob = Buffer.from(cursor, 'base64url');
      // Base64 has spare bits: two texts can decode to the same bytes, and only one of them is ours.
      const isCanonical = blob.toString('base64url') === cursor;
      const aad = bindingAad(binding);
      const candidates = isCanonical ? keys : [];
      for (const { key } of candidates) {
        const plaintext = decrypt(key, blob, aad);
        // Authentic, so it is what seal wrote: a CursorPosition.
        if (plaintext !== undefined) return JSON.parse(plaintext.toString()) as CursorPosition;
      }
      throw new ApiError('invalid_cursor', 'Use nextCursor of this same listing, with the same filters.');
    },
  };
}

/** Made ready once: doing it for every cursor cost more than the cursor. */
function deriveKey(kek: Uint8Array, purpose: string): KeyObject {
  return createSecretKey(new Uint8Array(hkdfSync('sha256', kek, '', purpose, 32)));
}

function bindingAad({ listing, filters }: CursorBinding): Buffer {
  const sorted = Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1));
  return lengthPrefixed([VERSION, listing, JSON.stringify(sorted)]);
}
