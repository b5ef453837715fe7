// Sealing of stored secrets: each account has a data key, wrapped by a key-encryption key that is not in the database.
// A sealed value opens only in the place (account, table, row, field, origin) that it was sealed for.
import { randomBytes } from 'node:crypto';
import { decrypt, encrypt, lengthPrefixed } from './aes-gcm.ts';

/** By id, in order: the first wraps, all unwrap. */
export type KeyEncryptionKeys = ReadonlyMap<string, Uint8Array>;

export interface DataKey {
  /** 16 bytes, written into every value that the key seals. */
  id: Buffer;
  /** 32 bytes, never stored unwrapped. */
  key: Buffer;
}

/** The place a sealed value belongs to. */
export interface SealContext {
  accountId: string;
  table: string;
  /** Id of the row. */
  id: string;
  field: string;
  /** scheme://host:port that the secret may be sent to; empty when it is sent to none. */
  origin: string;
}

const VERSION = 1;
const DATA_KEY_ID_BYTES = 16;
const DATA_KEY_BYTES = 32;

/** A fresh data key for an account, and its wrapped form to store with the account. */
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

/** @throws Error when the wrapped key is damaged, of another account, or its key-encryption key is not set */
export function unwrapDataKey(keks: KeyEncryptionKeys, accountId: string, wrapped: Uint8Array): DataKey {
  const kekId = wrappingKeyId(wrapped);
  const kek = keks.get(kekId);
  if (kek === undefined) throw new Error(`The key-encryption key ${JSON.stringify(kekId)} is not set`);
  const secret = decrypt(kek, wrapped.subarray(2 + kekId.length), wrapAad(accountId, kekId));
  if (secret?.length !== DATA_KEY_ID_BYTES + DATA_KEY_BYTES)
    throw new Error('The data key cannot be unwrapped');
  return { id: secret.subarray(0, DATA_KEY_ID_BYTES), key: secret.subarray(DATA_KEY_ID_BYTES) };
}

/** Id of the key-encryption key that wrapped this data key: what rotation looks at. */
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

/** @throws Error when the value is damaged, or was sealed by another key or for another place */
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
