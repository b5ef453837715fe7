// The definition of a change: laws that hold for all tables, and rewrites of a table that change nothing.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareKeys } from '../../../core/delta/compare-keys.ts';
import { apply, compare, type RowVersion } from '../../../core/delta/compare.ts';
import { PROPERTY_TIMEOUT, propertyRuns } from '../../support/runner/property-runs.ts';
import { readBody } from './read-body.ts';
import { csvStyle, jsonlStyle, shuffled, table, tableAndOrders, writeCsv, writeJsonl } from './tables.ts';

const runs = propertyRuns();
const key = fc.constantFrom('', 'a', 'b', 'é', '！', '😀', '\ud7ff', 'aa');
const token = fc.constantFrom('null', '""', '"x"', '1', '1.0', '"1"', '[1]');
const data = fc
  .uniqueArray(fc.tuple(fc.constantFrom('a', 'b', 'c', '__proto__'), token), { selector: ([name]) => name })
  .map((members) => `{${members.map(([name, value]) => `"${name}":${value}`).join(',')}}`);
const version: fc.Arbitrary<RowVersion[]> = fc.array(fc.record({ key, data }), { maxLength: 12 });

const isNoChange = (before: readonly RowVersion[], after: readonly RowVersion[]): boolean => {
  const delta = compare(before, after);
  return delta.new.length + delta.changed.length + delta.deleted.length === 0;
};

describe('compare', () => {
  test('finds new, changed, deleted and unchanged rows, by key', () => {
    const before = [
      { key: 'b', data: '{"id":"b","n":1.0,"gone":null}' },
      { key: 'a', data: '{"id":"a"}' },
      { key: 'c', data: '{"id":"c","n":1}' },
    ];
    const after = [
      { key: 'd', data: '{"id":"d"}' },
      { key: 'c', data: '{"n":1,"id":"c"}' },
      { key: 'b', data: '{"id":"b","more":"","n":1}' },
    ];
    expect(compare(before, after)).toEqual({
      new: [{ key: 'd', data: '{"id":"d"}' }],
      changed: [
        {
          key: 'b',
          before: '{"id":"b","n":1.0,"gone":null}',
          after: '{"id":"b","more":"","n":1}',
          changedFields: ['more', 'n', 'gone'],
        },
      ],
      deleted: [{ key: 'a', data: '{"id":"a"}' }],
      unchanged: 1,
    });
  });

  test('the last of several rows with the same key counts', () => {
    const twice = [
      { key: 'a', data: '{"n":1}' },
      { key: 'a', data: '{"n":2}' },
    ];
    expect(compare(twice, [{ key: 'a', data: '{"n":2}' }])).toMatchObject({ changed: [], unchanged: 1 });
    expect(compare([], twice).new).toEqual([{ key: 'a', data: '{"n":2}' }]);
  });

  test('applying a delta to the old version gives the new one', PROPERTY_TIMEOUT, () => {
    fc.assert(
      fc.property(version, version, (before, after) => {
        const reached = apply(before, compare(before, after));
        expect(isNoChange(reached, after)).toBe(true);
        expect(reached.map((row) => row.key)).toEqual(
          [...new Set(after.map((row) => row.key))].sort(compareKeys),
        );
      }),
      runs,
    );
  });

  test('a version does not differ from itself', PROPERTY_TIMEOUT, () => {
    fc.assert(
      fc.property(version, (rows) => {
        const unchanged = new Set(rows.map((row) => row.key)).size;
        expect(compare(rows, rows)).toEqual({ new: [], changed: [], deleted: [], unchanged });
      }),
      runs,
    );
  });

  test('swapping the versions swaps new and deleted, before and after', PROPERTY_TIMEOUT, () => {
    fc.assert(
      fc.property(version, version, (before, after) => {
        const forth = compare(before, after);
        const back = compare(after, before);
        expect(back).toMatchObject({ new: forth.deleted, deleted: forth.new, unchanged: forth.unchanged });
        expect(
          back.changed.map((row) => [row.key, row.after, row.before, row.changedFields.toSorted()]),
        ).toEqual(forth.changed.map((row) => [row.key, row.before, row.after, row.changedFields.toSorted()]));
      }),
      runs,
    );
  });

  test('every row is in one list only, and all lists are in the order of keys', PROPERTY_TIMEOUT, () => {
    fc.assert(
      fc.property(version, version, (before, after) => {
        const delta = compare(before, after);
        const lists = [delta.new, delta.changed, delta.deleted].map((list) => list.map((row) => row.key));
        for (const keys of lists) expect(keys).toEqual(keys.toSorted(compareKeys));
        const keyCount = new Set([...before, ...after].map((row) => row.key)).size;
        expect(new Set(lists.flat()).size + delta.unchanged).toBe(keyCount);
      }),
      runs,
    );
  });
});

describe('what is no change', () => {
  const keyed = { keyFields: ['id'], ignoreFields: [] };

  test(
    'quoting, line ends, delimiter, order of rows and columns of delimited text',
    PROPERTY_TIMEOUT,
    async () => {
      await fc.assert(
        fc.asyncProperty(
          tableAndOrders,
          csvStyle,
          csvStyle,
          async ({ given, columnOrder, rowOrder }, style, other) => {
            const before = await readBody(writeCsv(given, style), { ...keyed, delimiter: style.delimiter });
            const moved = shuffled(given, columnOrder, rowOrder);
            const after = await readBody(writeCsv(moved, other), { ...keyed, delimiter: other.delimiter });
            expect(compare(before.rows, after.rows)).toMatchObject({
              new: [],
              changed: [],
              deleted: [],
              unchanged: given.rows.length,
            });
            expect(hashesOf(after.rows)).toEqual(hashesOf(before.rows));
          },
        ),
        runs,
      );
    },
  );

  test(
    'white space, escapes, order of lines and members in JSONL, and the same table as CSV',
    PROPERTY_TIMEOUT,
    async () => {
      await fc.assert(
        fc.asyncProperty(
          tableAndOrders,
          jsonlStyle,
          csvStyle,
          async ({ given, columnOrder, rowOrder }, style, csv) => {
            const body = writeJsonl(shuffled(given, columnOrder, rowOrder), style);
            const after = await readBody(body, { ...keyed, format: 'jsonl' });
            const before = await readBody(writeCsv(given, csv), { ...keyed, delimiter: csv.delimiter });
            expect(compare(before.rows, after.rows)).toMatchObject({
              new: [],
              changed: [],
              deleted: [],
              unchanged: given.rows.length,
            });
            expect(hashesOf(after.rows)).toEqual(hashesOf(before.rows));
          },
        ),
        runs,
      );
    },
  );

  test('chunk boundaries, and the Unicode encoding', PROPERTY_TIMEOUT, async () => {
    const encode = {
      utf8: (text: string) => Buffer.from(text),
      utf8Marked: (text: string) => Buffer.from(`\ufeff${text}`),
      utf16: (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le'),
      utf16Swapped: (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
    };
    await fc.assert(
      fc.asyncProperty(
        table,
        csvStyle,
        fc.constantFrom(...Object.values(encode)),
        fc.integer({ min: 1, max: 7 }),
        async (given, style, bytesOf, size) => {
          const text = writeCsv(given, style);
          const options = { ...keyed, delimiter: style.delimiter };
          const atOnce = await readBody(text, options);
          const inPieces = await readBody(bytesOf(text), options, size);
          expect({ ...inPieces, dialect: null }).toEqual({ ...atOnce, dialect: null });
        },
      ),
      runs,
    );
  });
});

describe('what is a change', () => {
  test('two rows have the same hash exactly when no field differs', PROPERTY_TIMEOUT, async () => {
    const lines = fc.array(data, { minLength: 2, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(lines, async (rows) => {
        const read = await readBody(rows.join('\n'), { format: 'jsonl', keyFields: [] });
        const [first, ...others] = read.rows;
        for (const other of others) {
          const isEqual = isNoChange([{ key: '', data: first?.data ?? '' }], [{ key: '', data: other.data }]);
          expect(first?.hash.equals(other.hash)).toBe(isEqual);
        }
      }),
      runs,
    );
  });
});

function hashesOf(rows: readonly { key: string; hash: Buffer }[]): string[] {
  return rows.map((row) => `${row.key} ${row.hash.toString('hex')}`).sort();
}
