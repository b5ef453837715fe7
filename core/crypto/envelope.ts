// Envelope encryption of stored secrets. Each account has a data key, wrapped by a key-encryption key that is not in the
// database. A sealed value opens only in the context (account, table, row, field, origin) that it was sealed for.
import { type CipherKey, createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

/** By id. The first one wraps new data keys; all of them unwrap. */
export type KeyEncryptionKeys = ReadonlyMap<string, Uint8Array>;

export interface DataKey {
  /** 16 bytes, part of every value that the key seals. */
  id: Buffer;
  /** 32 bytes. Stored only in wrapped form. */
  key: Buffer;
}

/** What a sealed value is bound to: the associated data (AAD) of its encryption. */
export interface SealContext {
  accountId: string;
  table: string;
  /** Id of the row. */
  id: string;
  field: string;
  /** scheme://host:port that the secret may be sent to; empty for a secret that is not sent. */
  origin: string;
}

const VERSION = 1;
const DATA_KEY_ID_BYTES = 16;
const DATA_KEY_BYTES = 32;

/** A new data key for an account, and its wrapped form to store. */
export function createDataKey(
  keks: KeyEncryptionKeys,
  accountId: string,
): { dataKey: DataKey; wrapped: Buffer } {
  const dataKey = { id: randomBytes(DATA_KEY_ID_BYTES), key: randomBytes(DATA_KEY_BYTES) };
  return { dataKey, wrapped: wrapDataKey(keks, accountId, dataKey) };
}

/** Wraps under the first key-encryption key: `version | length of kek id | kek id | iv | tag | ciphertext`. */
export function wrapDataKey(keks: KeyEncryptionKeys, accountId: string, dataKey: DataKey): Buffer {
  const [first] = keks;
  if (first === undefined) throw new Error('No key-encryption key is set (KEY_ENCRYPTION_KEYS)');
  const [kekId, kek] = first;
  const header = Buffer.concat([Buffer.from([VERSION, kekId.length]), Buffer.from(kekId)]);
  const secret = Buffer.concat([dataKey.id, dataKey.key]);
  return Buffer.concat([header, encrypt(kek, secret, wrapAad(accountId, kekId))]);
}

/** @throws Error the wrapped key is damaged or of another account, or its key-encryption key is not configured */
export function unwrapDataKey(keks: KeyEncryptionKeys, accountId: string, wrapped: Uint8Array): DataKey {
  const kekId = wrappingKeyId(wrapped);
  const kek = keks.get(kekId);
  if (kek === undefined) throw new Error(`The key-encryption key ${JSON.stringify(kekId)} is not set`);
  const secret = decrypt(kek, wrapped.subarray(2 + kekId.length), wrapAad(accountId, kekId));
  if (secret?.length !== DATA_KEY_ID_BYTES + DATA_KEY_BYTES)
    throw new Error('The data key cannot be unwrapped');
  return { id: secret.subarray(0, DATA_KEY_ID_BYTES), key: secret.subarray(DATA_KEY_ID_BYTES) };
}

/** Id of the key-encryption key that wrapped this data key. Used by key rotation. */
export function wrappingKeyId(wrapped: Uint8Array): string {
  const [version, length = 0] = wrapped;
  if (version !== VERSION || wrapped.length < 2 + length) throw new Error('The data key cannot be unwrapped');
  return Buffer.from(wrapped.subarray(2, 2 + length)).toString('latin1');
}

/** @returns `version (1) | data key id (16) | iv (12) | tag (16) | ciphertext` */
export function sealField(dataKey: DataKey, plaintext: string, context: SealContext): Buffer {
  const sealed = encrypt(dataKey.key, Buffer.from(plaintext), fieldAad(dataKey, context));
  return Buffer.concat([Buffer.from([VERSION]), dataKey.id, sealed]);
}

/** @throws Error the value is damaged, or was sealed with another key or for another context */
export function openField(dataKey: DataKey, sealed: Uint8Array, context: SealContext): string {
  const isOurs = sealed[0] === VERSION && dataKey.id.equals(sealed.subarray(1, 1 + DATA_KEY_ID_BYTES));
  const blob = sealed.subarray(1 + DATA_KEY_ID_BYTES);
  const plaintext = isOurs ? decrypt(dataKey.key, blob, fieldAad(dataKey, context)) : undefined;
  if (plaintext === undefined)
    throw new Error(`The sealed ${context.table}.${context.field} cannot be opened`);
  return plaintext.toString();
}

function wrapAad(accountId: string, kekId: string): Buffer {
  return lengthPrefixed(['data key', accountId, kekId]);
}

function fieldAad(dataKey: DataKey, { accountId, table, id, field, origin }: SealContext): Buffer {
  return lengthPrefixed(['v1', accountId, table, id, field, origin, dataKey.id]);
}

/** AES-256-GCM. The length of the tag is fixed, because Node accepts shorter tags by default. */
const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** @returns iv (12 bytes) | tag (16) | ciphertext */
export function encrypt(key: CipherKey, plaintext: Uint8Array, aad: Uint8Array): Buffer {
  return encryptUnder(key, randomBytes(IV_BYTES), plaintext, aad);
}

/**
 * Deterministic encryption: the same plaintext and aad give the same bytes. Two different messages with one IV would break
 * AES-GCM, so the IV is an HMAC over the whole message. By chance, two of n messages share an IV with probability
 * n² / 2^97, which is 2^-33 for 2^32 messages.
 * @param ivKey independent of `key`
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

/**
 * Verifies the tag before it returns any plaintext.
 * @returns undefined when key, blob or aad is not the one used for encryption
 */
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

/** Joins parts, each after its length, so that different lists of parts never give the same bytes. */
export function lengthPrefixed(parts: readonly (string | Uint8Array)[]): Buffer {
  const pieces = parts.flatMap((part) => {
    const bytes = Buffer.from(part);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    return [length, bytes];
  });
  return Buffer.concat(pieces);
}

/** The context of a webhook's signing secret. */
export function webhookSecretContext(accountId: string, webhookId: string): SealContext {
  return { accountId, table: 'webhooks', id: webhookId, field: 'secret', origin: '' };
}

/** The context of a record's source credentials. @param origin scheme://host:port */
export function sourceCredentialsContext(accountId: string, recordId: string, origin: string): SealContext {
  return { accountId, table: 'source_credentials', id: recordId, field: 'sealed', origin };
}
