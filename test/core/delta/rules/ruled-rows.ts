// Generates rules, and pairs of rows whose cells are often the same in another spelling.
import fc from 'fast-check';
import type { ColumnRule, ColumnRules } from '../../../../core/delta/rules/column-rules.ts';

export const COLUMNS = ['price', 'name', 'seen_at', 'é"\\'];

const rule: fc.Arbitrary<ColumnRule> = fc.record(
  {
    as: fc.constantFrom('number' as const, 'number' as const, 'date' as const),
    tolerance: fc.constantFrom('0', '0.01', '0.050', '1', '1%', '0.5%', '33.3%', '100%', '250%'),
    trim: fc.boolean(),
    ignoreCase: fc.boolean(),
    normalize: fc.constantFrom('NFC' as const, 'NFKC' as const),
  },
  { requiredKeys: [] },
);

export const rules: fc.Arbitrary<ColumnRules> = fc.dictionary(fc.constantFrom(...COLUMNS), rule, {
  maxKeys: 3,
});

const space = fc.constantFrom('', '', '', ' ', '\t', '\u00a0', '\ufeff');
const zeros = fc.nat(3).map((count) => '0'.repeat(count));

type Write = (value: string) => string;

/** A way to write a number: with other zeros and another exponent. */
const numberWriter: fc.Arbitrary<Write> = fc
  .record({
    leading: zeros,
    trailing: zeros,
    shift: fc.integer({ min: -3, max: 3 }),
    mark: fc.constantFrom('e', 'E'),
  })
  .map(({ leading, trailing, shift, mark }) => (value) => {
    const [, sign = '', digits = ''] = /^(-?)(\d+)$/.exec(value) ?? [];
    // The value is a number of hundredths.
    const padded = digits.padStart(6, '0');
    const point = padded.length - 2 - shift;
    const [whole, fraction] = [padded.slice(0, point), padded.slice(point) + trailing];
    const bare = `${sign}${leading}${whole.replace(/^0+(?=\d)/, '') || '0'}${fraction === '' ? '' : `.${fraction}`}`;
    return shift === 0 ? bare : `${bare}${mark}${shift}`;
  });
/** Two numbers that differ by a few hundredths. */
const nearbyNumbers = fc
  .tuple(fc.integer({ min: -250, max: 250 }), fc.integer({ min: -6, max: 6 }), numberWriter, numberWriter)
  .map(([value, distance, one, other]) => [one(String(value)), other(String(value + distance))] as const);
const numbers = fc.tuple(fc.constantFrom('', '-'), fc.nat(250)).map(([sign, digits]) => `${sign}${digits}`);

/** A way to write an instant: in another zone, with another fraction. */
const dateWriter: fc.Arbitrary<Write> = fc
  .record({
    mark: fc.constantFrom('T', ' ', 't'),
    zone: fc.constantFrom(...([['Z', 0], ['z', 0], ['-00:00', 0], ['+01:00', 60], ['+0130', 90], ['-23', -1_380], ['', 0], ['+24:00', 0]] as const)),
    fraction: fc.constantFrom('', '.0', ',000', '.50', '.5', '.000001'),
  })
  .map(({ mark, zone: [zone, east], fraction }) => (value) => {
    const [day = '', time] = new Date(Date.parse(value) + east * 60_000).toISOString().slice(0, 19).split('T');
    return mark === 't' && zone === 'z' ? day : `${day}${mark}${time}${fraction}${zone}`;
  }); // prettier-ignore
const dates = fc.oneof(
  fc.constantFrom(
    '2026-03-01T00:00:00Z',
    '2024-02-28T23:30:00Z',
    '0100-01-01T00:00:00Z',
    '2026-02-28T12:00:59Z',
  ),
  fc
    .date({ min: new Date('0001-01-02'), max: new Date('9999-12-30'), noInvalidDate: true })
    .map((date) => `${date.toISOString().slice(0, 19)}Z`),
);
const noDates = fc.constantFrom(
  '2026-02-29',
  '2026-03-01T25:00Z',
  '2026-03-01T23:59:60Z',
  '2026-03-01T00:00',
  '20260301',
);

const wordWriter: fc.Arbitrary<Write> = fc.constantFrom<Write[]>(
  (value) => value,
  (value) => value.toUpperCase(),
  (value) => value.toLowerCase(),
  (value) => value.normalize('NFD'),
  (value) => value.normalize('NFKC'),
);
const words = fc
  .array(fc.constantFrom('a', 'A', 'é', 'É', 'ß', 'ẞ', 'SS', 'ı', 'i', 'I', 'İ', 'ﬁ', 'σ', 'ς', 'Å', '\u212b', '１', ' ', '"', '\\'), {
    maxLength: 3,
  })
  .map((parts) => parts.join('')); // prettier-ignore

/** One value written in two ways. */
const twoWays = (values: fc.Arbitrary<string>, writers: fc.Arbitrary<Write>) =>
  fc.tuple(values, writers, writers).map(([value, one, other]) => [one(value), other(value)] as const);

const twice = fc.oneof(
  { weight: 3, arbitrary: twoWays(numbers, numberWriter) },
  { weight: 3, arbitrary: nearbyNumbers },
  { weight: 2, arbitrary: twoWays(dates, dateWriter) },
  { weight: 3, arbitrary: twoWays(words, wordWriter) },
  { weight: 1, arbitrary: noDates.map((text) => [text, text] as const) },
);

const isJsonNumber = (written: string): boolean => /^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/.test(written);

const odd = fc.constantFrom(undefined, 'null', 'true', '""', '[1]', '[1.0]', '1e1000');

type Cells = readonly [string | undefined, string | undefined];

const cellPair: fc.Arbitrary<Cells> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(twice, space, space)
      .map(([[one, other], left, right]): Cells => [
        JSON.stringify(one),
        JSON.stringify(left + other + right),
      ]),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(twoWays(numbers, numberWriter), fc.boolean())
      .map(([[one, other], isText]): Cells => [
        tokenOf(one),
        isText ? JSON.stringify(other) : tokenOf(other),
      ]),
  },
  { weight: 1, arbitrary: fc.tuple(odd, odd) },
);

const tokenOf = (written: string): string => (isJsonNumber(written) ? written : '0');

const rowOf = (cells: readonly (string | undefined)[]): Map<string, string> =>
  new Map(COLUMNS.flatMap((column, at) => (cells[at] === undefined ? [] : [[column, cells[at]]])));

/** Some cells are the same text, some the same value, and some another one. */
const columnPair = fc
  .tuple(cellPair, cellPair, fc.nat(9))
  .map(([[was, is], [other], how]): Cells => [was, how < 3 ? was : how < 9 ? is : other]);

const anyPairs = fc.tuple(columnPair, columnPair, columnPair, columnPair);

const zones = fc.constantFrom('+00:00', '+01:00', '-0130', '+14', '-23:59');
const instantWriter: fc.Arbitrary<Write> = fc
  .tuple(fc.constantFrom('T', ' ', 't'), zones, fc.constantFrom('', '.0', ',000'))
  .map(([mark, zone, fraction]) => (value) => {
    const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3).replace(':', ''));
    const east = zone.startsWith('-') ? -minutes : minutes;
    const [day, time] = new Date(Date.parse(value) + east * 60_000).toISOString().slice(0, 19).split('T');
    return `${day}${mark}${time}${fraction}${zone}`;
  });

function wordsUnder({ ignoreCase, normalize }: ColumnRule): fc.Arbitrary<Write> {
  const writers: Write[] = [(value) => value];
  if (ignoreCase === true) writers.push((value) => value.toUpperCase());
  if (normalize !== undefined) writers.push((value) => value.normalize('NFD'));
  return fc.constantFrom(...writers);
}

/** One value in two spellings, which the rule takes for the same; without a rule, in one. */
function sameUnder(rule: ColumnRule | undefined): fc.Arbitrary<Cells> {
  if (rule === undefined) return cellPair.map(([was]) => [was, was]);
  const texts =
    rule.as === 'number'
      ? twoWays(numbers, numberWriter)
      : rule.as === 'date'
        ? twoWays(dates, instantWriter)
        : twoWays(words, wordsUnder(rule));
  const ends = rule.trim === true ? space : fc.constant('');
  return fc
    .tuple(texts, ends, ends)
    .map(([[one, other], left, right]) => [JSON.stringify(one), JSON.stringify(left + other + right)]);
}

const samePairs = (given: ColumnRules): fc.Arbitrary<Cells[]> =>
  fc.tuple(...COLUMNS.map((column) => sameUnder(given[column])));

/** Rules, and two rows: of half the pairs every value is the same, and the others are of any kind. */
export const ruledPairs = rules.chain((given) =>
  fc.oneof(anyPairs, samePairs(given)).map((pairs) => ({
    given,
    before: rowOf(pairs.map(([was]) => was)),
    after: rowOf(pairs.map(([, is]) => is)),
  })),
);
