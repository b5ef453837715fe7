// Without quoting, the kernel reads the same rows and cells as the parser: by their bytes, under rules, for keys and to store them.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compare } from '../../../../core/delta/compare.ts';
import { carryOverBy } from '../../../../core/delta/carry-over.ts';
import { compareKeys } from '../../../../core/delta/compare-keys.ts';
import { NeedsExactPath, rowBytes } from '../../../../core/delta/raw/row-bytes.ts';
import { scanBody } from '../../../../core/delta/raw/scan-body.ts';
import { openRows } from '../../../../core/delta/read-rows.ts';
import type { ColumnRules } from '../../../../core/delta/rules/column-rules.ts';
import { PROPERTY_TIMEOUT, propertyRuns } from '../../../support/runner/property-runs.ts';
import { collect, cut, readBody } from '../read-body.ts';
import { compareFast, fastOf, indexBody, LIMITS } from './compare-bodies.ts';
import { createMatcher, findRows } from './match-rows.ts';

const cells = fc.constantFrom(
  '', 'v', '"', '""', '"v"', '"v', 'v"', '"1"', '1', '1.0', '"1.0"', '" v"', 'say ""hi"" to all of them', '"é',
  'sixteen bytes or more"', '"sixteen bytes or more', '\\"', '\t', ' v ', '"a""b', 'é',
); // prettier-ignore
const tables = fc.uniqueArray(
  fc.tuple(fc.constantFrom('1', '2', '"3"', '"4', '5"', '"', '""', 'k', 'é'), cells, cells),
  {
    selector: ([id]) => id,
    maxLength: 8,
  },
);
const bodies = fc
  .tuple(tables, fc.constantFrom('\n', '\r\n', '\r'), fc.boolean())
  .map(([table, lineEnd, isOpen]) => {
    const lines = [['id', 'name', 'note'], ...table].map((row) => row.join(','));
    return Buffer.from(lines.join(lineEnd) + (isOpen ? '' : lineEnd));
  });
const settings = fc.record({
  keyFields: fc.constantFrom<string[][]>(['id'], ['id'], [], ['id', 'name']),
  ignoreFields: fc.constantFrom<string[][]>([], ['name'], ['name', 'note']),
  rules: fc.constantFrom<ColumnRules[]>(
    {},
    { name: { as: 'number' } },
    { name: { trim: true, ignoreCase: true }, note: { as: 'number', trim: true } },
    { note: { as: 'number', tolerance: '0.5' } },
  ),
});
const sizes = fc.record({
  chunkBytes: fc.constantFrom(1, 7, Infinity),
  windowBytes: fc.constantFrom(600, 4096),
  capacity: fc.constantFrom(1, 3, 64),
});
const WRITTEN = { format: 'csv', charset: 'utf-8', rowsPath: '', headerRow: 1, quoting: 'none' } as const;
const byKey = (left: { key: string }, right: { key: string }): number => compareKeys(left.key, right.key);

/** The rows as they are stored, and the key that is found. */
async function store(body: Buffer, keyFields: string[] | undefined, isFast: boolean, chunkBytes = Infinity) {
  const openScan = isFast ? scanBody(body.length) : undefined;
  const reader = await openRows(() => cut(body, chunkBytes), {
    format: 'csv', delimiter: ',', quoting: 'none', ignoreFields: [], limits: LIMITS, keyFields, openScan,
  }); // prettier-ignore
  const survey = await reader.survey();
  const rows = (await collect(isFast ? reader.storedBatches() : reader.batches())).flat();
  const texts = rows.map(({ key, hash, data }) => [key, hash.toString('hex'), data.toString()]);
  const writtenCount = rows.filter(({ data }) => typeof data !== 'string').length;
  return { key: reader.key, texts, writtenCount, summary: reader.summary(), isSound: survey !== undefined };
}

const withoutCount = ({ writtenCount: _count, ...read }: Awaited<ReturnType<typeof store>>) => read;

test('finds the rows of any text', PROPERTY_TIMEOUT, async () => {
  const texts = fc.array(
    fc.constantFrom('"', '""', ',', '\n', '\r\n', '\r', 'a', 'é', '","', 'long enough for a block'),
    {
      maxLength: 30,
    },
  );
  const property = fc.asyncProperty(texts, sizes, async (parts, size) => {
    const text = parts.join('');
    const lines = text.split(/[\r\n]+/).filter((line) => line !== '');
    const matcher = createMatcher({ split: 44, quoting: 'none' }, size);
    const body = Buffer.from(text);
    const { ranges } = await findRows(matcher, body, size.chunkBytes);
    const found = ranges.map(({ start, end }) => body.toString('utf8', start, end));
    expect(found).toEqual(lines.slice(1));
  });
  await fc.assert(property, propertyRuns());
});

test('equals the exact comparison', PROPERTY_TIMEOUT, async () => {
  let [tried, gaveUp] = [0, 0];
  const property = fc.asyncProperty(bodies, bodies, settings, sizes, async (before, now, given, size) => {
    const result = await fastOf({ ...WRITTEN, before, now }, given, size);
    if (result === undefined) return;
    const { read, exact, fast } = result;
    tried++;
    if (fast instanceof Error) gaveUp++;
    if (fast instanceof Error) return;
    if (exact instanceof Error) throw exact;
    const delta = compare(read.rows, exact.rows, carryOverBy(given.rules, given.keyFields));
    expect(fast.new.toSorted(byKey).map(({ key, data }) => ({ key, data }))).toEqual(delta.new);
    expect(fast.changed.map(({ key }) => key).toSorted(compareKeys)).toEqual(
      delta.changed.map(({ key }) => key),
    );
    expect(fast.deletedKeys.toSorted(compareKeys)).toEqual(delta.deleted.map(({ key }) => key));
    expect(fast.unchanged).toBe(delta.unchanged);
  });
  const runs = propertyRuns();
  await fc.assert(property, runs);
  expect(tried).toBeGreaterThan(runs.numRuns / 3);
  expect(gaveUp).toBeLessThan(tried * 0.5);
});

test('stores the rows and finds the key that the parser does', PROPERTY_TIMEOUT, async () => {
  const property = fc.asyncProperty(
    bodies,
    fc.constantFrom<(string[] | undefined)[]>(['id'], ['id', 'name'], undefined),
    fc.constantFrom(3, Infinity),
    async (body, keyFields, chunkBytes) => {
      const [fast, exact] = await Promise.all(
        [true, false].map((isFast) => store(body, keyFields, isFast, chunkBytes).then(withoutCount, String)),
      );
      expect(fast).toEqual(exact);
    },
  );
  await fc.assert(property, propertyRuns());
});

test('pairs rows by their bytes, and writes them, whatever quotes they have', async () => {
  const before = Buffer.from('id,name,note\n1,"a,b"\n2,"c",d\n"3,x,y\n');
  const now = Buffer.from('id,name,note\n1,"z,b"\n2,"",d\n"3,x,w"\n');
  const given = { keyFields: ['id'], ignoreFields: ['name'] };
  const result = await fastOf({ ...WRITTEN, before, now }, given);
  expect(result?.fast).toMatchObject({ matched: 2, unchanged: 2, changed: [{ key: '"3' }] });
  const { texts, writtenCount } = await store(before, ['id'], true);
  expect(texts).toHaveLength(3);
  expect(writtenCount).toBe(3);
});

test('does not use the index of a body that was read with quotes', async () => {
  const body = Buffer.from('id,name\n1,"a"\n');
  const options = { format: 'csv', delimiter: ',', keyFields: ['id'] } as const;
  const quoted = await readBody(body, options);
  const { dialect } = await readBody(body, { ...options, quoting: 'none' });
  const identity = {
    sha256: 'a'.repeat(64), generation: 1, dialect: quoted.dialect, keyFields: ['id'], ignoreFields: [], rules: {},
  }; // prettier-ignore
  const file = (await indexBody(body, quoted, identity)) ?? Buffer.alloc(0);
  const bodies = { before: body, now: body, read: quoted, file };
  await expect(compareFast({ ...bodies, identity })).resolves.toMatchObject({ unchanged: 1 });
  await expect(compareFast({ ...bodies, identity: { ...identity, dialect } })).rejects.toThrow(
    NeedsExactPath,
  );
  expect(rowBytes({ ...identity, dialect })?.quoting).toBe('none');
});
