// Rows to store that are read by their bytes are held to those that are parsed: the same keys, hashes, data and summary.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ROW_LIMITS } from '../../../../core/delta/model.ts';
import { scanBody } from '../../../../core/delta/raw/scan-body.ts';
import { openRows, type ReadOptions } from '../../../../core/delta/read-rows.ts';
import { CheckError } from '../../../../core/errors.ts';
import { PROPERTY_TIMEOUT, propertyRuns } from '../../../support/runner/property-runs.ts';
import { cut } from '../read-body.ts';
import { feedPairs } from './dirty-feeds.ts';

type Options = Partial<ReadOptions>;

interface Read {
  rows: string[];
  outcome: unknown;
  /** How many rows were read by their bytes. */
  writtenCount: number;
}

/** All rows as text, up to an error, and the summary or the error's code. */
async function read(
  body: Buffer,
  isStored: boolean,
  options: Options,
  chunkBytes = 1024 * 1024,
): Promise<Read> {
  const rows: string[] = [];
  let writtenCount = 0;
  const limits = { ...ROW_LIMITS, maxRows: 1_000_000 };
  const open = () => cut(body, chunkBytes);
  try {
    const reader = await openRows(open, {
      ignoreFields: [],
      limits,
      openScan: scanBody(body.length),
      ...options,
    });
    for await (const batch of isStored ? reader.storedBatches() : reader.batches())
      for (const { key, hash, data, isRepeat } of batch) {
        writtenCount += Number(typeof data !== 'string');
        const text = typeof data === 'string' ? data : Buffer.from(data).toString('utf8');
        rows.push(`${key} ${hash.toString('hex')} ${text} ${isRepeat}`);
      }
    return { rows, writtenCount, outcome: reader.summary() };
  } catch (error) {
    if (!(error instanceof CheckError)) throw error;
    return { rows: [], writtenCount, outcome: error.code };
  }
}

/** @returns how many rows were read by their bytes */
async function expectSame(body: Buffer, options: Options, chunkBytes?: number): Promise<number> {
  const { writtenCount, ...stored } = await read(body, true, options, chunkBytes);
  const { writtenCount: _none, ...parsed } = await read(body, false, options, chunkBytes);
  expect(stored).toEqual(parsed);
  return writtenCount;
}

const text = fc.string({
  unit: fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom('a', 'b', '1', ' ', '.') },
    { weight: 2, arbitrary: fc.constantFrom('"', '\\', ',', '\n', '\r', '\t', '\u0001', '\u001f', '\u007f', 'é', '漢', '😀', '\u2028', '\ufeff') },
  ),
  maxLength: 40,
}); // prettier-ignore

const tables = fc.record({
  names: fc.shuffledSubarray(['id', 'b"q', 'é', 'a\\b', 'note', '😀', '\ufeffz', 'Z'], { minLength: 2 }),
  cells: fc.array(fc.array(text, { minLength: 8, maxLength: 8 }), { minLength: 1, maxLength: 30 }),
  keys: fc.constantFrom<string[][]>(['id'], ['id', 'note'], ['note', 'id'], ['é'], []),
  quoted: fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }),
  tail: fc.constantFrom('', '', '', 'short\n', '"open', 'a"b,c\n', '\n\n', 'x\0,y\n'),
  chunkBytes: fc.constantFrom(7, 100, 1024 * 1024),
  order: fc.constantFrom('up', 'down', 'repeats'),
});

type Table = typeof tables extends fc.Arbitrary<infer T> ? T : never;

function write({ names, cells, quoted, order, tail }: Table): Buffer {
  const cell = (value: string, at: number): string =>
    quoted[at % 7] === true || /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
  const idOf = (row: number): string =>
    `k${order === 'up' ? row + 100 : order === 'down' ? 900 - row : row % 17}`;
  const rows = cells.map((row, at) =>
    names.map((name, column) => (name === 'id' ? idOf(at) : (row[column] ?? ''))),
  );
  const lines = [names, ...rows].map((row, at) =>
    row.map((value, column) => cell(value, at + column)).join(','),
  );
  return Buffer.from(`${lines.join('\n')}\n${tail}`);
}

describe('rows to store', () => {
  it('are those that parsing gives, in tables of any text', PROPERTY_TIMEOUT, async () => {
    let written = 0;
    const property = fc.asyncProperty(tables, async (table) => {
      const options = { format: 'csv' as const, keyFields: table.keys, ignoreFields: ['Z'] };
      written += await expectSame(write(table), options, table.chunkBytes);
    });
    await fc.assert(property, propertyRuns(1_000));
    expect(written).toBeGreaterThan(1_000);
  });

  it('are those that parsing gives, in dirty feeds', PROPERTY_TIMEOUT, async () => {
    let written = 0;
    const keyFields = fc.constantFrom(['id'], ['id', 'name'], ['name', 'id'], ['note'], ['no such'], []);
    const ignored = fc.constantFrom([], ['note'], ['id'], ['id', 'name', 'note']);
    const ruled = fc.constantFrom<ReadOptions['rules'][]>({}, {}, { name: { trim: true } });
    const property = fc.asyncProperty(
      feedPairs, keyFields, ignored, ruled,
      async ({ before, format, charset, headerRow }, fields, ignoreFields, rules = {}) => {
        const contentType = `text/plain; charset=${charset}`;
        written += await expectSame(before, { contentType, format, headerRow, keyFields: fields, ignoreFields, rules });
      },
    ); // prettier-ignore
    await fc.assert(property, propertyRuns(1_000));
    expect(written).toBeGreaterThan(300);
  });

  it.each([
    ['in order', (row: number) => `P${String(row).padStart(7, '0')}`],
    ['in no order', (row: number) => `P${Math.imul(row + 1, 0x9e3779b1) >>> 0}`],
    ['out of order late', (row: number) => (row < 20_000 ? `P${row + 100_000}` : `O${row + 100_000}`)],
  ])('are read by their bytes to the end: keys %s', async (_name, keyOf) => {
    const lines = Array.from({ length: 40_000 }, (_, row) => `n ${row},${keyOf(row)},"say ""${row}"""`);
    const body = Buffer.from(`name,id,text\n${lines.join('\n')}\n`);
    expect(await expectSame(body, { format: 'csv', keyFields: ['id'] })).toBe(40_000);
  });

  it('are parsed from the first unusual row on', async () => {
    const lines = Array.from({ length: 20_000 }, (_, row) =>
      row === 12_345 ? 'short' : `k${row + 100_000},${row}`,
    );
    const body = Buffer.from(`id,n\n${lines.join('\n')}\n`);
    expect(await expectSame(body, { format: 'csv', keyFields: ['id'] })).toBe(12_345);
  });

  it('are parsed from the first repeated key on', async () => {
    const lines = Array.from({ length: 20_000 }, (_, row) => `k${row === 15_000 ? 7 : row},${row}`);
    const body = Buffer.from(`id,n\n${lines.join('\n')}\n`);
    expect(await expectSame(body, { format: 'csv', keyFields: ['id'] })).toBe(15_000);
  });

  it('are never more than the limit', async () => {
    const lines = Array.from({ length: 5_000 }, (_, row) => `k${row + 10_000},${row}`);
    const body = Buffer.from(`id,n\n${lines.join('\n')}\n`);
    const options = { format: 'csv' as const, keyFields: ['id'] };
    const reading = (maxRows: number) => read(body, true, { ...options, limits: { ...ROW_LIMITS, maxRows } });
    expect(await reading(4_999)).toEqual({ rows: [], writtenCount: 4_999, outcome: 'too_many_rows' });
    expect(await reading(5_000)).toMatchObject({ writtenCount: 5_000, outcome: { rowCount: 5_000 } });
  });

  it.each([0, 600_000])(
    'regression: have no value above the limit, %i bytes into the body',
    async (offset) => {
      const lines = Array.from(
        { length: 5_600 },
        (_, row) => `k${row + 10_000},${'y'.repeat(Math.ceil(offset / 5_600))}`,
      );
      const body = Buffer.from(`id,n\n${lines.join('\n')}\nlong,${'x'.repeat(1_200_000)}\n`);
      await expectSame(body, { format: 'csv', keyFields: ['id'] });
    },
  );

  it('regression: have no column when all are ignored', async () => {
    const body = Buffer.from('a,b\n1,2\n3,4\n1,2\n');
    expect(await expectSame(body, { format: 'csv', keyFields: [], ignoreFields: ['a', 'b'] })).toBe(0);
  });

  it('have the hash of a long key as their key', async () => {
    const rows = [500, 1_024, 1_025, 2_000].map(
      (length) => `${'é'.repeat(length / 2)}${'x'.repeat(length % 2)},1`,
    );
    const body = Buffer.from(`id,n\n${rows.join('\n')}\n`);
    expect(await expectSame(body, { format: 'csv', keyFields: ['id'] })).toBe(4);
    expect(await expectSame(body, { format: 'csv', keyFields: ['n', 'id'] })).toBe(4);
  });

  it('may be as long as a window, with all of their bytes escaped', async () => {
    const long = '\u0001'.repeat(1_000_000);
    const body = Buffer.from(`id,b,a\n1,x,${long}\n2,y,${long}\n3,z,\n`);
    expect(await expectSame(body, { format: 'csv', keyFields: ['id'] })).toBe(3);
  });
});
