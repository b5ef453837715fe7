// API keys: a prefix for the kind, 30 random base62 characters, and a checksum of 6 characters. The checksum is not secret; it
// lets secret scanners and the API recognise a key without the database.
import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

export const API_KEY_PREFIXES = {
  account: 'cat_live_',
  record: 'cat_src_',
  ephemeral: 'cat_eph_',
  dashboard: 'cat_dsh_',
} as const;

export type ApiKeyKind = keyof typeof API_KEY_PREFIXES;

export interface MintedApiKey {
  /** The key itself, which is shown once and never stored. */
  value: string;
  hash: Buffer;
  prefix: string;
  last4: string;
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
const KEY_PATTERN = /^((cat_(?:live|src|eph|dsh)_)[0-9A-Za-z]{30})([0-9A-Za-z]{6})$/;
const KINDS = ['account', 'record', 'ephemeral', 'dashboard'] as const satisfies readonly ApiKeyKind[];

export function mintApiKey(kind: ApiKeyKind): MintedApiKey {
  const prefix = API_KEY_PREFIXES[kind];
  // randomInt is unbiased; a plain modulo would favour some characters.
  const random = Array.from({ length: RANDOM_LENGTH }, () => BASE62.charAt(randomInt(BASE62.length)));
  const body = prefix + random.join('');
  const value = body + checksum(body);
  return { value, hash: hashApiKey(value), prefix, last4: value.slice(-4) };
}

/** The kind of a well-formed key with a valid checksum. The key may not exist. */
export function parseApiKey(text: string): { kind: ApiKeyKind } | undefined {
  const [, body, prefix, tail] = KEY_PATTERN.exec(text) ?? [];
  const kind = KINDS.find((known) => API_KEY_PREFIXES[known] === prefix);
  return kind !== undefined && body !== undefined && checksum(body) === tail ? { kind } : undefined;
}

/** A plain SHA-256 is enough for a secret of 178 random bits. */
export function hashApiKey(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

function checksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i += 1) {
    text = BASE62.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
