// AES-256-GCM with the two traps closed: the tag is always 16 bytes, and no plaintext leaves before it is verified.
import { type CipherKey, createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** @returns iv (12 bytes) | tag (16) | ciphertext */
export function encrypt(key: CipherKey, plaintext: Uint8Array, aad: Uint8Array): Buffer {
  return encryptUnder(key, randomBytes(IV_BYTES), plaintext, aad);
}

/**
 * The same bytes for the same plaintext and aad, and for no others. Two messages under one IV would give this mode's
 * key away, so the IV is a function of the whole message that nobody without the key can compute or aim at: it comes
 * twice only with the very same message. Of n messages two share one by chance with n² / 2^97: 2^-33 at 2^32.
 * @param ivKey derived apart from `key`
 */
export function encryptAlike(
  key: CipherKey,
  ivKey: CipherKey,
  plaintext: Uint8Array,
  aad: Uint8Array,
): Buffer {
  const digest = createHmac('sha256', ivKey)
    .update(lengthPrefixed([aad, plaintext]))
    .digest();
  return encryptUnder(key, digest.subarray(0, IV_BYTES), plaintext, aad);
}

function encryptUnder(key: CipherKey, iv: Uint8Array, plaintext: Uint8Array, aad: Uint8Array): Buffer {
  const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(aad);
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), ciphertext]);
}

/** @returns the plaintext, or undefined when key, blob or aad is not the one it was encrypted with */
export function decrypt(key: CipherKey, blob: Uint8Array, aad: Uint8Array): Buffer | undefined {
  if (blob.length < IV_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv(CIPHER, key, blob.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(aad);
  decipher.setAuthTag(blob.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(blob.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
  } catch {
    return undefined;
  }
}

/** Joins parts so that no two lists of parts give the same bytes: each is preceded by its length. */
export function lengthPrefixed(parts: readonly (string | Uint8Array)[]): Buffer {
  const pieces = parts.flatMap((part) => {
    const bytes = Buffer.from(part);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    return [length, bytes];
  });
  return Buffer.concat(pieces);
}
