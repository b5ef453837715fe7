// The fast way, the exact way and the specification say the same of any two bodies, or the fast way gives up.
import { TextDecoder } from '@exodus/bytes/encoding.js';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { carryOverBy } from '../../../../core/delta/carry-over.ts';
import { compare } from '../../../../core/delta/compare.ts';
import { compareKeys } from '../../../../core/delta/compare-keys.ts';
import type { ReadAt } from '../../../../core/delta/raw/read-at.ts';
import { NeedsExactPath, rowBytes } from '../../../../core/delta/raw/row-bytes.ts';
import type { ColumnRules } from '../../../../core/delta/rules/column-rules.ts';
import { CheckError } from '../../../../core/errors.ts';
import { PROPERTY_TIMEOUT, propertyRuns } from '../../../support/runner/property-runs.ts';
import { readBody } from '../read-body.ts';
import { compareFast, fastOf, indexBody, type Settings } from './compare-bodies.ts';
import { type FeedPair, feedPairs } from './dirty-feeds.ts';

const keyFields = fc.constantFrom<string[][]>(['id'], ['id'], ['id'], [], ['id', 'name'], ['name']);
const ignoreFields = fc.constantFrom<string[][]>([], [], ['note'], ['name', 'note'], ['id'], ['name.x']);
const columnRules = fc.constantFrom<ColumnRules[]>(
  {},
  {},
  { name: { as: 'number' } },
  { name: { trim: true, ignoreCase: true }, note: { as: 'number', trim: true } },
  { note: { trim: true }, id: { as: 'number' } },
  { name: { as: 'date', normalize: 'NFKC' }, note: { trim: true, ignoreCase: true, as: 'number' } },
);
const sizes = fc.record({
  chunkBytes: fc.constantFrom(1, 2, 7, 1000, Infinity),
  windowBytes: fc.constantFrom(600, 4096),
  capacity: fc.constantFrom(1, 3, 64),
  firstRows: fc.constantFrom(1, 2, 100),
  segmentRows: fc.constantFrom(undefined, undefined, 1, 2, 5),
});

const byKey = (left: { key: string }, right: { key: string }): number => compareKeys(left.key, right.key);

it('equals the exact comparison and the specification, on dirty feeds', PROPERTY_TIMEOUT, async () => {
  let [tried, gaveUp, matched] = [0, 0, 0];
  const property = fc.asyncProperty(
    feedPairs,
    keyFields,
    ignoreFields,
    columnRules,
    sizes,
    async (pair, keyFields, ignoreFields, rules, size) => {
      const result = await fastOf(pair, { keyFields, ignoreFields, rules }, size);
      if (result === undefined) return;
      const { read, exact, fast } = result;
      tried++;
      if (fast instanceof Error) gaveUp++;
      if (fast instanceof Error) return;
      if (fast.matched > 0) matched++;
      // A body that fails when all of it is read must not pass when a part is.
      if (exact instanceof Error)
        throw new Error('The fast way passes what the exact way refuses', { cause: exact });
      const delta = compare(read.rows, exact.rows, carryOverBy(rules, keyFields));
      expect(fast.new.toSorted(byKey).map(({ key, data }) => ({ key, data }))).toEqual(delta.new);
      const data = new Map(exact.rows.map((row) => [row.key, row.data]));
      expect(fast.changed.toSorted(byKey).map((row) => ({ key: row.key, data: row.data }))).toEqual(
        delta.changed.map(({ key }) => ({ key, data: data.get(key) })),
      );
      expect(fast.deletedKeys.toSorted(compareKeys)).toEqual(delta.deleted.map(({ key }) => key));
      expect(fast.unchanged).toBe(delta.unchanged);
      const { columns, rowCount, warnings } = exact;
      expect(fast.summary).toEqual({ columns, rowCount, warnings });
      const hashes = new Map(exact.rows.map(({ key, hash }) => [key, hash]));
      for (const { key, hash } of [...fast.new, ...fast.changed]) expect(hash).toEqual(hashes.get(key));
    },
  );
  const runs = propertyRuns();
  await fc.assert(property, runs);
  // Else the property would hold for a way that always gives up.
  expect(tried).toBeGreaterThan(runs.numRuns / 3);
  expect(matched).toBeGreaterThan(runs.numRuns / 10);
  expect(gaveUp).toBeLessThan(tried * 0.7);
});

/** Those of the Encoding Standard with one byte for each character. */
const CHARSETS = [
  'ibm866', ...[2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16].map((part) => `iso-8859-${part}`), 'iso-8859-8-i', 'koi8-r',
  'koi8-u', 'macintosh', 'windows-874', ...[0, 1, 2, 3, 4, 5, 6, 7, 8].map((page) => `windows-125${page}`),
  'x-mac-cyrillic',
]; // prettier-ignore

describe('comparing by bytes', () => {
  const settings: Settings = { keyFields: ['id'], ignoreFields: ['seen'] };
  const plain: Settings = { keyFields: ['id'], ignoreFields: [] };
  const feed = (before: string, now: string, more: Partial<FeedPair> = {}): FeedPair => ({
    before: Buffer.from(before),
    now: Buffer.from(now),
    format: 'csv',
    charset: 'utf-8',
    rowsPath: '',
    headerRow: 1,
    ...more,
  });
  const fast = async (before: string, now: string, more: Partial<FeedPair> = {}, given = settings) =>
    (await fastOf(feed(before, now, more), given, { firstRows: 1 }))?.fast;
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
  ])('accepts %s', async (_what, before, now, changes) => {
    expect(await fast(before, now)).toMatchObject(counts(changes));
  });

  it.each([
    ['another header', 'id,a\n1,x\n', 'id,b\n1,x\n'],
    ['a repeated row', 'id,a\n1,x\n2,y\n', 'id,a\n1,x\n2,y\n1,x\n'],
    ['a repeated key', 'id,a\n1,x\n2,y\n', 'id,a\n1,x\n2,y\n1,z\n'],
    ['a repeated key among new rows', 'id,a\n1,x\n', 'id,a\n1,x\n2,y\n2,z\n'],
    ['a short row', 'id,a\n1,x\n', 'id,a\n1,x\n2\n'],
    ['a long row', 'id,a\n1,x\n', 'id,a\n1,x\n2,y,z\n'],
    ['an empty key', 'id,a\n1,x\n', 'id,a\n1,x\n,z\n'],
    ['no rows', 'id,a\n1,x\n', 'id,a\n'],
    ['an open quote', 'id,a\n1,x\n', 'id,a\n1,x\n2,"y\n'],
    ['the end mark of DOS', 'id,a\n1,x\n', 'id,a\n1,x\n2,y\u001A'],
  ])('gives up on %s', async (_what, before, now) => {
    expect(await fast(before, now)).toBeInstanceOf(NeedsExactPath);
  });

  it.each<[string, string, string, Settings]>([
    ['a column', 'id,a\n1,x\n2,y\n', 'id,a\n1,"x\n2,"y\n', plain],
    ['a column, without a delimiter', 'id,a\n1,x\n2,y\n', 'id,a\n1,"x\n2" y\n', plain],
    ['an ignored column, without a delimiter', 'id,seen\n1,5\n2,5\n', 'id,seen\n1,"5\n2" 5\n', settings],
    ['an ignored column', 'id,seen,a\n1,5,x\n2,5,x\n', 'id,seen,a\n1,"5,x\n2,"5,x\n', settings],
    ['the last column, ignored', 'id,seen\n1,5\n2,5\n', 'id,seen\n1,"5\n2,"5\n', settings],
    [
      'a column with a rule',
      'id,a\n1,x\n2,y\n',
      'id,a\n1,"x\n2,"y\n',
      { ...plain, rules: { a: { trim: true } } },
    ],
  ])('regression: gives up on a stray quote in %s, as the exact way refuses it', async (_what, ...given) => {
    const [before, now, columns] = given;
    const result = await fastOf(feed(before, now), columns);
    expect(result?.exact).toMatchObject({ code: 'malformed_body' });
    expect(result?.fast).toBeInstanceOf(Error);
  });

  it.each<[string, string, string, number[], Partial<FeedPair>]>([
    ['the end of a row', 'id,a\n1,x\n2,y\n3,z\n', 'id,a\n1,x\n2,y\u001A\n3,z\n', [0, 1, 0, 2], {}],
    ['the end of the header', 'id,a\u001A\n1,x\n2,y\n', 'id,a\u001A\n1,x\n', [0, 0, 1, 1], {}],
  ])('regression: keeps a mark of DOS at %s that is not the last', async (_what, before, now, changes) => {
    const result = await fastOf(feed(before, now), settings, { firstRows: 1 });
    expect(result?.fast).toMatchObject({ ...counts(changes), summary: { columns: result?.read.columns } });
  });

  const ruled: Settings = { ...plain, rules: { a: { as: 'number', trim: true }, b: { ignoreCase: true } } };

  it.each<[string, string, string, Partial<FeedPair>]>([
    ['delimited text', 'id,a,b\n1,1.0,x\n2,2,y\n', 'id,a,b\r\n1,1,X\r\n2," 2.00","Y"', {}],
    [
      'JSONL',
      '{"id":"0","a":1,"b":""}\n{"id":"1","a":1.0,"b":"x"}\n',
      '{"id":"0","a":1,"b":""}\n{"id":"1","a":"1","b":"X"}',
      { format: 'jsonl' },
    ],
    [
      'a document',
      '[{"id":"0","a":1,"b":""},{"id":"1","a":1.0,"b":"x"}]',
      '[{"id":"0","a":1,"b":""}, {"id":"1","a":"1","b":"X"}]',
      { format: 'json' },
    ],
    ['another charset', 'id,a,b\né,1.0,x\n', 'id,a,b\né,1,X\n', { charset: 'utf-16le' }],
  ])('reads no row of %s that is written in another way under rules', async (_what, before, now, more) => {
    const encode = (text: string) => Buffer.from(text, more.charset === 'utf-16le' ? 'utf16le' : 'utf8');
    const pair = feed('', '', { ...more, before: encode(before), now: encode(now) });
    const result = await fastOf(pair, ruled, { firstRows: 1 });
    const rowCount = result?.read.rowCount ?? NaN;
    // The first row of JSON is always read, for its columns.
    const matched = more.format === undefined ? rowCount : rowCount - 1;
    expect(result?.fast).toMatchObject({ ...counts([0, 0, 0, rowCount]), matched });
  });

  it('reads a row whose value under a rule is another one, or is not known to be the same', async () => {
    const rowsOf = (...values: string[]) =>
      `id,a,b\n${values.map((value, at) => `${at},${value},x\n`).join('')}`;
    const result = await fast(rowsOf('1', '2', '3'), rowsOf('1.0', '2.5', '"3\u00a0"'), {}, ruled);
    expect(result).toMatchObject({ ...counts([0, 1, 0, 2]), matched: 1, changed: [{ key: '1' }] });
  });

  it('reads a second mark as a character', async () => {
    const [mark, given] = ['\ufeff', { keyFields: ['\ufeffid'], ignoreFields: [] }];
    const header = `${mark}${mark}id,a\n`;
    expect(await fast(`${header}1,x\n`, `${header}2,x\n`, {}, given)).toMatchObject({
      ...counts([1, 0, 1, 0]),
      summary: { columns: ['\ufeffid', 'a'] },
    });
    const line = '{"id":1}\n';
    expect(await fast(line, mark + mark + line, { format: 'jsonl' }, plain)).toBeInstanceOf(CheckError);
  });

  it('gives up on bytes that are not UTF-8', async () => {
    const now = Buffer.from('id,a\n1,x\n2,\xff\n', 'latin1');
    expect(await fast('id,a\n1,x\n', '', { now })).toBeInstanceOf(NeedsExactPath);
    const ignored = Buffer.from('id,seen\n1,\xff\n', 'latin1');
    expect(await fast('id,seen\n1,x\n', '', { now: ignored })).toBeInstanceOf(NeedsExactPath);
  });

  it('accepts rows below a title, and gives up if the title is another one', async () => {
    const titled = (title: string, rows: string) => `${title}\n\r\nid,a\n${rows}`;
    const below = { headerRow: 3 };
    const [before, now] = [titled('May', '1,x\n2,y\n'), titled('May', '1,x\n2,Y\n3,z\n')];
    expect(await fast(before, now, below)).toMatchObject({ ...counts([1, 1, 0, 1]), matched: 1 });
    expect(await fast(before, now.replace('May', 'June'), below)).toBeInstanceOf(NeedsExactPath);
    expect(await fast('id,a\n1,x\n', 'id,a\n1,x\n', { headerRow: 0 })).toBeUndefined();
  });

  it('regression: warns of other arrays in a document as the exact way does', async () => {
    const written = (price: number) => `{"a":[{"p":${price}}],"r":[{"id":1},{"id":2}],"b":[{"p":${price}}]}`;
    const read = await readBody(written(5), { keyFields: ['id'] });
    const identity = { ...plain, rules: {}, sha256: 'a'.repeat(64), generation: 1, dialect: read.dialect };
    const [before, now] = [Buffer.from(written(5)), Buffer.from(written(6))];
    const file = await indexBody(before, read, identity);
    if (file === undefined) throw new Error('There is no index');
    const { unchanged, summary } = await compareFast({ before, now, read, identity, file });
    expect(unchanged).toBe(2);
    expect(summary.warnings).toEqual([{ code: 'other_arrays', count: 2, samples: ['a (1)', 'b (1)'] }]);
    const { warnings } = await readBody(now, { keyFields: ['id'], dialect: read.dialect });
    expect(summary.warnings).toEqual(warnings);
  });

  it('regression: reads the previous body to its end, where a blob store says that it gave another one', async () => {
    const [before, now] = [Buffer.from('id,a\n1,x\n2,y\n'), Buffer.from('id,a\n1,X\n2,y\n')];
    const read = await readBody(before, { keyFields: ['id'], format: 'csv', delimiter: ',' });
    const identity = { ...plain, rules: {}, sha256: 'a'.repeat(64), generation: 1, dialect: read.dialect };
    const file = await indexBody(before, read, identity);
    if (file === undefined) throw new Error('There is no index');
    const readBefore = vi.fn<ReadAt>(async (into, at) => {
      if (at >= before.length) throw new Error('another body');
      return before.copy(into, 0, at);
    });
    await expect(compareFast({ before, now, read, identity, file, readBefore })).rejects.toThrow(
      'another body',
    );
    expect(readBefore).toHaveBeenCalledTimes(2);
  });

  it('does not start if rows had warnings', async () => {
    expect(await fast('id,a\n1,x\n1,y\n', 'id,a\n1,x\n')).toBeUndefined();
    expect(await fast('id,a\n1,x\n2\n', 'id,a\n1,x\n')).toBeUndefined();
    expect(await fast('id,a\n1,x\n2,y,z\n', 'id,a\n1,x\n')).toBeUndefined();
  });

  it('identifies rows without a key by their content, and gives up if repeats are added or removed', async () => {
    const keyless = { keyFields: [], ignoreFields: [] };
    const of = (before: string, now: string) => fast(`a\n${before}`, `a\n${now}`, {}, keyless);
    expect(await of('x\ny\nz\n', 'z\nw\nx\n')).toMatchObject(counts([1, 0, 1, 2]));
    expect(await of('x\nx\nz\n', 'z\nx\nx\nw\n')).toMatchObject(counts([1, 0, 0, 3]));
    expect(await of('x\nx\nz\n', 'z\n"x"\nx\n')).toMatchObject(counts([0, 0, 0, 3]));
    expect(await of('x\nx\nz\n', 'z\nx\n')).toBeInstanceOf(NeedsExactPath);
    expect(await of('x\nz\n', 'z\nx\nx\n')).toBeInstanceOf(NeedsExactPath);
    expect(await of('x\nx\nx\n', 'x\n"x"\n')).toBeInstanceOf(NeedsExactPath);
  });

  it('gives up on JSON rows with columns that the first rows lack', async () => {
    const [line, late] = ['{"id":"1","a":1}\n', '{"id":"late","b":2}\n'];
    expect(await fast(line, line + late, { format: 'jsonl' }, plain)).toMatchObject({
      ...counts([1, 0, 0, 1]),
      summary: { columns: ['id', 'a', 'b'] },
    });
    expect(await fast(line + late, line + late, { format: 'jsonl' }, plain)).toBeInstanceOf(NeedsExactPath);
  });

  const row = (id: string, more: string): string => `{"id":"${id}",${more}}`;
  const [first, second, third] = [row('1', '"a":1'), row('2', '"a":1'), row('3', '"a":1')];

  it.each([
    ['rows of an array', `[${first},${second}]`, `[${second} ,\n${first},${third}]`, [1, 0, 0, 2]],
    [
      'a changed row',
      `[${first},${second},${third}]`,
      `[${first},${third},${row('2', '"a":2')}]`,
      [0, 1, 0, 2],
    ],
    ['the only row left', `[${first},${second}]`, `[${first}]`, [0, 0, 1, 1]],
    ['another member order', `[${first},${second}]`, `[${first},{"a":1,"id":"2"}]`, [0, 0, 0, 2]],
    [
      'an ignored member',
      `[${row('1', '"seen":1')},${row('2', '"seen":1')}]`,
      `[${row('1', '"seen":2')},${row('2', '"seen":"x"')}]`,
      [0, 0, 0, 2],
    ],
  ])('accepts JSON with %s', async (_what, before, now, changes) => {
    expect(await fast(before, now, { format: 'json' })).toMatchObject(counts(changes));
  });

  it('finds the rows in a document, whatever else is in it', async () => {
    const json = { format: 'json', rowsPath: 'data.items' } as const;
    const of = (at: number, rows: string, after = '') =>
      `{"at":${at},"data":{"n":[{}],"items":[${rows}]}${after}}`;
    const before = of(1, `${first},${second}`);
    expect(await fast(before, of(2, `${first},${second},${third}`, ',"z":[]'), json)).toMatchObject(
      counts([1, 0, 0, 2]),
    );
    const twice = of(2, `${first},${second}`, ',"data":{"items":[]}');
    expect(await fast(before, twice, json)).toBeInstanceOf(CheckError);
    expect(await fast(before, `${of(2, first)}]`, json)).toBeInstanceOf(CheckError);
    expect(await fast(before, of(2, `${first},5`), json)).toBeInstanceOf(NeedsExactPath);
    expect(await fast(before, of(2, `${first},`), json)).toBeInstanceOf(NeedsExactPath);
    expect(await fast(before, of(2, first).slice(0, -3), json)).toBeInstanceOf(NeedsExactPath);
    expect(await fast(before, of(2, `${first},{"id":"4"`), json)).toBeInstanceOf(CheckError);
    expect(await fast(before, of(2, `${first},{"id":[}]}`), json)).toBeInstanceOf(CheckError);
  });

  it('reads everything behind the rows, however far it goes', async () => {
    const rows = Array.from({ length: 500 }, (_, at) => row(`${at}`, '"a":1')).join(',');
    const json = { format: 'json', rowsPath: 'items' } as const;
    const of = (tail: string) => fast(`{"items":[${rows}]}`, `{"items":[${rows}${tail}`, json);
    expect(await of('],"n":[1,{}]}\n')).toMatchObject(counts([0, 0, 0, 500]));
    for (const tail of ['],"items":[]}', ']}}', ']', '],}', '],"n":01}', '],"n":"\\ud800"}', ']} {}']) {
      expect(await of(tail)).toBeInstanceOf(CheckError);
    }
  });

  it('keeps the text of keys that are numbers', async () => {
    const before = ['1.10', '1.1', '1e1', '12345678901234567890', 'true'].map(
      (id) => `{"id":${id},"k":"x"}\n`,
    );
    const given = { ...plain, keyFields: ['id', 'k'] };
    expect(await fast(before.join(''), before[0] ?? '', { format: 'jsonl' }, given)).toMatchObject({
      deletedKeys: ['1.1', '1e1', '12345678901234567890', 'true'].map((id) => JSON.stringify([id, 'x'])),
    });
  });

  it('always detects too many columns, ignored ones too', async () => {
    const wide = (count: number): string => Array.from({ length: count }, (_, at) => `"c${at}":1`).join(',');
    const before = `${row('1', wide(998))}\n${row('2', `"seen":1,${wide(998)}`)}\n`;
    const now = `${row('1', wide(999))}\n${row('2', `"seen":2,${wide(998)}`)}\n`;
    const result = await fastOf(feed(before, now, { format: 'jsonl' }), settings, {
      firstRows: 1,
      windowBytes: 65536,
    });
    expect(result?.exact).toMatchObject({ code: 'too_many_columns' });
    expect(result?.fast).toBeInstanceOf(Error);
  });

  it.each(CHARSETS)('knows that a byte is a character in %s', (charset) => {
    const read = (...bytes: number[]) =>
      new TextDecoder(charset, { ignoreBOM: true }).decode(Uint8Array.from(bytes));
    const bytes = Array.from({ length: 255 }, (_, at) => at + 1);
    const characters = bytes.map((byte) => read(byte));
    expect(bytes.map((byte) => read(65, byte, 66))).toEqual(characters.map((character) => `A${character}B`));
    expect(characters.filter((character) => character.length !== 1 || character === '\0')).toEqual([]);
    // Separators of rows, cells and members have their ASCII bytes, and no other character has them.
    const telling = bytes.filter((_byte, at) => /[\t\n\r -~]/.test(characters[at] ?? ''));
    expect(telling).toEqual([9, 10, 13, ...bytes.slice(31, 126)]);
    const dialect = { format: 'csv', delimiter: ',', charset, rowsPath: '' } as const;
    expect(rowBytes({ dialect, keyFields: [], ignoreFields: [], rules: {} })).toMatchObject({ charset });
  });

  it.each(['utf-16le', 'utf-16be', 'shift_jis', 'gbk', 'gb18030', 'big5', 'euc-jp', 'euc-kr', 'iso-2022-jp'])(
    'decodes %s on the way',
    (charset) => {
      const dialect = { format: 'csv', delimiter: ',', charset, rowsPath: '' } as const;
      const bytes = rowBytes({ dialect, keyFields: [], ignoreFields: [], rules: {} });
      expect(bytes).toMatchObject({ charset: 'utf-8', decodedFrom: charset });
    },
  );

  it('accepts decoded bodies, in which a second mark is a character', async () => {
    const units = (text: string) => Buffer.from(text, 'utf16le');
    const charset = 'utf-16le';
    const [before, now] = [units('\ufeff\ufeffid,a\né,x\n2,y\n'), units('\ufeff\ufeffid,a\né,z\n2,y\n')];
    const given = { ...plain, keyFields: ['\ufeffid'] };
    expect(await fast('', '', { before, now, charset }, given)).toMatchObject({
      ...counts([0, 1, 0, 1]),
      matched: 1,
      summary: { columns: ['\ufeffid', 'a'] },
    });
    const cutOff = now.subarray(0, -1);
    expect(await fast('', '', { before, now: cutOff, charset }, given)).toBeInstanceOf(CheckError);
  });

  it.each<[string, Partial<Settings>]>([
    ['ignored', { ignoreFields: ['é'] }],
    ['ruled', { rules: { é: { ignoreCase: true } } }],
  ])(
    'regression: takes no column for the one that is %s, whose name has these bytes in UTF-8',
    async (_what, given) => {
      const row = (id: number, value: string) => `{"id":"${id}","\xc3\xa9":"${value}","e":"${value}"}\n`;
      const rows = (value: string) => Buffer.from(row(0, '') + row(1, value), 'latin1');
      const pair = { format: 'jsonl', charset: 'windows-1252', before: rows('x'), now: rows('X') } as const;
      const compared = (columns: Partial<Settings>) =>
        fastOf(feed('', '', pair), { ...plain, ...columns }, { firstRows: 1 });
      expect(await compared(given)).toBeUndefined();
      expect((await compared({ ignoreFields: ['e'] }))?.fast).toMatchObject(counts([0, 1, 0, 1]));
    },
  );

  it('accepts bodies in other charsets, in which a byte is a character', async () => {
    const latin = (text: string) => Buffer.from(text, 'latin1');
    const pair = {
      before: latin('id;a\n\xe9;x\n2;y\n'),
      now: latin('id;a\n\xe9;z\n2;y\n'),
      charset: 'windows-1252',
    };
    expect(
      await fast('', '', { ...pair, charset: 'windows-1252' }, { ...plain, keyFields: ['id;a'] }),
    ).toMatchObject({
      new: [{ key: 'é;z' }],
      deletedKeys: ['é;x'],
    });
  });
});
