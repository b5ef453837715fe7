// Opaque cursors: encrypted and bound to their listing and its filters, so that they cannot be forged, read or used elsewhere.
// Equal positions give equal cursors, so that an unchanged page keeps its ETag.
import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { ApiError } from '../errors.ts';
import { decrypt, encryptAlike, type KeyEncryptionKeys, lengthPrefixed } from './envelope.ts';

/** What a cursor is bound to: the listing, and everything that must be the same on the next page. */
export interface CursorBinding {
  listing: string;
  /** Record id, filters and order, but not the page size. */
  filters: Readonly<Record<string, string | number | boolean | null>>;
}

/** The sort key of the last item. */
export type CursorPosition = readonly (string | number)[];

export interface CursorCodec {
  seal: (binding: CursorBinding, position: CursorPosition) => string;
  /** @throws ApiError invalid_cursor */
  open: (binding: CursorBinding, cursor: string) => CursorPosition;
}

const VERSION = 'cursor v1';

/** Cursors survive key rotation: the first key seals, all keys open. */
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
      // Several base64 texts decode to the same bytes. Accepts only the canonical one.
      const isCanonical = blob.toString('base64url') === cursor;
      const aad = bindingAad(binding);
      const candidates = isCanonical ? keys : [];
      for (const { key } of candidates) {
        const plaintext = decrypt(key, blob, aad);
        // The ciphertext is authentic, so `seal` wrote it.
        if (plaintext !== undefined) return JSON.parse(plaintext.toString()) as CursorPosition;
      }
      throw new ApiError('invalid_cursor', 'Use nextCursor of this same listing, with the same filters.');
    },
  };
}

/** Derived once, because that takes longer than sealing a cursor. */
function deriveKey(kek: Uint8Array, purpose: string): KeyObject {
  return createSecretKey(new Uint8Array(hkdfSync('sha256', kek, '', purpose, 32)));
}

function bindingAad({ listing, filters }: CursorBinding): Buffer {
  const sorted = Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1));
  return lengthPrefixed([VERSION, listing, JSON.stringify(sorted)]);
}
