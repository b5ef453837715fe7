// Hashes of rows, and what is kept of changed rows, agree with a slow reference.
// `FAST_CHECK_RUNS=1000000 npx vitest run test/core/delta/rules` for a long search.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { carryOverBy } from '../../../../core/delta/carry-over.ts';
import { compare } from '../../../../core/delta/compare.ts';
import { createIdentifier } from '../../../../core/delta/keys/keyed-row.ts';
import {
  type ColumnRules,
  isLooserRule,
  isSameRules,
  rulesBeside,
  tidyRules,
} from '../../../../core/delta/rules/column-rules.ts';
import { decodeString } from '../../../../core/delta/json/scan-json.ts';
import { createWarnings } from '../../../../core/delta/warnings.ts';
import { PROPERTY_TIMEOUT, propertyRuns } from '../../../support/runner/property-runs.ts';
import { createRowHasher } from '../raw/hash-row.ts';
import { carried, isSameRow, type Row } from './reference.ts';
import { COLUMNS, ruledPairs, rules } from './ruled-rows.ts';

const RUNS = propertyRuns(5_000);
const columns = ['id', ...COLUMNS];

function identify(row: Row, given: ColumnRules) {
  const identifier = createIdentifier(
    { keyFields: ['id'], isIgnored: () => false, rules: given },
    createWarnings(),
  );
  const [identified] = identifier.identify({ columns, rows: [columns.map((column) => row.get(column))] });
  if (identified === undefined) throw new Error('There must be a row');
  return { key: identified.key, data: identified.data, hash: identified.hash.toString('hex') };
}

const withoutTolerance = (given: ColumnRules): ColumnRules =>
  Object.fromEntries(
    Object.entries(given).map(([column, { tolerance: _tolerance, ...rule }]) => [column, rule]),
  );

const withKey = (row: Row): Row => new Map([['id', '"1"'], ...row]);

it('rows have equal hashes if every value is the same, and keep what is the same', PROPERTY_TIMEOUT, () => {
  let [same, kept, near] = [0, 0, 0];
  fc.assert(
    fc.property(ruledPairs, ({ given, ...pair }) => {
      const [before, after] = [withKey(pair.before), withKey(pair.after)];
      const [was, is] = [identify(before, given), identify(after, given)];
      const isSame = isSameRow(given, before, after);
      // A hash knows no tolerance.
      const isWritten = isSameRow(withoutTolerance(given), before, after);
      expect(is.hash === was.hash).toBe(isWritten);
      if (isSame && is.data !== was.data) same++;
      const expected = carried(given, before, after);
      const data = carryOverBy(given, ['id'])?.(was.data, is.data) ?? is.data;
      expect(data).toBe(
        `{${expected.map(([column, cell]) => `${JSON.stringify(column)}:${cell}`).join(',')}}`,
      );
      if (data !== is.data) kept++;
      expect(identify(new Map(expected), given).hash === is.hash || !isWritten).toBe(true);
      if (isSame && !isWritten) near++;
      const { changed, unchanged } = compare([was], [is], carryOverBy(given, ['id']));
      expect(unchanged).toBe(Number(isSame));
      const differing = columns.filter((column) => before.get(column) !== new Map(expected).get(column));
      expect(changed.flatMap(({ changedFields }) => changedFields).sort()).toEqual(differing.sort());
    }),
    RUNS,
  );
  // Else the property would hold for rules that say nothing.
  expect(same).toBeGreaterThan(RUNS.numRuns / 5);
  expect(kept).toBeGreaterThan(same);
  expect(near).toBeGreaterThan(RUNS.numRuns / 200);
});

/** A cell of delimited text. */
const cellOf = (token = '""'): string => (token.startsWith('"') ? decodeString(token) : token);
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const writeCsv = (row: Row, isQuoted: boolean): string =>
  columns
    .map((column) => row.get(column) ?? '')
    .map((text) => (isQuoted || /[",\r\n]/.test(text) ? quoted(text) : text))
    .join(',');
const writeJson = (row: Row): string =>
  `{${[...row].map(([column, token]) => `${JSON.stringify(column)}:${token}`).join(',')}}`;

/** Cells that the kernel knows how to compare: in ASCII, and written without quotes and escapes. */
const isPlain = (row: Row): boolean =>
  COLUMNS.every((column) => /^[ !#-[\]-~]*$/.test(cellOf(row.get(column))));

it('rows have equal hashes of their bytes only if every value is the same', PROPERTY_TIMEOUT, () => {
  const hasher = createRowHasher(columns);
  const header = columns.map(quoted).join(',');
  let [plain, respelled] = [0, 0];
  fc.assert(
    fc.property(ruledPairs, fc.boolean(), fc.boolean(), ({ given, ...pair }, isQuoted, isCsv) => {
      const asRead = (row: Row): Row =>
        isCsv ? new Map(columns.map((column) => [column, JSON.stringify(cellOf(row.get(column)))])) : row;
      const rows = [withKey(pair.before), withKey(pair.after)].map(asRead) as [Row, Row];
      const hash = hasher.under(rulesBeside(given, ['id']), isCsv ? header : undefined);
      const write = (row: Row, quotes: boolean): string =>
        isCsv
          ? writeCsv(new Map([...row].map(([column, token]) => [column, cellOf(token)])), quotes)
          : writeJson(row);
      const written = [write(rows[0], false), write(rows[1], isQuoted)] as const;
      const hashes = written.map((row) => hash(row));
      const isEqual = hashes[0] === hashes[1];
      const isSame = isSameRow(withoutTolerance(given), ...rows);
      expect(hashes).not.toContain(undefined);
      expect(isSame || !isEqual).toBe(true);
      // Without quotes around columns that have no rule, and without names that JSON escapes.
      const isKnown = isCsv ? !isQuoted : Object.keys(given).every((column) => !column.includes('"'));
      if (!isKnown || !rows.every(isPlain)) return;
      expect(isEqual).toBe(isSame);
      plain++;
      if (isSame && written[0] !== written[1]) respelled++;
    }),
    RUNS,
  );
  expect(plain).toBeGreaterThan(RUNS.numRuns / 10);
  expect(respelled).toBeGreaterThan(RUNS.numRuns / 40);
});

it('rules are the same in any order, and without what says nothing', PROPERTY_TIMEOUT, () => {
  fc.assert(
    fc.property(rules, rules, (one, other) => {
      const turned = Object.fromEntries(Object.entries(one).toReversed());
      expect(isSameRules(one, turned)).toBe(true);
      expect(tidyRules(tidyRules(one))).toEqual(tidyRules(one));
      const [left, right] = [tidyRules(one), tidyRules(other)];
      const isEqual = Object.keys({ ...left, ...right }).every((column) =>
        (['as', 'tolerance', 'trim', 'ignoreCase', 'normalize'] as const).every(
          (name) => left[column]?.[name] === right[column]?.[name],
        ),
      );
      expect(isSameRules(one, other)).toBe(isEqual);
    }),
    propertyRuns(),
  );
});

it('what is the same stays the same under a looser rule', PROPERTY_TIMEOUT, () => {
  let looser = 0;
  fc.assert(
    fc.property(ruledPairs, rules, fc.boolean(), ({ given, ...pair }, other, adds) => {
      for (const [column, rule] of Object.entries(given)) {
        const wanted = adds ? { ...other[column], ...rule } : (other[column] ?? {});
        if (!isLooserRule(rule, wanted)) continue;
        const only = (row: Row): Row => new Map([...row].filter(([name]) => name === column));
        const isSameUnder = (ruled: ColumnRules) => isSameRow(ruled, only(pair.before), only(pair.after));
        if (!isSameUnder({ [column]: rule })) continue;
        expect(isSameUnder({ [column]: wanted })).toBe(true);
        if (!isSameRules({ column: rule }, { column: wanted })) looser++;
      }
    }),
    RUNS,
  );
  expect(looser).toBeGreaterThan(RUNS.numRuns / 100);
  const near = { as: 'number', tolerance: '1' } as const;
  expect(isLooserRule(near, { ...near, tolerance: '2' })).toBe(false);
  expect(isLooserRule(near, { ...near, trim: false })).toBe(true);
  expect(isLooserRule({ trim: true }, undefined)).toBe(false);
  // Upper case of U+0345 is a letter, which stays where it is when marks are put in order.
  const [before, after] = ['\u03b1\u0345\u0301', '\u03b1\u03b9\u0301'].map(
    (text) => new Map([['a', JSON.stringify(text)]]),
  );
  const folded = { ignoreCase: true } as const;
  const composed = { ignoreCase: true, normalize: 'NFC' } as const;
  expect(isSameRow({ a: folded }, before ?? new Map(), after ?? new Map())).toBe(true);
  expect(isSameRow({ a: composed }, before ?? new Map(), after ?? new Map())).toBe(false);
  expect(isLooserRule(folded, composed)).toBe(false);
});

it('key columns compare exactly', () => {
  const given = { id: { as: 'number' }, price: { as: 'number' } } as const;
  const [one, other] = [new Map([['id', '"1"'], ['price', '"1"']]), new Map([['id', '"1.0"'], ['price', '"1.0"']])]; // prettier-ignore
  expect(identify(one, given).key).not.toBe(identify(other, given).key);
  const number = new Map([...one, ['id', '1']]);
  expect(identify(one, given).key).toBe(identify(number, given).key);
  expect(identify(one, given).hash).not.toBe(identify(number, given).hash);
});
