// Rows in which columns have rules: the kernel gives two of them one hash only if reading gives them one. Pairs of rows under
// generated rules are in test/core/delta/rules/column-rules.conformance.test.ts.
import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COMMAS, splitDelimited } from '../../../../core/delta/delimited/split-delimited.ts';
import { createIdentifier } from '../../../../core/delta/keys/keyed-row.ts';
import type { ColumnRule } from '../../../../core/delta/rules/column-rules.ts';
import { dateText } from '../../../../core/delta/rules/plain-date.ts';
import { createWarnings } from '../../../../core/delta/warnings.ts';
import { PROPERTY_TIMEOUT, propertyRuns } from '../../../support/runner/property-runs.ts';
import { createRowHasher } from './hash-row.ts';
import { createMatcher, findRows } from './match-rows.ts';

const COMMA = 44;
const columns = ['id', 'a', 'b', 'c'];
const hasher = createRowHasher(columns);

/** Cells that are the same under some rules, and bytes that the kernel writes: a row may be made to look like another one. */
const GROUPS = [
  ['1', '1.0', '"1"', '10e-1', ' 1 ', '"\t1\r\n"', '\x03+aaaa1\0', '"\x03+aaaa1\0"', '-1'],
  ['a', 'A', '"A"', '" a"', 'a ', '\u00a0a', '\x02A\0', '\x02A\0,', '\x01a', '"a\n"', ''],
  ['é', ' É', '"É"', 'e\u0301', '\xff', '\xff ', '\xe9'],
  ['2026-03-01T00:00Z', '"2026-03-01 01:00:00.0+01:00"', '2026-03-01t00:00:00z', '2026-03-01', '2026-03-01T00:00'],
  ['"x,y"', '"X,y "', 'x', '"a""b"', '"late"r', 'u"n"', '"A""B"'],
  ['sixteen and more bytes', 'Sixteen and more BYTES ', `${' '.repeat(30_000)}Sixteen and more bytes`],
  ['0', '-0.00', '"00e9"', '-', '.0', '0.'],
  ['9'.repeat(200), `${'9'.repeat(198)}.0`, '9'.repeat(201), `${'9'.repeat(200)}.0`, `${'9'.repeat(200)}e0`, `0${'9'.repeat(199)}`],
] as const; // prettier-ignore
const rows = fc
  .tuple(
    fc.array(fc.constantFrom(...GROUPS), { minLength: 1, maxLength: 4 }),
    fc.array(fc.array(fc.nat(20), { minLength: 4, maxLength: 4 }), { minLength: 4, maxLength: 12 }),
  )
  .map(([groups, picks]) =>
    picks.map((pick) => groups.map((group, at) => group[(pick[at] ?? 0) % group.length])),
  );
const oneRule = fc.record<ColumnRule>(
  {
    as: fc.constantFrom('number', 'date'),
    trim: fc.boolean(),
    ignoreCase: fc.boolean(),
    normalize: fc.constantFrom('NFC', 'NFKC'),
  },
  { requiredKeys: [] },
);
const someRules = fc
  .dictionary(fc.constantFrom('a', 'b', 'c'), oneRule, { minKeys: 1 })
  .map((rules) => new Map(Object.entries(rules)));
const sizes = fc.record({
  chunkBytes: fc.constantFrom(1, 7, 16, 1_000, Infinity),
  windowBytes: fc.constantFrom(64 * 1024, 70_001),
  capacity: fc.constantFrom(1, 3, 64),
});

/** As reading the row gives it. */
function hashOf(row: Buffer, rules: ReadonlyMap<string, ColumnRule>): string {
  const { rows } = splitDelimited(row.toString(isUtf8(row) ? 'utf8' : 'latin1'), COMMAS, true);
  const read = rows.map((fields) => fields.map((text) => JSON.stringify(text)));
  const wide = [...columns, ...Array.from({ length: 20 }, (_, at) => `more ${at}`)];
  const rule = { keyFields: ['id'], isIgnored: () => false, rules: Object.fromEntries(rules) };
  const identified = createIdentifier(rule, createWarnings()).identify({ columns: wide, rows: read });
  return identified.map(({ hash }) => hash.toString('hex')).join();
}

describe('rows with rules for columns', () => {
  it(
    'have one hash only if they are the same, whatever they are written like, and in any chunks',
    PROPERTY_TIMEOUT,
    async () => {
      const runs = propertyRuns();
      let respelled = 0;
      const property = fc.asyncProperty(rows, someRules, sizes, async (table, rules, size) => {
        const text = table.map((row) => `7,${row.join(',')}\r\n`).join('');
        const body = Buffer.from(
          `\ufeff${columns.join(',')}\n${text}`,
          text.includes('\xff') ? 'latin1' : 'utf8',
        );
        const matcher = createMatcher({ split: COMMA, rules }, size);
        const found = await findRows(matcher, body, size.chunkBytes).catch((error: unknown) => error);
        // A quote is open.
        if (found instanceof Error) return;
        const { ranges, hashes } = found as Awaited<ReturnType<typeof findRows>>;
        const written = ranges.map(({ start, end }) => body.subarray(start, end));
        const alone = hasher.under(rules, columns.join(','));
        expect(written.map((row) => alone(row))).toEqual(hashes);
        for (const [at, row] of written.entries()) {
          const other = hashes.indexOf(hashes[at] ?? '');
          const first = written[other];
          if (other === at || first === undefined) continue;
          expect(hashOf(row, rules)).toBe(hashOf(first, rules));
          if (!row.equals(first)) respelled++;
        }
      });
      await fc.assert(property, runs);
      expect(respelled).toBeGreaterThan(runs.numRuns / 5);
    },
  );

  const under = (rule: ColumnRule, isJson = false) => {
    const hash = hasher.under(new Map([['a', rule]]), isJson ? undefined : columns.join(','));
    return (one: string, other: string): boolean => hash(one) !== undefined && hash(one) === hash(other);
  };

  it.each<[ColumnRule, string, string]>([
    [{ as: 'number' }, '1,3.2,x', '1,"3.200",x'],
    [{ as: 'number' }, '1,3.2,x', '1,0032e-1,x'],
    [{ as: 'number' }, '1,-0,x', '1,0e7,x'],
    [{ as: 'number', trim: true }, '1,1000,x', '1," 1E+3\r\n",x'],
    [{ as: 'number', tolerance: '5' }, '1,1,x', '1,1.0,x'],
    [{ as: 'date' }, '1,2026-03-01T00:00Z,x', '1,2026-02-28 19:00:00.000-05,x'],
    [{ as: 'date', ignoreCase: true }, '1,2026-03-01t00:00z,x', '1,2026-03-01T00:00:00Z,x'],
    [{ trim: true }, '1,a b,x', '1,"\n a b\t",x'],
    [{ trim: true, ignoreCase: true }, '1,É a,x', '1, É A ,x'],
    [{ ignoreCase: true, normalize: 'NFC' }, '1,abc,x', '1,"ABC",x'],
    [{ trim: true }, '1,"a\nb"', '1,"a\nb "'],
    [{ trim: true }, '1,', '1,"  "'],
  ])('are known to be the same under %o: %s and %s', (rule, one, other) => {
    expect(under(rule)(one, other)).toBe(true);
    expect(under(rule)(one, `${other}y`)).toBe(false);
  });

  it.each<[ColumnRule, string, string]>([
    [{ as: 'number' }, '{"a":3.2,"b":1}', '{"a":"3.20","b":1}'],
    [{ as: 'number' }, '{"b":1,"a":32e-1}', '{"b":1,"a":3.2}'],
    [{ as: 'number', trim: true }, '{ "a" : 3.2 }', '{ "a" : " 3.2 " }'],
    [{ as: 'date' }, '{"a":"2026-03-01T00:00Z"}', '{"a":"2026-03-01T01:00:00+01:00"}'],
    [{ ignoreCase: true }, '{"a":"É x"}', '{"a":"É X"}'],
    [{ trim: true }, '{"a":{"b":1},"c":2}', '{"a":{"b":1},"c":2}'],
    [{ trim: true }, '{"a":"x","\\u0061b":2}', '{"a":" x","\\u0061b":2}'],
  ])('of JSON are known to be the same under %o: %s and %s', (rule, one, other) => {
    expect(under(rule, true)(one, other)).toBe(true);
    expect(under(rule, true)(one, other.replace('}', ',"z":1}'))).toBe(false);
  });

  it.each<[ColumnRule, string, string]>([
    [{ trim: true, ignoreCase: true }, '{"a":true}', '{"a":"true"}'],
    [{ trim: true }, '{"a":1}', '{"a":"1"}'],
    [{ as: 'number' }, '{"a":1}', '{"a":01}'],
    [{ as: 'number' }, '{"a":1}', '{"a":1.}'],
    [{ as: 'number' }, '{"a":"1"}', '{"a":"1\t"}'],
    [{ as: 'number', trim: true }, '{"a":"1"}', '{"a":"1\t"}'],
    [{ as: 'date' }, '{"a":1767225600}', '{"a":1767225600.0}'],
    [{ as: 'number' }, '{"a":1}', '{"a":1,"a":1}'],
    [{ as: 'number' }, '{"a":1}', '{"b":1}'],
    [{ as: 'number' }, '{"a.b":1}', '{"a.b":1.0}'],
  ])('of JSON are kept apart under %o: %s and %s', (rule, one, other) => {
    expect(under(rule, true)(one, other)).toBe(false);
  });

  it('have no hash with a repeated member, which could grow without limit', () => {
    const hash = hasher.under(new Map([['a', { as: 'number' }]]), undefined);
    expect(hash('{"a":1,"b":2}')).toBeDefined();
    expect(hash(`{${'"a":1,'.repeat(9)}"b":2}`)).toBeUndefined();
  });

  it('hold the dates that the calendar has', () => {
    const hash = hasher.under(new Map([['a', { as: 'date' }]]), columns.join(','));
    const years = [0, 1, 4, 99, 100, 400, 1600, 1900, 1970, 2000, 2024, 2026, 2100, 9999];
    const two = (number: number): string => String(number).padStart(2, '0');
    const days = years.flatMap((year) =>
      Array.from({ length: 14 * 33 }, (_, at) => {
        return `${String(year).padStart(4, '0')}-${two(Math.floor(at / 33))}-${two(at % 33)}`;
      }),
    );
    const isSame = (one: string, other: string) => hash(`1,${one}`) === hash(`1,${other}`);
    let last = '';
    for (const day of days) {
      const isDate = dateText(day) !== undefined;
      expect(isSame(`${day}T00:30Z`, `${day} 00:30:00+00`)).toBe(isDate);
      if (!isDate) continue;
      const [late, early] = [`${last}T23:30Z`, `${day}T00:30+01:00`];
      expect(isSame(late, early)).toBe(dateText(late) === dateText(early));
      last = day;
    }
  });
});
