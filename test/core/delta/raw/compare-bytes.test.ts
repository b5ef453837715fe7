// The fast way, the exact way and the specification say the same of any two bodies, or the fast way gives up.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compare } from '../../../../core/delta/compare.ts';
import { compareKeys } from '../../../../core/delta/compare-keys.ts';
import { NeedsExactPath } from '../../../../core/delta/raw/needs-exact-path.ts';
import { type IndexedBody, readRowIndex } from '../../../../core/delta/raw/row-index.ts';
import { CheckError } from '../../../../core/errors.ts';
import { readBody } from '../read-body.ts';
import { compareFast, indexBody } from './compare-bodies.ts';
import { type FeedPair, feedPairs } from './dirty-feeds.ts';

/** `FAST_CHECK_RUNS=100000 npx vitest run test/core/delta/raw` for a long search. */
const NUM_RUNS = Number(process.env['FAST_CHECK_RUNS'] ?? 1_000);

const keyFields = fc.constantFrom<string[][]>(['id'], ['id'], ['id'], [], ['id', 'name'], ['name']);
const ignoreFields = fc.constantFrom<string[][]>([], [], ['note'], ['id']);
const sizes = fc.record({
  chunkBytes: fc.constantFrom(1, 2, 7, 1000),
  windowBytes: fc.constantFrom(600, 4096),
  capacity: fc.constantFrom(1, 3, 64),
});

const attempt = <T>(work: Promise<T>): Promise<T | Error> =>
  work.catch((error: unknown) => {
    if (error instanceof CheckError || error instanceof NeedsExactPath) return error;
    throw error;
  });

interface Settings {
  keyFields: string[];
  ignoreFields: string[];
}

/** What the fast way says of a pair; an error where it gives up. Undefined where it is not even tried. */
async function fastOf({ before, now, delimiter }: FeedPair, settings: Settings, size = {}) {
  const options = {
    ...settings,
    format: delimiter === null ? ('jsonl' as const) : ('csv' as const),
    delimiter: delimiter ?? undefined,
  };
  const read = await attempt(readBody(before, options));
  if (read instanceof Error) return undefined;
  const { dialect } = read;
  const identity: IndexedBody = { ...settings, sha256: 'a'.repeat(64), generation: 1, dialect };
  const exact = await attempt(readBody(now, { ...options, dialect: read.dialect }));
  const file = await indexBody(before, read, identity);
  if (file === undefined) return undefined;
  const fast = await attempt(compareFast({ before, now, read, identity, file }, size));
  return { read, exact, fast, identity };
}

const byKey = (left: { key: string }, right: { key: string }): number => compareKeys(left.key, right.key);

it('is the exact way, and the specification, on dirty feeds', { timeout: 3_600_000 }, async () => {
  let [tried, gaveUp] = [0, 0];
  const property = fc.asyncProperty(
    feedPairs,
    keyFields,
    ignoreFields,
    sizes,
    async (pair, keyFields, ignoreFields, size) => {
      const result = await fastOf(pair, { keyFields, ignoreFields }, size);
      if (result === undefined) return;
      const { read, exact, fast } = result;
      tried++;
      if (fast instanceof Error) gaveUp++;
      if (fast instanceof Error) return;
      // What fails when all is read must not pass when little is.
      if (exact instanceof Error)
        throw new Error('The fast way passes what the exact way refuses', { cause: exact });
      const delta = compare(read.rows, exact.rows);
      expect(fast.new.toSorted(byKey).map(({ key, data }) => ({ key, data }))).toEqual(delta.new);
      expect(fast.changed.toSorted(byKey).map(({ key, data }) => ({ key, after: data }))).toEqual(
        delta.changed.map(({ key, after }) => ({ key, after })),
      );
      expect(fast.deletedKeys.toSorted(compareKeys)).toEqual(delta.deleted.map(({ key }) => key));
      expect(fast.unchanged).toBe(delta.unchanged);
      const { columns, rowCount, warnings } = exact;
      expect(fast.summary).toEqual({ columns, rowCount, warnings });
      const hashes = new Map(exact.rows.map(({ key, hash }) => [key, hash]));
      for (const { key, hash } of [...fast.new, ...fast.changed]) expect(hash).toEqual(hashes.get(key));
    },
  );
  await fc.assert(property, { numRuns: NUM_RUNS });
  // Else the property would hold for a way that always gives up.
  expect(tried).toBeGreaterThan(NUM_RUNS / 3);
  expect(gaveUp).toBeLessThan(tried * 0.7);
});

describe('the fast way', () => {
  const csv = (text: string): Buffer => Buffer.from(text);
  const settings: Settings = { keyFields: ['id'], ignoreFields: ['seen'] };
  const fast = async (before: string, now: string, delimiter: string | null = ',', given = settings) =>
    (await fastOf({ before: csv(before), now: csv(now), delimiter }, given))?.fast;
  const counts = (changes: number[]) => ({
    new: { length: changes[0] },
    changed: { length: changes[1] },
    deletedKeys: { length: changes[2] },
    unchanged: changes[3],
  });

  it.each([
    ['the same rows', 'id,a\n1,x\n2,y\n', 'id,a\n1,x\n2,y\n', [0, 0, 0, 2]],
    ['one of each change', 'id,a\n1,x\n2,y\n3,z\n', 'id,a\n1,x\n2,Y\n4,z\n', [1, 1, 1, 1]],
    ['another order', 'id,a\n1,x\n2,y\n3,z\n', 'id,a\n3,z\n1,x\n2,y\n', [0, 0, 0, 3]],
    ['other line ends, none at the end', 'id,a\n1,x\n2,y\n', 'id,a\r\n\r\n1,x\r2,y', [0, 0, 0, 2]],
    ['other quotes', 'id,a\n1,x\n2,y\n', 'id,a\n"1",x\n2,"y"\n', [0, 0, 0, 2]],
    ['an ignored field', 'id,a,seen\n1,x,5\n2,y,5\n', 'id,a,seen\n1,x,6\n2,y,6\n', [0, 0, 0, 2]],
    ['keys that change places', 'id,a\n1,x\n2,y\n', 'id,a\n2,x\n1,y\n', [0, 2, 0, 0]],
    ['rows that begin with a mark', 'id,a\n\ufeff1,x\n', 'id,a\n\ufeff1,y\n1,x\n', [1, 1, 0, 0]],
    ['all rows new', 'id,a\n1,x\n', 'id,a\n2,x\n', [1, 0, 1, 0]],
  ])('takes %s', async (_what, before, now, changes) => {
    expect(await fast(before, now)).toMatchObject(counts(changes));
  });

  it.each([
    ['another header', 'id,a\n1,x\n', 'id,b\n1,x\n'],
    ['a repeated row', 'id,a\n1,x\n2,y\n', 'id,a\n1,x\n2,y\n1,x\n'],
    ['a repeated key', 'id,a\n1,x\n2,y\n', 'id,a\n1,x\n2,y\n1,z\n'],
    ['a repeated key among new rows', 'id,a\n1,x\n', 'id,a\n1,x\n2,y\n2,z\n'],
    ['a short row', 'id,a\n1,x\n', 'id,a\n1,x\n2\n'],
    ['an empty key', 'id,a\n1,x\n', 'id,a\n1,x\n,z\n'],
    ['no rows', 'id,a\n1,x\n', 'id,a\n'],
    ['an open quote', 'id,a\n1,x\n', 'id,a\n1,x\n2,"y\n'],
  ])('gives up on %s', async (_what, before, now) => {
    expect(await fast(before, now)).toBeInstanceOf(NeedsExactPath);
  });

  it('takes a second mark for a character', async () => {
    const [mark, given] = ['\ufeff', { keyFields: ['\ufeffid'], ignoreFields: [] }];
    const header = `${mark}${mark}id,a\n`;
    expect(await fast(`${header}1,x\n`, `${header}2,x\n`, ',', given)).toMatchObject({
      ...counts([1, 0, 1, 0]),
      summary: { columns: ['\ufeffid', 'a'] },
    });
    const line = '{"id":1}\n';
    expect(
      await fast(line, mark + mark + line, null, { keyFields: ['id'], ignoreFields: [] }),
    ).toBeInstanceOf(CheckError);
  });

  it('gives up on bytes that are not UTF-8', async () => {
    const before = csv('id,a\n1,x\n');
    const now = Buffer.concat([before, Buffer.from([0x32, 0x2c, 0xff, 0x0a])]);
    expect((await fastOf({ before, now, delimiter: ',' }, settings))?.fast).toBeInstanceOf(NeedsExactPath);
  });

  it('does not begin where rows gave rise to warnings', async () => {
    expect(await fast('id,a\n1,x\n1,y\n', 'id,a\n1,x\n')).toBeUndefined();
    expect(await fast('id,a\n1,x\n2\n', 'id,a\n1,x\n')).toBeUndefined();
  });

  it('knows rows without a key by their content, and gives up where repeats come or go', async () => {
    const keyless = { keyFields: [], ignoreFields: [] };
    const of = (before: string, now: string) => fast(`a\n${before}`, `a\n${now}`, ',', keyless);
    expect(await of('x\ny\nz\n', 'z\nw\nx\n')).toMatchObject(counts([1, 0, 1, 2]));
    expect(await of('x\nx\nz\n', 'z\nx\nx\nw\n')).toMatchObject(counts([1, 0, 0, 3]));
    expect(await of('x\nx\nz\n', 'z\n"x"\nx\n')).toMatchObject(counts([0, 0, 0, 3]));
    expect(await of('x\nx\nz\n', 'z\nx\n')).toBeInstanceOf(NeedsExactPath);
    expect(await of('x\nz\n', 'z\nx\nx\n')).toBeInstanceOf(NeedsExactPath);
    expect(await of('x\nx\nx\n', 'x\n"x"\n')).toBeInstanceOf(NeedsExactPath);
  });

  it('gives up on JSON rows whose columns it has not all seen among the first', async () => {
    const first = Array.from({ length: 150 }, (_, at) => `{"id":${at},"a":1}\n`).join('');
    const plain = { keyFields: ['id'], ignoreFields: [] };
    const late = `${first}{"id":"late","b":2}\n`;
    expect(await fast(first, late, null, plain)).toMatchObject({
      ...counts([1, 0, 0, 150]),
      summary: { columns: ['id', 'a', 'b'] },
    });
    expect(await fast(late, late, null, plain)).toBeInstanceOf(NeedsExactPath);
  });
});

describe('a row index', () => {
  const body = Buffer.from('id,a\n1,x\n2,y\n');
  const of = async () => {
    const result = await fastOf(
      { before: body, now: body, delimiter: ',' },
      { keyFields: ['id'], ignoreFields: [] },
    );
    const file = result && (await indexBody(body, result.read, result.identity));
    if (file === undefined) throw new Error('There must be an index');
    return { file, identity: result?.identity ?? raise() };
  };
  const raise = (): never => {
    throw new Error('There must be a result');
  };

  it('is used only whole', async () => {
    const { file, identity } = await of();
    expect(readRowIndex(file, identity)).toMatchObject({ rowCount: 2, columns: ['id', 'a'] });
    for (let at = 0; at < file.length; at++) {
      const damaged = Buffer.from(file);
      damaged[at] = (damaged[at] ?? 0) ^ 1;
      expect(readRowIndex(damaged, identity)).toBeUndefined();
      expect(readRowIndex(file.subarray(0, at), identity)).toBeUndefined();
    }
    expect(readRowIndex(Buffer.concat([file, Buffer.from('x')]), identity)).toBeUndefined();
  });

  it.each<[string, Partial<IndexedBody>]>([
    ['body', { sha256: 'b'.repeat(64) }],
    ['generation', { generation: 2 }],
    ['dialect', { dialect: { format: 'csv', delimiter: ';', charset: 'utf-8', rowsPath: '' } }],
    ['charset', { dialect: { format: 'csv', delimiter: ',', charset: 'windows-1252', rowsPath: '' } }],
    ['key', { keyFields: ['a'] }],
    ['ignored fields', { ignoreFields: ['a'] }],
  ])('is not used for another %s', async (_what, other) => {
    const { file, identity } = await of();
    expect(readRowIndex(file, { ...identity, ...other })).toBeUndefined();
  });
});
