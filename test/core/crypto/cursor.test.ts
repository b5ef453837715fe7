// Cursors, which are valid only for the list and filters that they were created for.
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCursorCodec, type CursorBinding } from '../../../core/crypto/cursor.ts';
import { ApiError } from '../../../core/errors.ts';

const KEK = randomBytes(32);
const codec = createCursorCodec(new Map([['k1', KEK]]));
const BINDING: CursorBinding = {
  listing: 'delta',
  filters: { sourceId: 'src_1', since: null, order: 'desc' },
};

const positions = fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.maxSafeInteger()), { maxLength: 4 });
const bindings = fc.record({
  listing: fc.string(),
  filters: fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null))),
});

const canonical = ({ listing, filters }: CursorBinding): string =>
  JSON.stringify([listing, Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1))]);

function failureOf(run: () => unknown): string | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    return error instanceof ApiError ? error.code : 'another error';
  }
}

describe('cursors', () => {
  it('return any position', () => {
    fc.assert(
      fc.property(positions, bindings, (position, binding) => {
        expect(codec.open(binding, codec.seal(binding, position))).toEqual(position);
      }),
    );
  });

  it('fit into a URL unescaped, and reveal nothing', () => {
    const cursor = codec.seal(BINDING, ['a row key', 7]);
    expect(cursor).toMatch(/^[\w-]+$/);
    expect(Buffer.from(cursor, 'base64url').includes('a row key')).toBe(false);
  });

  it('are equal for the same position of the same list, and share nothing with other lists', () => {
    expect(codec.seal(BINDING, ['key', 7])).toBe(codec.seal(BINDING, ['key', 7]));
    expect(createCursorCodec(new Map([['k1', KEK]])).seal(BINDING, [1])).toBe(codec.seal(BINDING, [1]));
    const ivOf = (binding: CursorBinding, position: readonly (string | number)[]): string =>
      Buffer.from(codec.seal(binding, position), 'base64url').toString('hex', 0, 12);
    fc.assert(
      fc.property(bindings, positions, bindings, positions, (binding, position, otherBinding, other) => {
        fc.pre(canonical(binding) !== canonical(otherBinding));
        expect(ivOf(binding, position)).not.toBe(ivOf(otherBinding, other));
        expect(ivOf(binding, [...position, 0])).not.toBe(ivOf(binding, position));
      }),
    );
    expect(ivOf(BINDING, [1])).not.toBe(
      Buffer.from(createCursorCodec(new Map([['k2', randomBytes(32)]])).seal(BINDING, [1]), 'base64url').toString('hex', 0, 12), // prettier-ignore
    );
  });

  it('do not depend on the order in which filters are named', () => {
    const { sourceId = null, since = null, order = null } = BINDING.filters;
    const cursor = codec.seal(BINDING, [1]);
    expect(codec.open({ listing: 'delta', filters: { order, since, sourceId } }, cursor)).toEqual([1]);
  });

  it('are refused for another list, record, filter or filter value', () => {
    const cursor = codec.seal(BINDING, [1]);
    const { filters } = BINDING;
    for (const binding of [
      { listing: 'snapshots', filters },
      { listing: 'delta', filters: { ...filters, sourceId: 'src_2' } },
      { listing: 'delta', filters: { ...filters, since: '' } },
      { listing: 'delta', filters: { ...filters, extra: true } },
      { listing: 'delta', filters: {} },
    ]) {
      expect(failureOf(() => codec.open(binding, cursor))).toBe('invalid_cursor');
    }
  });

  it('are refused with any bit flipped, truncated, spliced or invented', () => {
    const cursor = codec.seal(BINDING, ['key', 12]);
    const other = codec.seal(BINDING, ['key', 13]);
    for (let i = 0; i < cursor.length; i += 1) {
      expect(failureOf(() => codec.open(BINDING, cursor.slice(0, i)))).toBe('invalid_cursor');
      for (let bit = 0; bit < 8; bit += 1) {
        const flipped = String.fromCharCode(cursor.charCodeAt(i) ^ (1 << bit));
        expect(failureOf(() => codec.open(BINDING, cursor.slice(0, i) + flipped + cursor.slice(i + 1)))).toBe(
          'invalid_cursor',
        );
      }
    }
    for (let i = 1; i < cursor.length; i += 1) {
      if (cursor.slice(i) === other.slice(i)) continue;
      expect(failureOf(() => codec.open(BINDING, cursor.slice(0, i) + other.slice(i)))).toBe(
        'invalid_cursor',
      );
    }
    for (const text of ['', ' ', `${cursor}=`, `${cursor}\n`, `${cursor}A`, 'null', '[]', '0']) {
      expect(failureOf(() => codec.open(BINDING, text))).toBe('invalid_cursor');
    }
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(failureOf(() => codec.open(BINDING, text))).toBe('invalid_cursor');
      }),
    );
  });

  it('survive a rotation of keys, and end when their key is removed', () => {
    const cursor = codec.seal(BINDING, [1]);
    const rotated = createCursorCodec(new Map([['k2', randomBytes(32)], ['k1', KEK]])); // prettier-ignore
    expect(rotated.open(BINDING, cursor)).toEqual([1]);
    expect(failureOf(() => createCursorCodec(new Map([['k2', randomBytes(32)]])).open(BINDING, cursor))).toBe(
      'invalid_cursor',
    );
    expect(failureOf(() => codec.open(BINDING, rotated.seal(BINDING, [1])))).toBe('invalid_cursor');
    expect(() => createCursorCodec(new Map())).toThrow('KEY_ENCRYPTION_KEYS');
  });
});
