// API keys: form, checksum, randomness, and the texts that are refused without a database.
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  API_KEY_PREFIXES,
  type ApiKeyKind,
  hashApiKey,
  mintApiKey,
  parseApiKey,
} from '../../../core/crypto/api-key.ts';

const KINDS: ApiKeyKind[] = ['account', 'record', 'ephemeral'];
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

describe('mintApiKey', () => {
  it.each(KINDS)('makes a key of kind %s that the parser accepts', (kind) => {
    const { value, hash, prefix, last4 } = mintApiKey(kind);
    expect(value).toMatch(/^cat_(live|src|eph)_[0-9A-Za-z]{36}$/);
    expect(prefix).toBe(API_KEY_PREFIXES[kind]);
    expect(value.startsWith(prefix) && value.endsWith(last4) && last4.length === 4).toBe(true);
    expect(hash).toEqual(createHash('sha256').update(value).digest());
    expect(hashApiKey(value)).toEqual(hash);
    expect(parseApiKey(value)).toEqual({ kind });
  });

  it('never repeats, and uses every character about equally often', () => {
    const seen = new Set<string>();
    const counts = new Map<string, number>();
    for (let i = 0; i < 5_000; i += 1) {
      const { value, prefix } = mintApiKey('account');
      seen.add(value);
      for (const character of value.slice(prefix.length, -6)) {
        counts.set(character, (counts.get(character) ?? 0) + 1);
      }
    }
    expect(seen.size).toBe(5_000);
    const expected = (5_000 * 30) / 62;
    const chiSquare = Array.from(BASE62).reduce(
      (sum, c) => sum + ((counts.get(c) ?? 0) - expected) ** 2 / expected,
      0,
    );
    // 61 degrees of freedom: a fair source stays below 150 except once in about 10^9 runs.
    expect(chiSquare).toBeLessThan(150);
  });
});

describe('parseApiKey', () => {
  it('refuses a key in which any one character was changed', () => {
    const { value } = mintApiKey('record');
    for (let i = 0; i < value.length; i += 1) {
      for (const character of `${BASE62}_-`) {
        if (character === value[i]) continue;
        expect(parseApiKey(value.slice(0, i) + character + value.slice(i + 1))).toBeUndefined();
      }
    }
  });

  it('refuses the random part of one kind under the prefix of another', () => {
    const { value } = mintApiKey('record');
    expect(parseApiKey(value.replace('cat_src_', 'cat_live_'))).toBeUndefined();
  });

  it('refuses any other text', () => {
    const { value } = mintApiKey('account');
    for (const text of [
      '',
      'cat_live_',
      `${value}\n`,
      ` ${value}`,
      value.slice(1),
      `${value}0`,
      value.toUpperCase(),
    ]) {
      expect(parseApiKey(text)).toBeUndefined();
    }
    fc.assert(fc.property(fc.string(), (text) => parseApiKey(text) === undefined));
  });

  it('keeps the published form: this key stays valid', () => {
    expect(parseApiKey('cat_live_0123456789ABCDEFGHIJabcdefghij28hoax')).toEqual({ kind: 'account' });
  });
});
