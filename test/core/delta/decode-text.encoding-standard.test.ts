// Every charset is decoded as the WHATWG Encoding Standard says: each code point of each index, invalid bytes, and chunks of
// any size.
import { createHash } from 'node:crypto';
import { TextDecoder } from '@exodus/bytes/encoding.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeText, encodingOf, isNameOf } from '../../../core/delta/decode-text.ts';
import { CheckError } from '../../../core/errors.ts';
import { PROPERTY_TIMEOUT, propertyRuns } from '../../support/runner/property-runs.ts';
import { LABELS } from './encoding-labels.ts';
import { decodeByStandard, indexesSha256 } from './encoding-standard.ts';

const REPLACEMENT = 'replacement';
const ENCODINGS = Object.keys(LABELS).filter((name) => name !== REPLACEMENT);
const LEGACY = ENCODINGS.filter((name) => name !== 'utf-8');
const DOUBLE_BYTE = ['gbk', 'gb18030', 'big5', 'euc-jp', 'shift_jis', 'euc-kr', 'iso-2022-jp'];
const BYTES = Array.from({ length: 256 }, (_, byte) => byte);

const labels = Object.entries(LABELS).flatMap(([name, list]) =>
  list.split(' ').map((label) => [label, name] as const),
);

async function* inChunks(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let from = 0;
  for (const size of sizes) {
    yield bytes.subarray(from, from + size);
    from += size;
  }
  yield bytes.subarray(from);
}

/** Decodes a body with the product's decoder. @returns undefined when it refuses the body */
async function read(
  encoding: string,
  bytes: Uint8Array,
  sizes: readonly number[] = [],
): Promise<string | undefined> {
  const texts: string[] = [];
  try {
    for await (const text of decodeText(inChunks(bytes, sizes), encoding)) texts.push(text);
    return texts.join('');
  } catch (error) {
    if (error instanceof CheckError && error.code === 'encoding_invalid') return undefined;
    throw error;
  }
}

const textOf = (outputs: readonly (number | null)[]): string =>
  outputs.map((codePoint) => String.fromCodePoint(codePoint ?? 0xfffd)).join('');

/** Puts a letter in front, so that nothing looks like a byte order mark. */
const isolated = (encoding: string, bytes: readonly number[]): Uint8Array => {
  if (encoding === 'utf-16le') return Uint8Array.of(0x61, 0, ...bytes);
  return encoding === 'utf-16be' ? Uint8Array.of(0, 0x61, ...bytes) : Uint8Array.of(0x61, ...bytes);
};

interface Sequences {
  /** Sent in one body, each after a letter. */
  valid: Uint8Array;
  text: string;
  invalid: Uint8Array[];
  /** The first few whose text differs from the standard's. */
  replacedOtherwise: string[];
}

function sortOut(encoding: string, sequences: Iterable<readonly number[]>): Sequences {
  const valid: Uint8Array[] = [];
  const texts: string[] = [];
  const invalid: Uint8Array[] = [];
  const replacedOtherwise: string[] = [];
  const loose = new TextDecoder(encoding);
  for (const sequence of sequences) {
    const bytes = isolated(encoding, sequence);
    const outputs = decodeByStandard(encoding, bytes);
    const text = textOf(outputs);
    if (outputs.includes(null)) invalid.push(bytes);
    else {
      valid.push(bytes);
      texts.push(text);
    }
    if (loose.decode(bytes) !== text) replacedOtherwise.push(Buffer.from(bytes).toString('hex'));
  }
  return { valid: Buffer.concat(valid), text: texts.join(''), invalid, replacedOtherwise };
}

async function holdToStandard(encoding: string, sequences: Iterable<readonly number[]>): Promise<number> {
  const { valid, text, invalid, replacedOtherwise } = sortOut(encoding, sequences);
  expect((await read(encoding, valid)) === text).toBe(true);
  const taken: string[] = [];
  for (const bytes of invalid) {
    if ((await read(encoding, bytes)) !== undefined) taken.push(Buffer.from(bytes).toString('hex'));
  }
  expect({ taken, replacedOtherwise }).toEqual({ taken: [], replacedOtherwise: [] });
  return text.length + invalid.length;
}

function* pairs(): Generator<number[]> {
  for (const first of BYTES) for (const second of BYTES) yield [first, second];
}

it('the reference has the indexes and the labels of the standard', () => {
  // From the standard's indexes.json and encodings.json in May 2026 (github.com/whatwg/encoding, a985b62).
  expect(indexesSha256()).toBe('980d0ff19715cad3035700d62e548b11cf8160b8a585a5f129ac0f2f3374e288');
  const sorted = labels.toSorted(([left], [right]) => (left < right ? -1 : 1));
  const names = sorted.map(([label, name]) => [label, name]);
  expect(createHash('sha256').update(JSON.stringify(names)).digest('hex')).toBe(
    'e9d240296cd654ffa43c751c007368e7f437cade522e0fb765bc5a4b1670e555',
  );
});

describe('labels', () => {
  const prefix = Buffer.from('id,a');
  const ways = (label: string): string[] => [label, label.toUpperCase(), `\t${label} `];
  const isReplacement = ([, name]: (typeof labels)[number]): boolean => name === REPLACEMENT;

  it.each(labels.filter((label) => !isReplacement(label)))('%s is %s', (label, name) => {
    expect(ways(label).map((written) => encodingOf(prefix, written))).toEqual([name, name, name]);
    expect(ways(label).map((written) => isNameOf(written, name))).toEqual([true, true, true]);
  });

  it.each(labels.filter(isReplacement))('%s is refused', (label, name) => {
    for (const written of ways(label)) {
      expect(() => encodingOf(prefix, written)).toThrow(
        'The charset that its Content-Type names is not supported.',
      );
      expect(isNameOf(written, name)).toBe(false);
    }
  });
});

describe('regression: every code point of every index, and nothing else', () => {
  it.each(LEGACY)('%s: one byte and two', PROPERTY_TIMEOUT, async (encoding) => {
    const isDouble = DOUBLE_BYTE.includes(encoding) || encoding.startsWith('utf-16');
    const singles = BYTES.map((byte) => [byte]);
    expect(await holdToStandard(encoding, isDouble ? [...singles, ...pairs()] : singles)).toBeGreaterThan(
      255,
    );
  });

  it('euc-jp: JIS X 0212 in three bytes', PROPERTY_TIMEOUT, async () => {
    const sequences = [...pairs()].filter(([first = 0]) => first > 0x9f).map((pair) => [0x8f, ...pair]);
    expect(await holdToStandard('euc-jp', sequences)).toBeGreaterThan(94 * 94);
  });

  it('iso-2022-jp: each state and each way between two', PROPERTY_TIMEOUT, async () => {
    const escapes = ['(B', '(J', '(I', '$B', '$@', '(H', '$A', '(', '$', ''];
    const inStates = escapes.flatMap((escape) =>
      BYTES.map((byte) => [0x1b, ...Buffer.from(escape), byte, 0x21, 0x1b, 0x28, 0x42]),
    );
    const kanji = [...pairs()].map((pair) => [0x1b, 0x24, 0x42, ...pair, 0x1b, 0x28, 0x42]);
    const switches = escapes.flatMap((from) =>
      escapes.map((to) => [...Buffer.from(`\u001b${from}!!\u001b${to}\u001b${from}!!`)]),
    );
    expect(await holdToStandard('iso-2022-jp', [...inStates, ...kanji, ...switches])).toBeGreaterThan(65_536);
  });

  it('gb18030: every character in four bytes', PROPERTY_TIMEOUT, async () => {
    function* pointers(): Generator<number[]> {
      for (let pointer = 0; pointer <= 1_237_600; pointer++) {
        // The code points between are not assigned, so the ends of the gap are enough.
        if (pointer === 39_440) pointer = 188_980;
        const [second, third, fourth] = [pointer / 1260, pointer / 10, pointer].map(Math.floor);
        yield [
          0x81 + Math.floor(pointer / 12_600),
          0x30 + ((second ?? 0) % 10),
          0x81 + ((third ?? 0) % 126),
          0x30 + ((fourth ?? 0) % 10),
        ];
      }
    }
    expect(await holdToStandard('gb18030', pointers())).toBeGreaterThan(1_000_000);
  });
});

describe('regression: any body, in any chunks', () => {
  /** Prefers bytes that have a meaning in some charset. */
  const byte = fc.oneof(
    fc.integer({ min: 0, max: 255 }),
    fc.constantFrom(
      0x1b,
      0x24,
      0x28,
      0x42,
      0x4a,
      0x49,
      0x30,
      0x39,
      0x81,
      0x8e,
      0x8f,
      0xa1,
      0xfe,
      0xd8,
      0xdc,
      0,
    ),
  );
  const sizes = fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 40 });

  it.each(LEGACY)('%s', PROPERTY_TIMEOUT, async (encoding) => {
    expect.hasAssertions();
    const property = fc.asyncProperty(fc.array(byte, { maxLength: 60 }), sizes, async (bytes, cuts) => {
      const body = isolated(encoding, bytes);
      const outputs = decodeByStandard(encoding, body);
      const expected = outputs.includes(null) ? undefined : textOf(outputs);
      expect(await read(encoding, body, cuts)).toBe(expected);
      expect(await read(encoding, body)).toBe(expected);
    });
    await fc.assert(property, propertyRuns(300));
  });

  it.each(DOUBLE_BYTE)('%s, with characters that it contains', PROPERTY_TIMEOUT, async (encoding) => {
    expect.hasAssertions();
    const escape = encoding === 'iso-2022-jp' ? [0x1b, 0x24, 0x42] : [];
    const characters = [...pairs()].filter(
      (pair) => !decodeByStandard(encoding, Uint8Array.of(...escape, ...pair)).includes(null),
    );
    const character = fc.constantFrom(...characters);
    const property = fc.asyncProperty(fc.array(character, { maxLength: 40 }), sizes, async (list, cuts) => {
      const body = isolated(encoding, [...escape, ...list.flat()]);
      expect(await read(encoding, body, cuts)).toBe(textOf(decodeByStandard(encoding, body)));
    });
    await fc.assert(property, propertyRuns(300));
  });

  it('utf-8 and utf-16, with a mark and without', PROPERTY_TIMEOUT, async () => {
    expect.hasAssertions();
    const text = fc.string({ unit: 'binary', maxLength: 40 });
    const property = fc.asyncProperty(text, fc.boolean(), sizes, async (rest, hasMark, cuts) => {
      const body = `${hasMark ? '\ufeff' : ''}a${rest}`;
      const units = Buffer.from(body, 'utf16le');
      expect(await read('utf-8', Buffer.from(body), cuts)).toBe(`a${rest}`);
      expect(await read('utf-16le', units, cuts)).toBe(`a${rest}`);
      expect(await read(hasMark ? 'utf-8' : 'utf-16be', Buffer.from(units).swap16(), cuts)).toBe(`a${rest}`);
    });
    await fc.assert(property, propertyRuns());
  });
});
