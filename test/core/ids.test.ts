// Ids: form, order and uniqueness.
import { randomBytes, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type IdKind, isId, isIdReference, isRecordReference, makeId } from '../../core/ids.ts';

const PREFIXES: [IdKind, string][] = [
  ['account', 'acc'], ['apiKey', 'key'], ['check', 'chk'], ['deltaEvent', 'evt'], ['delivery', 'dlv'], ['record', 'src'],
  ['snapshot', 'snap'], ['webhook', 'wh'],
]; // prettier-ignore
/** RFC 9562 5.7, without dashes. */
const UUID_V7 = /^[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/;
const times = fc.integer({ min: 0, max: 2 ** 48 - 1 });

describe('an id', () => {
  it.each(PREFIXES)('of kind %s begins with %s_ and is a UUIDv7', (kind, prefix) => {
    fc.assert(
      fc.property(times, fc.uuid(), (timeMs, uuid) => {
        const [start, uuidPart = '', ...rest] = makeId(kind, timeMs, uuid).split('_');
        expect([start, rest]).toEqual([prefix, []]);
        expect(uuidPart).toMatch(UUID_V7);
        expect(Number.parseInt(uuidPart.slice(0, 12), 16)).toBe(timeMs);
      }),
    );
  });

  it('sorts by time', () => {
    fc.assert(
      fc.property(times, times, (a, b) => {
        fc.pre(a !== b);
        const [early, late] = [Math.min(a, b), Math.max(a, b)];
        expect(makeId('record', early, randomUUID()) < makeId('record', late, randomUUID())).toBe(true);
      }),
    );
  });

  it('is unique, also within a millisecond', () => {
    const ids = Array.from({ length: 50_000 }, () => makeId('check', 1_700_000_000_000, randomUUID()));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('uses none of the fixed digits of a version 4 UUID (regression: 72 random bits, not 74)', () => {
    const digits = Array.from({ length: 200 }, () => makeId('check', 0, randomUUID()).slice('chk_'.length));
    for (let at = 13; at < 32; at += 1) {
      const seen = new Set(digits.map((text) => text.charAt(at)));
      expect([at, seen.size > 4]).toEqual([at, at !== 16]);
    }
  });

  it('requires enough randomness, in hexadecimal digits of either case', () => {
    expect(makeId('record', 1, 'ABCDEF0123456789ABCD')).toBe(makeId('record', 1, 'abcdef0123456789abcd'));
    for (const random of ['', randomBytes(9).toString('hex'), 'g'.repeat(20)]) {
      expect(() => makeId('record', 1, random)).toThrow(TypeError);
    }
  });
});

describe('isId', () => {
  const id = makeId('record', 1_700_000_000_000, randomUUID());

  it('accepts the form of each kind', () => {
    for (const [kind] of PREFIXES) {
      expect(PREFIXES.filter(([other]) => isId(other, makeId(kind, 1, randomUUID())))).toEqual(
        PREFIXES.filter(([other]) => other === kind),
      );
    }
  });

  it.each([
    '',
    'src_',
    'prices',
    id.slice(0, -1),
    `${id}0`,
    ` ${id}`,
    `${id}\n`,
    id.toUpperCase(),
    id.replace('_', '-'),
  ])('refuses %j', (text) => {
    expect(isId('record', text)).toBe(false);
  });
});

describe('a reference to a record', () => {
  const id = makeId('record', 0, randomUUID());

  it('is an id, a slug or self', () => {
    expect([id, 'spdx-licences', 'self'].map(isRecordReference)).toEqual([true, true, true]);
    expect(['', 'a b', 'a/b', 'a\0', 'x'.repeat(101)].some(isRecordReference)).toBe(false);
  });

  it('is an id if it has an underscore', () => {
    expect([id, 'spdx-licences', 'self'].map(isIdReference)).toEqual([true, false, false]);
  });
});
