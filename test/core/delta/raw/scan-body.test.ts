// Scanning a body by its bytes is held to parsing its rows: the same key for the same reasons, the same survey.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeText } from '../../../../core/delta/decode-text.ts';
import type { BodyScan } from '../../../../core/delta/keys/body-scan.ts';
import { addValue, type FieldProfile, newProfile } from '../../../../core/delta/keys/field-profile.ts';
import { detectKey } from '../../../../core/delta/keys/detect-key.ts';
import { type Dialect, ROW_LIMITS, type RowLimits } from '../../../../core/delta/model.ts';
import { scanBody, scanForIndex } from '../../../../core/delta/raw/scan-body.ts';
import { openRows, parseRows, type RowSurvey } from '../../../../core/delta/read-rows.ts';
import { createWarnings } from '../../../../core/delta/warnings.ts';
import { CheckError } from '../../../../core/errors.ts';
import { PROPERTY_TIMEOUT, propertyRuns } from '../../../support/runner/property-runs.ts';
import { cut } from '../read-body.ts';
import { feedPairs } from './dirty-feeds.ts';

const LIMITS: RowLimits = { ...ROW_LIMITS, maxRows: 1_000_000 };
const DIALECT: Dialect = { format: 'csv', delimiter: ',', charset: 'utf-8', rowsPath: '', headerRow: 1 };
const MIB = 1024 * 1024;

/** A column: its text in each row. */
type Column = (row: number) => string;

const at =
  (place: number, odd: string, usual: Column): Column =>
  (row) =>
    row === place ? odd : usual(row);
const word = (row: number): string => `w${Math.imul(row + 1, 0x9e3779b1) >>> 0}`;

const ODD = [
  '', '1,000', '−5.5', '€ 5', '£5', '¥5', "12'000", '5 %', '5%', '1.5kg', '.5', ',5', '$', '$5', '+', '-', '-.5', '1e5',
  '1.5e5', '1.2.3', '12 ', '5\u00a0000', 'é5.0', '5é', '5.0', '7', '+1', 'a"b', '"', 'two\nlines', '\u00b05', '\u2212x',
] as const; // prettier-ignore
const odd = fc.oneof(
  fc.constantFrom(...ODD),
  fc
    .tuple(
      fc.constantFrom('é', '😀', '\\', '"', '\t', '\u0001', 'x', '\u007f', '漢'),
      fc.integer({ min: 30, max: 210 }),
    )
    .map(([character, count]) => character.repeat(count)),
  fc
    .tuple(fc.constantFrom('é', '😀', '\\', '"', '\u0001'), fc.integer({ min: 190, max: 201 }))
    .map(([character, count]) => character + 'y'.repeat(count)),
);

const columns: fc.Arbitrary<Column> = fc.oneof(
  fc.constant<Column>((row) => `P${String(row).padStart(7, '0')}`),
  fc.constant<Column>(word),
  fc.constant<Column>((row) => String(row)),
  fc.constant<Column>((row) => `say "${row}", é`),
  fc.constantFrom(3, 90, 5_000, 21_000).map((count): Column => (row) => `level ${row % count}`),
  fc.constantFrom(7, 400).map((count): Column => (row) => `run ${Math.floor(row / count)}`),
  fc.constantFrom(0.8, 0.9).map((part): Column => (row) => new Date(1.7e12 + Math.floor(row * part) * 3_600_000).toISOString()),
  fc.constantFrom(1, 24).map((step): Column => (row) => new Date(1.7e12 + row * step * 3_600_000).toISOString()),
  fc.constant<Column>((row) => `${row}.5`),
  // A text that was there long before, or something odd, in a late row.
  fc.integer({ min: 9_000, max: 25_999 }).map((place) => at(place, word(5), word)),
  fc.tuple(fc.integer({ min: 9_000, max: 25_999 }), odd).map(([place, text]) => at(place, text, word)),
  fc.tuple(fc.integer({ min: 9_000, max: 25_999 }), odd).map(([place, text]) =>
    at(place, text, (row) => new Date(1.7e12 + row * 3_600_000).toISOString()),
  ),
); // prettier-ignore

const NAMES = [
  'id',
  'sku',
  'date',
  'updated_at',
  'name',
  'country',
  'value',
  'year',
  'code',
  'note',
  'customer_id',
  '',
];
const tables = fc.record({
  columns: fc.array(columns, { minLength: 1, maxLength: 6 }),
  names: fc.shuffledSubarray(NAMES, { minLength: 6 }),
  rowCount: fc.constantFrom<number[]>(9_990, 10_001, 12_000, 20_500, 26_000),
  lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
  mark: fc.constantFrom('', '\ufeff'),
  isOpenEnded: fc.boolean(),
  quotesAll: fc.boolean(),
  junk: fc.oneof(
    { weight: 8, arbitrary: fc.constant('') },
    {
      weight: 1,
      arbitrary: fc.constantFrom('"closed"late\n', 'a,b,c,d,e,f,g\n', '\0\n', '"open', '\n\n', '\u001a'),
    },
  ),
  maxTableBytes: fc.constantFrom(50_000, 300_000, 900_000, 128 * MIB),
});
type Table = typeof tables extends fc.Arbitrary<infer T> ? T : never;

function write({ columns, names, rowCount, lineEnd, mark, isOpenEnded, quotesAll, junk }: Table): Buffer {
  const cell = (text: string): string =>
    quotesAll || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  const lines = [names.slice(0, columns.length).join(',')];
  for (let row = 0; row < rowCount; row++) lines.push(columns.map((column) => cell(column(row))).join(','));
  const text = lines.join(lineEnd);
  return Buffer.from(`${mark}${text}${isOpenEnded && junk === '' ? '' : lineEnd}${junk}`);
}

/** The key, how its table answers, and the columns and number of rows; or the code of the fault. */
async function detect(body: Buffer, maxTableBytes: number, scan?: BodyScan) {
  const open = () => cut(body, MIB);
  const parse = () => parseRows(decodeText(open(), 'utf-8', open), DIALECT, LIMITS, createWarnings());
  try {
    const { hasKey, scanned, ...key } = await detectKey(parse, (name) => name === 'note', {
      maxTableBytes,
      scan,
    });
    const texts = [
      'P0000005',
      word(9_999),
      word(12_345),
      word(30_000),
      '17',
      'say "10000", é',
      'nothing',
      '',
    ];
    const keys = [...texts, ...texts.map((text) => JSON.stringify([text, text])), 'x'.repeat(2_000)];
    return { key, isScanned: scanned !== undefined, has: keys.map((each) => hasKey?.(each)) };
  } catch (error) {
    if (error instanceof CheckError) return { code: error.code };
    throw error;
  }
}

async function survey(body: Buffer, options: Omit<Parameters<typeof openRows>[1], 'limits'>) {
  try {
    const reader = await openRows(() => cut(body, MIB), { ...options, limits: LIMITS });
    return { key: reader.key, survey: await reader.survey() };
  } catch (error) {
    if (error instanceof CheckError) return { survey: undefined };
    throw error;
  }
}

const answers = (found: RowSurvey | undefined, keys: readonly string[]) => {
  if (found === undefined) return undefined;
  const { hasKey, scanned: _scanned, ...rest } = found;
  return { ...rest, has: keys.map(hasKey) };
};

/** What a key may have of a cell. */
const shortText = (text: string): string => (JSON.stringify(text).length > 200 ? '' : text);

/** What a decision depends on. */
const outcomeOf = ({ name, isFilled, seen, distinct, equalPairs, amounts }: FieldProfile) => ({
  name,
  isFilled,
  amounts,
  isOpen: seen !== undefined && equalPairs === 0,
  counts: seen !== undefined && [distinct, equalPairs],
});

describe('scanning a body', () => {
  it('detects the same key as parsing, for the same reasons', PROPERTY_TIMEOUT, async () => {
    let scans = 0;
    const property = fc.asyncProperty(tables, async (table) => {
      const body = write(table);
      const scan = scanBody(body.length)(() => cut(body, MIB), DIALECT, ['note'], LIMITS);
      const { isScanned, ...found } = await detect(body, table.maxTableBytes, scan);
      const { isScanned: _parsed, ...expected } = await detect(body, table.maxTableBytes);
      expect(found).toEqual(expected);
      scans += Number(isScanned ?? false);
    });
    await fc.assert(property, propertyRuns(40));
    expect(scans).toBeGreaterThan(15);
  });

  it('reads the same keys as parsing, in dirty feeds', PROPERTY_TIMEOUT, async () => {
    let scans = 0;
    const keyFields = fc.constantFrom(['id'], ['id', 'name'], ['name', 'id'], ['note'], ['no such']);
    const property = fc.asyncProperty(feedPairs, keyFields, async ({ before, format, charset }, fields) => {
      const contentType = `text/plain; charset=${charset}`;
      const options = { contentType, format, keyFields: fields, ignoreFields: ['note'] };
      const scanned = await survey(before, { ...options, openScan: scanForIndex(before.length) });
      const parsed = await survey(before, options);
      const keys = ['1', 'a', 'é', '"q"', 'x,y', 'l\nf', '["1","v"]', '["v","1"]', 'v', 'sha256:1', '[]'];
      expect(answers(scanned.survey, keys)).toEqual(answers(parsed.survey, keys));
      scans += Number(scanned.survey?.scanned !== undefined);
    });
    await fc.assert(property, propertyRuns(300));
    expect(scans).toBeGreaterThan(5);
  });

  const late = [
    'x'.repeat(198),
    'x'.repeat(199),
    `${'é'.repeat(197)}"`,
    `${'é'.repeat(196)}\\\\`,
    '😀'.repeat(99),
    '😀'.repeat(100),
  ];
  const odds = [...ODD, ...late].map((text) => at(10_200, text, word));
  const repeating = [
    at(15_000, word(5), word),
    at(25_000, word(5), word),
    (row: number) => word(Math.min(row, 24_000)),
    word,
    (row: number) => `${row % 21_000}`,
  ];

  it.each([
    ['odd values', odds, 10_300],
    ['values that repeat', repeating, 26_000],
  ])('profiles columns as parsing does: %s', PROPERTY_TIMEOUT, async (_name, tested, rowCount) => {
    const names = tested.map((_column, index) => `c${index}`);
    const plain = {
      lineEnd: '\n' as const,
      mark: '' as const,
      isOpenEnded: false,
      quotesAll: false,
      junk: '' as const,
      maxTableBytes: MIB,
    };
    const body = write({ ...plain, columns: tested, names, rowCount });
    const scan = scanBody(body.length)(() => cut(body, MIB), DIALECT, [], LIMITS);
    const started = tested.map((_column, index) => newProfile(names[index] ?? '', index));
    const addRows = (from: number, to: number): void => {
      for (const [index, profile] of started.entries())
        for (let row = from; row < to; row++) addValue(profile, shortText(tested[index]?.(row) ?? ''));
    };
    addRows(0, 10_000);
    const budget = { isExceeded: () => false, drop: () => undefined };
    const found = await scan?.profile({ columns: names, fields: started, rows: 10_000, budget });
    addRows(10_000, rowCount);
    expect(found?.fields.map(outcomeOf)).toEqual(started.map(outcomeOf));
  });

  const hourAt = (row: number): string => new Date(1.7e12 + Math.floor(row) * 3_600_000).toISOString();
  const table = (header: string, rowCount: number, row: (row: number) => string): Buffer =>
    Buffer.from(`${header}\n${Array.from({ length: rowCount }, (_, at) => row(at)).join('\n')}\n`);
  /** Days in order, with steps of any length. */
  const dayAt = (row: number): string =>
    new Date(Date.UTC(1950) + (row * 9 + (word(row).charCodeAt(3) % 9)) * 86_400_000)
      .toISOString()
      .slice(0, 10);

  it.each([
    ['more times than are listed, of which some repeat', table('name,date', 26_000, (row) => `${word(row)},${hourAt(row * 0.8)}`)],
    ['times that repeat, beside a flag', table('title,time,flag', 30_000, (row) => `${word(row)},${hourAt(row * 0.7)},${row % 2}`)],
    ['amounts with a gap', table('date,weight,flag', 12_000, (row) => `${dayAt(row)},${row === 100 ? '' : `${(row * 7) % 90} kg`},${row % 2}`)],
  ])('regression: detects the same key as parsing in %s', async (_name, body) => {
    const scan = scanBody(body.length)(() => cut(body, MIB), DIALECT, [], LIMITS);
    const { isScanned: _scanned, ...found } = await detect(body, 128 * MIB, scan);
    const { isScanned: _parsed, ...expected } = await detect(body, 128 * MIB);
    expect(found).toEqual(expected);
  }); // prettier-ignore

  it('regression: counts repeats after a long cell across two windows, whose characters are many bytes', async () => {
    const noteOf = (row: number): string => `t${row}`.padEnd(78, 'x');
    const rowsOf = (count: number, textOf: (row: number) => string): string =>
      Array.from({ length: count }, (_, row) => `K${row},${textOf(row)}\n`).join('');
    const first = `code,note\n${rowsOf(12_320, noteOf)}`;
    // The long cell begins with a window, and nearly fills two.
    const fill = `FILL,${'z'.repeat(MIB - first.length - 6)}\n`;
    const long = `LONG,"${'中'.repeat(345_000)}""${'中'.repeat(345_000)}"\n`;
    const body = Buffer.from(`${first}${fill}${long}${rowsOf(4_000, (row) => `u${row}`)}`);
    expect(fill.length).toBeLessThan(190);
    const started = ['code', 'note'].map(newProfile);
    for (let row = 0; row < 10_000; row++) {
      for (const [index, text] of [`K${row}`, noteOf(row)].entries())
        for (const profile of started.slice(index, index + 1)) addValue(profile, text);
    }
    const budget = { isExceeded: () => false, drop: () => undefined };
    const scan = scanBody(body.length)(() => cut(body, MIB), DIALECT, [], LIMITS);
    const found = await scan?.profile({ columns: ['code', 'note'], fields: started, rows: 10_000, budget });
    expect(found?.fields[0]?.equalPairs ?? 4_000).toBe(4_000);
  });

  it('regression: closes a body that it cannot read to the end', async () => {
    const rows = Array.from({ length: 300_000 }, (_, row) =>
      row === 5_000 ? 'short' : `${word(row)},${row % 7}`,
    );
    const body = Buffer.from(`id,n\n${rows.join('\n')}\n`);
    let open = 0;
    async function* opened(): AsyncGenerator<Uint8Array> {
      open += 1;
      try {
        yield* cut(body, MIB);
      } finally {
        open -= 1;
      }
    }
    const options = {
      format: 'csv' as const,
      keyFields: ['id'],
      ignoreFields: [],
      openScan: scanBody(body.length),
    };
    const reader = await openRows(opened, { ...options, limits: LIMITS });
    await reader.survey();
    expect(open).toBe(0);
  });

  it('finds keys that repeat late, and those of a later body', async () => {
    const rows = Array.from({ length: 150_000 }, (_, row) => `${word(row)},${row % 7}`);
    const options = { format: 'csv' as const, keyFields: ['id'], ignoreFields: [], openScan: scanBody(MIB) };
    const unique = await survey(Buffer.from(`id,n\n${rows.join('\n')}\n`), options);
    expect(unique.survey?.scanned?.rowCount).toBe(150_000);
    for (const row of [0, 1, 99_999, 149_999]) expect(unique.survey?.hasKey(word(row))).toBe(true);
    expect(unique.survey?.hasKey(word(150_000))).toBe(false);
    const repeating = Buffer.from(`id,n\n${rows.join('\n')}\n${word(70_000)},1\n`);
    expect((await survey(repeating, options)).survey).toBeUndefined();
  });
});
