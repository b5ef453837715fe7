// The kernel is held to test/core/delta/raw/reference.ts, and the compiled kernel to its source.
import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitDelimited } from '../../../../core/delta/split-delimited.ts';
import { NeedsExactPath } from '../../../../core/delta/raw/needs-exact-path.ts';
import { compileKernel, MODULE } from '../../../../tools/kernel/compile-kernel.ts';
import { createMatcher, findRows, SEED, type Sizes } from './match-rows.ts';
import { countLeft, sipHash128, splitBytes } from './reference.ts';

/** `FAST_CHECK_RUNS=100000 npx vitest run test/core/delta/raw` for a long search. */
const NUM_RUNS = Number(process.env['FAST_CHECK_RUNS'] ?? 1_000);
const COMMA = 44;

const pieces = fc.constantFrom(
  '"',
  '""',
  ',',
  '\n',
  '\r\n',
  '\r',
  'a',
  ' ',
  '\t',
  'é',
  '\ufeff',
  '","',
  'long enough for a block of its own',
);
const bodies = fc
  .tuple(fc.constantFrom('', '\ufeff'), fc.array(pieces, { maxLength: 30 }))
  .map(([mark, parts]) => Buffer.from(mark + parts.join('')));
const delimiters = fc.constantFrom(COMMA, 9, null);
const sizes: fc.Arbitrary<Sizes> = fc.record({
  chunkBytes: fc.integer({ min: 1, max: 40 }),
  windowBytes: fc.constantFrom(400, 401, 1024),
  capacity: fc.constantFrom(1, 2, 3, 64),
});

/** Undefined where the body is too much for rows by their bytes: one is open, or does not fit. */
function expectedRows(body: Buffer, delimiter: number | null, windowBytes: number) {
  const ranges = splitBytes(body, delimiter);
  // With its line end, and a mark before the first.
  if (ranges?.every(({ start, end }) => end - start < windowBytes - 4) !== true) return undefined;
  const [header] = delimiter === null ? [] : ranges;
  const unmatched = (delimiter === null ? ranges : ranges.slice(1)).map(({ start, end }) =>
    body.subarray(start, end),
  );
  return {
    header: header && Uint8Array.from(body.subarray(header.start, header.end)),
    unmatched,
    starts: unmatched.map((row) => row.byteOffset - body.byteOffset),
    hashes: unmatched.map((row) => sipHash128(row, SEED).toString('hex')),
  };
}

it('is compiled from its source', { timeout: 60_000 }, async () => {
  expect(await readFile(MODULE, 'utf8')).toBe(await compileKernel());
});

describe('rows', () => {
  it('are those of the reference, with their hashes, whatever the chunks, windows and steps', async () => {
    expect.hasAssertions();
    const property = fc.asyncProperty(bodies, delimiters, sizes, async (body, delimiter, size) => {
      const matcher = createMatcher(delimiter, size);
      const found = await findRows(matcher, body, size.chunkBytes).catch((error: unknown) => error);
      const expected = expectedRows(body, delimiter, size.windowBytes);
      expect(found instanceof NeedsExactPath).toBe(expected === undefined);
      expect(found).toMatchObject(expected ?? {});
    });
    await fc.assert(property, { numRuns: NUM_RUNS });
  });

  it('are those that the parser reads, each by itself', () => {
    const property = fc.property(bodies, (body) => {
      const ranges = splitBytes(body, COMMA);
      const text = new TextDecoder().decode(body);
      const { rows, consumedLength } = splitDelimited(text, ',', true);
      expect(ranges === undefined).toBe(consumedLength < text.length);
      const alone = ranges?.flatMap(({ start, end }) => {
        const row = new TextDecoder('utf-8', { ignoreBOM: true }).decode(body.subarray(start, end));
        return splitDelimited(`${row}\n`, ',', true).rows;
      });
      expect(alone ?? rows).toEqual(rows);
    });
    fc.assert(property, { numRuns: NUM_RUNS });
  });
});

describe('matches', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'ff'), { maxLength: 12 });

  it('pair off equal rows, none twice, in any order', async () => {
    expect.hasAssertions();
    const property = fc.asyncProperty(lines, lines, fc.nat(3), sizes, async (before, now, skipped, size) => {
      const matcher = createMatcher(null, size);
      const first = Buffer.from(before.join('\n'));
      const old = await findRows(createMatcher(null), first);
      for (const byte of old.entries) matcher.before.add(Uint8Array.of(byte));
      matcher.before.index(before.length);
      const found = await findRows(matcher, Buffer.from(now.join('\n')), size.chunkBytes, skipped);
      const left = [...matcher.before.unmatched(first.length)].map(({ start, end }) =>
        first.toString('utf8', start, end).trimEnd(),
      );
      const unmatched = found.unmatched.map(String);
      const expected = [...countLeft(before, now.slice(skipped))];
      const leftNow = expected.flatMap(([row, count]) =>
        Array.from({ length: Math.max(0, count) }, () => row),
      );
      const leftBefore = expected.flatMap(([row, count]) =>
        Array.from({ length: Math.max(0, -count) }, () => row),
      );
      expect(unmatched.slice(0, skipped)).toEqual(now.slice(0, skipped));
      expect(unmatched.slice(skipped).toSorted()).toEqual(leftNow.toSorted());
      expect(left.toSorted()).toEqual(leftBefore.toSorted());
    });
    await fc.assert(property, { numRuns: NUM_RUNS });
  });

  it('take no longer for many equal rows', async () => {
    const rows = 200_000;
    const body = Buffer.from('same\n'.repeat(rows));
    const matcher = createMatcher(null);
    const { entries } = await findRows(createMatcher(null), body);
    matcher.before.add(entries);
    matcher.before.index(rows);
    const shuffled = Buffer.concat([
      Buffer.from('other\n'),
      body.subarray(0, body.length - 10),
      Buffer.from('other\n'),
    ]);
    const { unmatched } = await findRows(matcher, shuffled);
    expect(unmatched.map(String)).toEqual(['other', 'other']);
    expect([...matcher.before.unmatched(body.length)]).toHaveLength(2);
  });
});

describe('the reference of SipHash', () => {
  // From the vectors of the reference implementation: key 00 to 0f, message of so many bytes 00, 01, 02…
  it.each([
    [0, 'a3817f04ba25a8e66df67214c7550293'],
    [1, 'da87c1d86b99af44347659119b22fc45'],
  ])('gives the published hash of %i bytes', (length, hash) => {
    const data = Uint8Array.from({ length }, (_, at) => at);
    expect(sipHash128(data, SEED, { each: 2, last: 4 }).toString('hex')).toBe(hash);
  });
});
