// Bodies whose numbers drift, compared one after the other by bytes: what is read decides as if all rows were read, and a row is
// matched only if each number is within its tolerance of the reported one.
// `FAST_CHECK_RUNS=100000 npx vitest run test/core/delta/raw/reported-numbers.test.ts` for a long search.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { carryOverBy } from '../../../../core/delta/carry-over.ts';
import { changedFields, type KeyedRow } from '../../../../core/delta/keys/keyed-row.ts';
import { compareBytes, headerHash } from '../../../../core/delta/raw/compare-bytes.ts';
import { readChunks } from '../../../../core/delta/raw/read-at.ts';
import { createKeptNumbers, createReportedNumbers } from '../../../../core/delta/raw/reported-numbers.ts';
import { rowBytes } from '../../../../core/delta/raw/row-bytes.ts';
import { ENTRY_BYTES } from '../../../../core/delta/raw/row-index.ts';
import { NUMBER_BYTES } from '../../../../core/delta/raw/tolerant-columns.ts';
import type { ColumnRules } from '../../../../core/delta/rules/column-rules.ts';
import { PROPERTY_TIMEOUT, propertyRuns } from '../../../support/runner/property-runs.ts';
import { cut, readBody } from '../read-body.ts';
import { LIMITS } from './compare-bodies.ts';
import { createMatcher, findRows, SEED } from './match-rows.ts';

const KEYS = ['id'];
/** Rows as tokens of JSON, by key. */
type Table = ReadonlyMap<string, readonly [price: string, weight: string, name: string]>;

const number = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 95, max: 105 }).map((hundredths) => String(hundredths / 100)) },
  { weight: 2, arbitrary: fc.constantFrom('1.00', '1.000', '100e-2', '-1', '-1.01', '0', '0.00', '-0', '0.01', '1e3', '1000.01') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('123456789012345', '1234567890123456', '1234567890123456.01', '1e40', '1.01e40', '1e-40', '9e31', '1e-32', '9.99e17', '999999999999999e3'),
  },
); // prettier-ignore
const cell = fc.oneof(
  { weight: 6, arbitrary: number },
  { weight: 3, arbitrary: number.map((text) => JSON.stringify(text)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('" 1.01"', '""', '"n/a"', 'null', 'true', '"1,5"', '"+1"', '"\\u0031"'),
  },
);
const table = fc
  .array(fc.tuple(cell, cell, fc.constantFrom('"a"', '"a "', '"b"')), { minLength: 1, maxLength: 6 })
  .map((rows): Table => new Map(rows.map((row, id) => [`k${id}`, row])));
/** What happens to a row until the next body: mostly its numbers move a little, and are written in some way. */
const step = fc.array(
  fc.record({
    price: fc.oneof(
      { weight: 5, arbitrary: fc.integer({ min: -3, max: 3 }) },
      { weight: 1, arbitrary: cell },
    ),
    weight: fc.oneof({ weight: 8, arbitrary: fc.constantFrom(0, 0, 0, 1) }, { weight: 1, arbitrary: cell }),
    name: fc.constantFrom('"a"', '"a"', '"a "', '"b"', undefined),
    isQuoted: fc.boolean(),
  }),
  { minLength: 6, maxLength: 6 },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function moved(token: string, by: number | string, isQuoted: boolean): string {
  if (typeof by === 'string') return by;
  const value = Number(token.startsWith('"') ? token.slice(1, -1) : token);
  if (by === 0 || Number.isNaN(value) || Math.abs(value) > 1_000) return token;
  const text = (Math.round(value * 100 + by) / 100).toFixed(2);
  return isQuoted ? `"${text}"` : text;
}

const after = (rows: Table, moves: Step): Table =>
  new Map(
    [...rows].map(([key, [price, weight, name]], at) => {
      const move = moves[at];
      if (move === undefined) return [key, [price, weight, name]];
      const { isQuoted } = move;
      return [
        key,
        [moved(price, move.price, isQuoted), moved(weight, move.weight, isQuoted), move.name ?? name],
      ];
    }),
  );
const tolerance = fc.constantFrom(
  '0',
  '0.01',
  '0.02',
  '0.05',
  '1',
  '1%',
  '0.5%',
  '100%',
  '1000000000000000',
  '123456789012345678',
);
const rules = fc.record({
  price: fc.record({ as: fc.constant('number' as const), tolerance, trim: fc.boolean() }),
  weight: fc.record({ as: fc.constant('number' as const), tolerance }, { requiredKeys: ['as'] }),
  name: fc.record({ trim: fc.constant(true) }),
});

const csvCell = (token: string): string => {
  const text = token === 'null' ? '' : token.startsWith('"') ? String(JSON.parse(token)) : token;
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};
const WRITE = {
  csv: (rows: Table) =>
    `id,price,weight,name\n${[...rows].map(([id, row]) => [id, ...row.map(csvCell)].join(',')).join('\n')}\n`,
  jsonl: (rows: Table) =>
    [...rows].map(([id, [price, weight, name]]) => `{"id":"${id}","price":${price},"weight":${weight},"name":${name}}\n`).join(''),
}; // prettier-ignore

/** A record that compares bodies by bytes, and what a slow reference would store. */
async function watch(format: 'csv' | 'jsonl', given: ColumnRules, first: Table) {
  const options = {
    keyFields: KEYS,
    ignoreFields: [],
    rules: given,
    charset: 'utf-8',
    rowsPath: '',
    headerRow: 1,
    format,
  } as const;
  const { dialect, columns } = await readBody(Buffer.from(WRITE[format](first)), {
    ...options,
    delimiter: format === 'csv' ? ',' : undefined,
  });
  const rule = { dialect, keyFields: KEYS, ignoreFields: [], rules: given };
  const bytes = rowBytes(rule);
  if (bytes === undefined) throw new Error('Rows must be split by bytes');
  const read = async (body: Buffer) => (await readBody(body, { ...options, dialect })).rows;
  const carryOver = carryOverBy(given, KEYS) ?? ((_before: string, after: string) => after);
  let before = Buffer.from(WRITE[format](first));
  let stored = new Map((await read(before)).map(({ key, data }) => [key, data]));
  const opening = createMatcher(bytes);
  const found = await findRows(opening, before);
  let file = Buffer.concat([found.entries, found.numbers]);
  let headerSha256 = headerHash(opening);

  /** @returns how many rows were matched although their bytes differ */
  return async (rows: Table): Promise<number> => {
    const now = Buffer.from(WRITE[format](rows));
    const matcher = createMatcher(bytes);
    const rowCount = stored.size;
    expect(file.length).toBe(rowCount * (ENTRY_BYTES + bytes.tolerant.length * NUMBER_BYTES));
    await matcher.before.begin(readChunks(cut(file, Infinity)), rowCount);
    const numbers = createReportedNumbers(bytes.tolerant);
    const kept = createKeptNumbers(bytes.tolerant);
    const entries: Buffer[] = [];
    const comparison = compareBytes({
      matcher,
      index: { rowCount, seed: SEED.toString('hex'), headerSha256, columns },
      read: readChunks(cut(now, Infinity)),
      readBefore: readChunks(cut(before, Infinity)),
      rule: { ...rule, limits: LIMITS },
      firstRows: 1,
      onEntries: (part) => void entries.push(Buffer.from(part)),
      onNumbers: numbers.add,
    });
    const unmatched: KeyedRow[] = [];
    for await (const batch of comparison.unmatched()) unmatched.push(...batch);
    for await (const _keys of comparison.unmatchedKeysBefore());
    const all = await read(now);
    const isRead = new Map(unmatched.map(({ key }, place) => [key, place]));
    const next = new Map<string, string>();
    /** Rows that changed and were matched. */
    const missed: string[] = [];
    let moved = 0;
    for (const { key, data } of all) {
      const was = stored.get(key);
      const is = was === undefined ? data : carryOver(was, data);
      const isSame = was !== undefined && changedFields(was, is).length === 0;
      next.set(key, isSame ? was : is);
      const place = isRead.get(key);
      if (place === undefined && !isSame) missed.push(key);
      if (place !== undefined && is !== data) kept.note(place, is);
      if (place === undefined && data !== was) moved++;
    }
    expect(missed).toEqual([]);
    expect(comparison.matchedCount()).toBe(all.length - unmatched.length);
    stored = next;
    before = now;
    file = Buffer.concat([...entries, ...numbers.end(kept)]);
    headerSha256 = headerHash(matcher);
    return moved;
  };
}

const RUNS = propertyRuns(300);

it.each(['csv', 'jsonl'] as const)(
  'bodies of %s that drift are compared with what was reported',
  PROPERTY_TIMEOUT,
  async (format) => {
    let matched = 0;
    await fc.assert(
      fc.asyncProperty(
        rules,
        table,
        fc.array(step, { minLength: 2, maxLength: 8 }),
        async (given, first, steps) => {
          const check = await watch(format, given, first);
          let rows = first;
          for (const moves of steps) {
            rows = after(rows, moves);
            matched += await check(rows);
          }
        },
      ),
      RUNS,
    );
    // Else nothing was tested.
    expect(matched).toBeGreaterThan(RUNS.numRuns);
  },
);

const prices = async (tolerance: string, ...[first = '', ...others]: string[]): Promise<number[]> => {
  const rowsWith = (price: string): Table =>
    new Map([
      ['k0', ['1', '1', '"a"']],
      ['k1', [price, '1', '"a"']],
    ]);
  const check = await watch('csv', { price: { as: 'number', tolerance } }, rowsWith(first));
  const matched: number[] = [];
  for (const price of others) matched.push(await check(rowsWith(price)));
  return matched;
};

it('a slow drift is read once it has come too far, and not before', async () => {
  // 5.012 is reported, so 5.002 is as far from it as it may be.
  expect(
    await prices('0.01', '5.000', '5.003', '5.006', '5.009', '5.010', '5.012', '5.015', '5.002', '5.0019'),
  ).toEqual([1, 1, 1, 1, 0, 1, 1, 0]);
});

it('a number that was only seen is not taken for the reported one, which has too many digits', async () => {
  // 4e14 is near both others, and these are too far from each other.
  expect(await prices('1000000000000000', '1234567890123456', '4e14', '4.0e14', '0')).toEqual([0, 1, 0]);
});

it('a distance that is too large for the arithmetic is too far', async () => {
  const tolerance = `0.${'0'.repeat(29)}1`;
  // In 64 bits, 8 × 10^61 is 0.
  expect(await prices(tolerance, '1e31', '9e31', '9.0e31')).toEqual([0, 1]);
});
