// Sealed values, which can be opened only with their key and in their context.
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createDataKey,
  type KeyEncryptionKeys,
  openField,
  type SealContext,
  sealField,
  unwrapDataKey,
  wrapDataKey,
  wrappingKeyId,
} from '../../../core/crypto/envelope.ts';

const KEKS: KeyEncryptionKeys = new Map([
  ['k2', randomBytes(32)],
  ['k1', randomBytes(32)],
]);
const CONTEXT: SealContext = {
  accountId: 'acc_1',
  table: 'source_credentials',
  id: 'src_1',
  field: 'authToken',
  origin: 'https://example.com',
};

const contexts = fc.record({
  accountId: fc.string(),
  table: fc.string(),
  id: fc.string(),
  field: fc.string(),
  origin: fc.string(),
});

function eachBitFlipped(bytes: Buffer): Buffer[] {
  return Array.from({ length: bytes.length * 8 }, (_, bit) => {
    const copy = Buffer.from(bytes);
    copy.writeUInt8(copy.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
    return copy;
  });
}

describe('sealField and openField', () => {
  const { dataKey } = createDataKey(KEKS, 'acc_1');

  it('return any text in its own context', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), contexts, (text, context) => {
        expect(openField(dataKey, sealField(dataKey, text, context), context)).toBe(text);
      }),
    );
  });

  it('refuse every other context, also when its parts join to the same text', () => {
    fc.assert(
      fc.property(contexts, contexts, (sealedIn, openedIn) => {
        fc.pre(JSON.stringify(sealedIn) !== JSON.stringify(openedIn));
        const sealed = sealField(dataKey, 'secret', sealedIn);
        expect(() => openField(dataKey, sealed, openedIn)).toThrow('cannot be opened');
      }),
    );
    const sealed = sealField(dataKey, 'secret', { ...CONTEXT, table: 'ab', id: 'c' });
    expect(() => openField(dataKey, sealed, { ...CONTEXT, table: 'a', id: 'bc' })).toThrow(
      'cannot be opened',
    );
  });

  it('refuse the value with any bit flipped, and any shorter one', () => {
    const sealed = sealField(dataKey, 'secret', CONTEXT);
    for (const forged of eachBitFlipped(sealed)) {
      expect(() => openField(dataKey, forged, CONTEXT)).toThrow('cannot be opened');
    }
    for (let length = 0; length < sealed.length; length += 1) {
      expect(() => openField(dataKey, sealed.subarray(0, length), CONTEXT)).toThrow('cannot be opened');
    }
  });

  it('refuse another data key, even one that claims the same id', () => {
    const sealed = sealField(dataKey, 'secret', CONTEXT);
    const other = createDataKey(KEKS, 'acc_1').dataKey;
    expect(() => openField(other, sealed, CONTEXT)).toThrow('cannot be opened');
    expect(() => openField({ id: dataKey.id, key: other.key }, sealed, CONTEXT)).toThrow('cannot be opened');
  });

  it('never seal the same text to the same bytes, nor show it', () => {
    const [first, second] = [sealField(dataKey, 'secret', CONTEXT), sealField(dataKey, 'secret', CONTEXT)];
    expect(first.equals(second)).toBe(false);
    expect(first.includes('secret')).toBe(false);
  });

  it('name the field, not the value, when they fail', () => {
    expect(() => openField(dataKey, Buffer.from('secret'), CONTEXT)).toThrow(
      'The sealed source_credentials.authToken cannot be opened',
    );
  });
});

describe('data keys', () => {
  it('are wrapped by the first key-encryption key and unwrapped by any', () => {
    const { dataKey, wrapped } = createDataKey(KEKS, 'acc_1');
    expect(wrappingKeyId(wrapped)).toBe('k2');
    expect(unwrapDataKey(KEKS, 'acc_1', wrapped)).toEqual(dataKey);
    const rotated = new Map([['k3', randomBytes(32)], ...KEKS]);
    expect(unwrapDataKey(rotated, 'acc_1', wrapped)).toEqual(dataKey);
    const rewrapped = wrapDataKey(rotated, 'acc_1', dataKey);
    expect(wrappingKeyId(rewrapped)).toBe('k3');
    expect(unwrapDataKey(rotated, 'acc_1', rewrapped)).toEqual(dataKey);
  });

  it('are refused for another account, under another key, and when none is set', () => {
    const { wrapped } = createDataKey(KEKS, 'acc_1');
    expect(() => unwrapDataKey(KEKS, 'acc_2', wrapped)).toThrow('cannot be unwrapped');
    expect(() => unwrapDataKey(new Map([['k2', randomBytes(32)]]), 'acc_1', wrapped)).toThrow(
      'cannot be unwrapped',
    );
    expect(() => unwrapDataKey(new Map([['k9', randomBytes(32)]]), 'acc_1', wrapped)).toThrow(
      '"k2" is not set',
    );
    expect(() => createDataKey(new Map(), 'acc_1')).toThrow('KEY_ENCRYPTION_KEYS');
  });

  it('are refused with any bit flipped, and when truncated', () => {
    const { wrapped } = createDataKey(KEKS, 'acc_1');
    for (const forged of eachBitFlipped(wrapped))
      expect(() => unwrapDataKey(KEKS, 'acc_1', forged)).toThrow(Error);
    for (let length = 0; length < wrapped.length; length += 1) {
      expect(() => unwrapDataKey(KEKS, 'acc_1', wrapped.subarray(0, length))).toThrow(Error);
    }
  });
});
