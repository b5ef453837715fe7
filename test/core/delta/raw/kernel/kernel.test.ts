// The kernel is held to test/core/delta/raw/reference.ts, and the compiled kernel to its source.
import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COMMAS, splitDelimited } from '../../../../../core/delta/delimited/split-delimited.ts';
import { NeedsExactPath, type RowBytes } from '../../../../../core/delta/raw/row-bytes.ts';
import type { RowMatcher } from '../../../../../core/delta/raw/row-matcher.ts';
import { compileKernel, MODULE } from '../../../../../tools/kernel/compile-kernel.ts';
import { PROPERTY_TIMEOUT, propertyRuns } from '../../../../support/runner/property-runs.ts';
import { collect } from '../../read-body.ts';
import { createMatcher, findRows, SEED, setBefore, type Sizes } from '../match-rows.ts';
import { countLeft, sipHash128, splitBytes, withoutCells } from '../reference.ts';

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
const elements = fc.constantFrom(
  '{}',
  '{"a":"b"}',
  '{"a":[1,{"b":"]},"}]}',
  '{"\\\\\\"}":"\\\\"}',
  '{ "long enough": "for a block" }',
);
const gaps = fc.constantFrom('', '', ' ', '\n', '\r\n\t');
const junk = fc.oneof(
  { weight: 30, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.constantFrom('1', ']', '{', '"', ',') },
);
const documents = fc
  .tuple(
    fc.constantFrom('', '\ufeff'),
    fc.array(fc.tuple(gaps, elements, gaps, junk), { maxLength: 12 }),
    gaps,
  )
  .map(([mark, items, end]) => {
    const rows = items.map(([before, element, after, odd]) => before + element + after + odd);
    return Buffer.from(`${mark}${end}[${rows.join(',')}]${end}`);
  });
const splits = fc.constantFrom<RowBytes['split'][]>(COMMA, 9, 'lines');
const sizes: fc.Arbitrary<Omit<Sizes, 'segmentRows'>> = fc.record({
  chunkBytes: fc.integer({ min: 1, max: 40 }),
  windowBytes: fc.constantFrom(400, 401, 1024),
  capacity: fc.constantFrom(1, 2, 3, 64),
});

/** Undefined where the body is not to be split so. */
function expectedRows(body: Buffer, split: RowBytes['split']) {
  const ranges = splitBytes(body, split);
  if (ranges === undefined) return undefined;
  const [header] = typeof split === 'number' ? ranges : [];
  const rows = typeof split === 'number' ? ranges.slice(1) : ranges;
  const bytes = rows.map(({ start, end }) => body.subarray(start, end));
  return {
    ...(header && { head: Uint8Array.from(body.subarray(header.start, header.end)) }),
    ranges: rows,
    hashes: bytes.map((row) => sipHash128(row, SEED).toString('hex')),
    unmatched: bytes.map((row) => (split === 'elements' ? ',' : '\n') + row.toString('latin1')).join(''),
  };
}

function isJson(body: Buffer): boolean {
  try {
    return JSON.parse(body.toString().replace('\ufeff', '')) !== null;
  } catch {
    return false;
  }
}

/** A row that is longer than a window is found if it happens to end in time. */
const isTooLong = (body: Buffer, windowBytes: number): boolean => body.length >= windowBytes - 4;

it('is compiled from its source', async () => {
  expect(await readFile(MODULE, 'utf8')).toBe(await compileKernel());
});

describe('rows', () => {
  it(
    'are those of the reference, with their hashes, whatever the chunks, windows and steps',
    PROPERTY_TIMEOUT,
    async () => {
      expect.hasAssertions();
      const property = fc.asyncProperty(bodies, splits, sizes, async (body, split, size) => {
        const matcher = createMatcher({ split }, size);
        const found = await findRows(matcher, body, size.chunkBytes).catch((error: unknown) => error);
        const expected = expectedRows(body, split);
        if (found instanceof NeedsExactPath && isTooLong(body, size.windowBytes)) return;
        expect(found instanceof NeedsExactPath).toBe(expected === undefined);
        expect(found).toMatchObject(expected ?? {});
      });
      await fc.assert(property, propertyRuns());
    },
  );

  it('of documents equal those of the reference too', PROPERTY_TIMEOUT, async () => {
    expect.hasAssertions();
    const property = fc.asyncProperty(documents, sizes, async (body, size) => {
      const found = await findRows(createMatcher({ split: 'elements' }, size), body, size.chunkBytes).catch(
        (error: unknown) => error,
      );
      const expected = expectedRows(body, 'elements');
      // Invalid JSON may be reported at once, or only when the rest is read.
      if (found instanceof Error && (isTooLong(body, size.windowBytes) || !isJson(body))) return;
      expect(found instanceof Error).toBe(expected === undefined);
      expect(found).toMatchObject(expected ?? {});
    });
    await fc.assert(property, propertyRuns());
  });

  it('are those that the parser reads, each alone', PROPERTY_TIMEOUT, () => {
    const property = fc.property(bodies, (body) => {
      const ranges = splitBytes(body, COMMA);
      const text = new TextDecoder().decode(body);
      const { rows, consumedLength } = splitDelimited(text, COMMAS, true);
      expect(ranges === undefined).toBe(consumedLength < text.length);
      const alone = ranges?.flatMap(({ start, end }) => {
        const row = new TextDecoder('utf-8', { ignoreBOM: true }).decode(body.subarray(start, end));
        return splitDelimited(`${row}\n`, COMMAS, true).rows;
      });
      expect(alone ?? rows).toEqual(rows);
    });
    fc.assert(property, propertyRuns());
  });
});

describe('ignored members', () => {
  const cells = fc.constantFrom(
    '',
    'a',
    '"q"',
    '"x,y"',
    '"a""b"',
    '"late"r',
    'u"n"',
    'é',
    '\0',
    '\xff',
    'sixteen and more bytes',
  );
  const rows = fc.array(fc.array(cells, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 5 });
  const columns = ['a', 'b', 'c', 'd'];

  it('are left out of the hashes of delimited rows', PROPERTY_TIMEOUT, async () => {
    expect.hasAssertions();
    const property = fc.asyncProperty(rows, fc.subarray(columns), sizes, async (table, ignored, size) => {
      const text = table.map((row) => `${row.join(',')}\n`).join('');
      const body = Buffer.from(`${columns.join(',')}\n${text}`, text.includes('\xff') ? 'latin1' : 'utf8');
      const { hashes, ranges } = await findRows(
        createMatcher({ split: COMMA, ignored }, size),
        body,
        size.chunkBytes,
      );
      const flags = columns.map((column) => ignored.includes(column));
      const expected = ranges.map(({ start, end }) => withoutCells(body.subarray(start, end), COMMA, flags));
      expect(hashes).toEqual(expected.map((row) => sipHash128(row, SEED).toString('hex')));
    });
    await fc.assert(property, propertyRuns());
  });

  /** Whether a line is taken for the same as one with another value. */
  const isSame = async (line: string, other: string, ignored = ['t']): Promise<boolean> => {
    const [left, right] = [Buffer.from(line, 'latin1'), Buffer.from(other, 'latin1')];
    const matcher = createMatcher({ ignored });
    await setBefore(matcher, (await findRows(createMatcher({ ignored }), left)).entries);
    return (await findRows(matcher, right)).unmatchedCount === 0;
  };

  it.each([
    '1',
    '-0',
    '0.5e+10',
    '12E3',
    'true',
    'false',
    'null',
    '""',
    '"a b"',
    '"\\\\n\\"\\/"',
    '"\\u00e9"',
    '"\\ud83d\\ude00"',
    '"\xc3\xa9"',
    '"\xf0\x9f\x98\x80 and more"',
  ])('may have any valid scalar, such as %s', async (value) => {
    expect(await isSame('{"a":1,"t":0}', `{"a":1,"t":${value}}`)).toBe(true);
    expect(await isSame(`{ "t" : 0 , "a" : {"t":[1]} }`, `{ "t" : ${value} , "a" : {"t":[1]} }`)).toBe(true);
    expect(await isSame('{"a":1,"t":0}', `{"a":2,"t":${value}}`)).toBe(false);
    expect(await isSame('{"a":1,"b":0}', `{"a":1,"b":${value}}`)).toBe(value === '0');
  });

  it.each([
    '01',
    '+1',
    '.5',
    '1.',
    '1e',
    '-',
    'tru',
    'TRUE',
    'nul',
    '{}',
    '[]',
    '[1]',
    '{"u":1}',
    '"\t"',
    '"\\x"',
    '"\\u00"',
    '"\\u000g"',
    '"\\u0000"',
    '"\\ud83d"',
    '"\\ud83d\\u0041"',
    '"\\ude00"',
    '"\xff"',
    '"\xc0\x80"',
    '"\xed\xa0\x80"',
    '"\xf4\x90\x80\x80"',
    '"\xe2\x82"',
    '"a',
    '',
    '0 0',
    '0]',
  ])('contain nothing that a reader would refuse, such as %s', async (value) => {
    expect(await isSame('{"a":1,"t":0}', `{"a":1,"t":${value}}`)).toBe(false);
    // Nor where it is the same: then nobody knows which columns are ignored.
    expect(await isSame(`{"a":1,"t":${value}}`, `{"a":1,"t":${value}}`)).toBe(false);
  });

  it('make a match unsure only by their own name', async () => {
    const same = (line: string) => isSame(line, line);
    expect(await same('{"a":"\\u0000","x":[1,{"t":2}]}')).toBe(true);
    expect(await same('{"t.u":1}')).toBe(false);
    expect(await same('{"tu":1}')).toBe(true);
    expect(await same('{"\\u0074":1}')).toBe(false);
    expect(await same('[]')).toBe(false);
    expect(await isSame('{"t":1}', '{"t":1,"t":2}')).toBe(false);
    expect(await isSame('{"t":1}', '{}')).toBe(false);
    expect(await isSame('{}', '{ }')).toBe(false);
    expect(await isSame('{"a":0,"bb":1}', '{"a":1,"bb":2}', ['a', 'bb'])).toBe(true);
  });

  it('are found by their names among any others', PROPERTY_TIMEOUT, async () => {
    expect.hasAssertions();
    const named = (unit: fc.Arbitrary<string>) =>
      fc.uniqueArray(fc.string({ unit, maxLength: 3 }), { minLength: 1, maxLength: 40 });
    const ignoredNames = named(fc.constantFrom('a', 'b', 'é'));
    const names = named(fc.constantFrom('a', 'b', 'é', '.', '\\u0061', 'longer than a block'));
    const property = fc.asyncProperty(ignoredNames, names, async (ignored, members) => {
      const rows = members.map((name) => `{"${name}":1}\n{"${name}":2}`);
      const body = Buffer.from(rows.join('\n'));
      const matcher = createMatcher({ ignored });
      const { hashes, entries } = await findRows(createMatcher({ ignored }), body);
      await setBefore(matcher, entries);
      const { unmatched } = await findRows(matcher, body);
      const isPart = (name: string) => ignored.some((other) => name.startsWith(`${other}.`));
      const unsure = rows.filter((_, at) => /\\/.test(members[at] ?? '') || isPart(members[at] ?? ''));
      expect(Buffer.from(unmatched, 'latin1').toString()).toBe(unsure.map((row) => `\n${row}`).join(''));
      expect(members.filter((_, at) => hashes[2 * at] === hashes[2 * at + 1])).toEqual(
        members.filter((name) => ignored.includes(name)),
      );
    });
    await fc.assert(property, propertyRuns());
  });
});

const unmatchedKeysBefore = async ({ before }: RowMatcher, body: Buffer): Promise<string[]> =>
  (await collect(before.unmatched())).flat().map(({ start, end }) => body.toString('utf8', start, end));

describe('matches', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'ff'), { maxLength: 12 });

  it('pair off equal rows, none twice, in any order', PROPERTY_TIMEOUT, async () => {
    expect.hasAssertions();
    const property = fc.asyncProperty(lines, lines, fc.nat(3), sizes, async (before, now, skipped, size) => {
      const matcher = createMatcher({}, size);
      const first = Buffer.from(before.join('\n'));
      const old = await findRows(createMatcher({}), first);
      await setBefore(matcher, old.entries, size.chunkBytes);
      const found = await findRows(matcher, Buffer.from(now.join('\n')), size.chunkBytes, skipped);
      const left = await unmatchedKeysBefore(matcher, first);
      const unmatched = found.unmatched.split('\n').slice(1);
      const expected = [...countLeft(before, now.slice(skipped))];
      const leftNow = expected.flatMap(([row, count]) =>
        Array.from({ length: Math.max(0, count) }, () => row),
      );
      const goneFrom = expected.flatMap(([row, count]) =>
        Array.from({ length: Math.max(0, -count) }, () => row),
      );
      expect(unmatched.slice(0, skipped)).toEqual(now.slice(0, skipped));
      expect(unmatched.slice(skipped).toSorted()).toEqual(leftNow.toSorted());
      expect(left.toSorted()).toEqual(goneFrom.toSorted());
      expect(found.unmatchedCount).toBe(unmatched.length);
    });
    await fc.assert(property, propertyRuns());
  });

  it('in segments pair off equal rows too, though not all of them', PROPERTY_TIMEOUT, async () => {
    expect.hasAssertions();
    const property = fc.asyncProperty(
      lines,
      lines,
      sizes,
      fc.integer({ min: 1, max: 5 }),
      async (before, now, size, segmentRows) => {
        const matcher = createMatcher({}, { ...size, segmentRows });
        const first = Buffer.from(before.join('\n'));
        const old = await findRows(createMatcher({}), first);
        await setBefore(matcher, old.entries, size.chunkBytes);
        const found = await findRows(matcher, Buffer.from(now.join('\n')), size.chunkBytes);
        const left = await unmatchedKeysBefore(matcher, first);
        const leftNow = found.unmatched.split('\n').slice(1);
        // The numbers of left-over rows of the two sides differ by as much as those of the bodies.
        const difference = (counts: Map<string, number>) =>
          Object.fromEntries([...counts].filter(([, count]) => count !== 0));
        expect(difference(countLeft(left, leftNow))).toEqual(difference(countLeft(before, now)));
        expect(left.length - leftNow.length).toBe(before.length - now.length);
      },
    );
    await fc.assert(property, propertyRuns());
  });

  it.each([0, 1, 2])(
    'in segments find every row that kept its place in the order, %i segments further',
    async (more) => {
      const rows = Array.from({ length: 1_000 }, (_, row) => `row ${row}`);
      const segmentRows = 100;
      // One in twenty is gone, and one in twenty is new.
      const now = rows.flatMap((row, at) =>
        at % 20 === 7 ? [] : at % 20 === 13 ? [row, `new ${row}`] : [row],
      );
      now.splice(300, 0, ...Array.from({ length: more * segmentRows }, (_, at) => `block ${at}`));
      const matcher = createMatcher({}, { segmentRows, capacity: 16 });
      const first = Buffer.from(rows.join('\n'));
      await setBefore(matcher, (await findRows(createMatcher({}), first)).entries);
      const found = await findRows(matcher, Buffer.from(now.join('\n')));
      expect(found.unmatched.split('\n').filter((row) => row.startsWith('row'))).toEqual([]);
      const gone = rows.filter((_, at) => at % 20 === 7);
      expect(await unmatchedKeysBefore(matcher, first)).toEqual(gone);
    },
  );

  it('take no longer with many equal rows', async () => {
    const rows = 200_000;
    const body = Buffer.from('same\n'.repeat(rows));
    const matcher = createMatcher({});
    const { entries } = await findRows(createMatcher({}), body);
    await setBefore(matcher, entries);
    const shuffled = Buffer.concat([
      Buffer.from('other\n'),
      body.subarray(0, body.length - 10),
      Buffer.from('other\n'),
    ]);
    expect((await findRows(matcher, shuffled)).unmatched).toBe('\nother\nother');
    expect(await unmatchedKeysBefore(matcher, body)).toHaveLength(2);
  });
});

describe('the reference of SipHash', () => {
  // From the vectors of the reference implementation: key 00 to 0f, message of so many bytes 00, 01, 02…
  it.each([
    [0, 'a3817f04ba25a8e66df67214c7550293'],
    [1, 'da87c1d86b99af44347659119b22fc45'],
  ])('returns the published hash of %i bytes', (length, hash) => {
    const data = Uint8Array.from({ length }, (_, at) => at);
    expect(sipHash128(data, SEED, { each: 2, last: 4 }).toString('hex')).toBe(hash);
  });
});
