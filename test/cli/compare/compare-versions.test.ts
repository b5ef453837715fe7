// Two bodies on disk, compared in both ways of the command line, against the specification of a change.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { BodyFile } from '../../../cli/compare/body-file.ts';
import { type Comparison, compareVersions } from '../../../cli/compare/compare-versions.ts';
import { BodyFault, LIMITS, openFirst, type Rule } from '../../../cli/compare/version.ts';
import { compare } from '../../../core/delta/compare.ts';
import { compareKeys } from '../../../core/delta/compare-keys.ts';
import type { DeltaLine } from '../../../core/export/delta-lines.ts';
import { feedPairs } from '../../core/delta/raw/dirty-feeds.ts';
import { readBody } from '../../core/delta/read-body.ts';
import { PROPERTY_TIMEOUT, propertyRuns } from '../../support/runner/property-runs.ts';

const folder = mkdtempSync(join(tmpdir(), 'recordwatch-compare-'));
afterAll(() => rmSync(folder, { recursive: true }));

const TRACEBACK = 'Traceback (most recent call last):\n  File "/x.py", line 12, in main\nOSError: gone\n';
const RULE: Rule = { keyFields: undefined, ignoreFields: [] };
const [BY_BYTES, BY_ROWS] = [0, Infinity];

function fileOf(name: string, body: string | Buffer, contentType?: string): BodyFile {
  const path = join(folder, name);
  writeFileSync(path, body);
  return { name, path, sizeBytes: Buffer.byteLength(body), contentType };
}

interface Outcome extends Pick<Comparison, 'counts' | 'totals' | 'columns' | 'warnings' | 'pairing'> {
  lines: DeltaLine[];
  fields: readonly string[];
}

/** What is found, or the code of the fault. */
async function outcomeOf(
  before: BodyFile,
  now: BodyFile,
  rule: Rule,
  fromBytes: number,
): Promise<Outcome | string> {
  try {
    const comparison = await compareVersions(await openFirst(before, rule), now, rule, fromBytes);
    const { lines: _lines, isSharpDrop: _isSharpDrop, known, ...found } = comparison;
    const lines = await comparison.lines(Infinity);
    return { ...found, lines, fields: known.key.fields };
  } catch (error) {
    if (error instanceof BodyFault) return `${error.body.name}: ${error.fault.code}`;
    throw error;
  }
}

const keys = fc.constantFrom<(string[] | undefined)[]>(['id'], ['id'], [], ['id', 'name'], undefined);
const ignored = fc.constantFrom<string[][]>([], [], ['note']);

const pairings = fc.constantFrom<('similarity' | undefined)[]>('similarity', undefined);

describe('comparing two files', () => {
  it('gives the same by bytes as by rows, for dirty feeds', PROPERTY_TIMEOUT, async () => {
    let compared = 0;
    const rules = fc.record({ keyFields: keys, ignoreFields: ignored, pairing: pairings });
    const property = fc.asyncProperty(feedPairs, rules, async (pair, chosen) => {
      const { format, rowsPath, charset } = pair;
      const rule = { ...chosen, format, ...(format === 'json' && { rowsPath }) };
      const type = `text/plain; charset=${charset}`;
      const files = [fileOf('before', pair.before, type), fileOf('now', pair.now, type)] as const;
      const byBytes = await outcomeOf(...files, rule, BY_BYTES);
      expect(byBytes).toEqual(await outcomeOf(...files, rule, BY_ROWS));
      compared += Number(typeof byBytes !== 'string');
    });
    await fc.assert(property, propertyRuns(300));
    expect(compared).toBeGreaterThan(100);
  });

  it('gives what the specification says, by either way', PROPERTY_TIMEOUT, async () => {
    const property = fc.asyncProperty(
      feedPairs,
      fc.constantFrom(BY_BYTES, BY_ROWS),
      async (pair, fromBytes) => {
        const { format, rowsPath, charset } = pair;
        const rule = { keyFields: ['id'], ignoreFields: [], format, ...(format === 'json' && { rowsPath }) };
        const contentType = `text/plain; charset=${charset}`;
        const files = [
          fileOf('before', pair.before, contentType),
          fileOf('now', pair.now, contentType),
        ] as const;
        const found = await outcomeOf(...files, rule, fromBytes);
        if (typeof found === 'string') return;
        const options = { ...rule, contentType, limits: LIMITS };
        const before = await readBody(pair.before, options);
        const now = await readBody(pair.now, { ...options, dialect: before.dialect });
        const delta = compare(before.rows, now.rows);
        expect(found.counts).toEqual({
          new: delta.new.length,
          changed: delta.changed.length,
          deleted: delta.deleted.length,
          unchanged: delta.unchanged,
        });
        const expected: DeltaLine[] = [
          ...delta.new.map(({ key, data }) => ({
            key,
            changeType: 'new' as const,
            before: null,
            after: data,
          })),
          ...delta.changed.map(({ key, before: old, after }) => ({
            key,
            changeType: 'changed' as const,
            before: old,
            after,
          })),
          ...delta.deleted.map(({ key, data }) => ({
            key,
            changeType: 'deleted' as const,
            before: data,
            after: null,
          })),
        ];
        expect(found.lines).toEqual(expected.sort((left, right) => compareKeys(left.key, right.key)));
      },
    );
    await fc.assert(property, propertyRuns(300));
  });

  const table = (from: number, to: number, price = '1.00'): string =>
    `id,name,price\n${Array.from({ length: to - from }, (_, at) => `K${from + at},thing ${from + at},${price}\n`).join('')}`;

  it.each([BY_BYTES, BY_ROWS])('reads the first rows by key, from size %d on by bytes', async (fromBytes) => {
    const files = [fileOf('before', table(0, 300)), fileOf('now', table(100, 400))] as const;
    const comparison = await compareVersions(await openFirst(files[0], RULE), files[1], RULE, fromBytes);
    expect(comparison.counts).toEqual({ new: 100, changed: 0, deleted: 100, unchanged: 200 });
    const lines = await comparison.lines(3);
    expect(lines.map(({ key, changeType }) => [key, changeType])).toEqual([
      ['K0', 'deleted'],
      ['K1', 'deleted'],
      ['K10', 'deleted'],
    ]);
  });

  it.each([BY_BYTES, BY_ROWS])(
    'refuses a detected key that repeats in the second version',
    async (fromBytes) => {
      const files = [
        fileOf('before', table(0, 30)),
        fileOf('now', `${table(0, 30)}K3,other,1.00\n`),
      ] as const;
      expect(await outcomeOf(...files, RULE, fromBytes)).toBe('now: key_repeated');
      const given = await outcomeOf(...files, { ...RULE, keyFields: ['id'] }, fromBytes);
      expect(given).toMatchObject({ counts: { new: 0, changed: 1, deleted: 0, unchanged: 29 } });
    },
  );

  it('shows the last of rows with the same key, however far apart they are', async () => {
    const before = fileOf('before', table(0, 3_000));
    const twice = table(0, 3_000).replace('K5,thing 5,1.00', 'K5,thing 5,2.00');
    const now = fileOf('now', `${twice}K5,thing 5,3.00\n`);
    const found = await outcomeOf(before, now, { ...RULE, keyFields: ['id'] }, BY_ROWS);
    expect(found).toMatchObject({
      lines: [{ key: 'K5', after: '{"id":"K5","name":"thing 5","price":"3.00"}' }],
    });
  });

  it('detects key and format in the second version when the first one has no rows', async () => {
    const files = [fileOf('before', 'id,name,price\n'), fileOf('now', table(0, 30))] as const;
    expect(await outcomeOf(...files, RULE, BY_ROWS)).toMatchObject({
      counts: { new: 30, changed: 0, deleted: 0, unchanged: 0 },
      fields: ['id'],
    });
  });

  it.each([
    ['', 'before: empty_body'],
    ['<!doctype html><html></html>', 'before: unexpected_content'],
    ['id,name\n1,"open', 'before: body_truncated'],
    ['id,name\n1,\0\n', 'before: invalid_character'],
    [Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe, 0x00]), 'before: encoding_invalid'],
  ])('names the first version when it is %j', async (body, words) => {
    const now = fileOf('now', table(0, 30));
    expect(await outcomeOf(fileOf('before', body), now, RULE, BY_ROWS).catch((error: unknown) => error)).toBe(
      words,
    );
  });

  it('regression: takes a header whose columns are all ignored for no empty body', async () => {
    const rule = { ...RULE, keyFields: [], ignoreFields: ['id', 'name', 'price'] };
    const [header, full] = [fileOf('header', 'id,name,price\n'), fileOf('full', table(0, 2))];
    const none = { new: 0, changed: 0, deleted: 0, unchanged: 0 };
    for (const fromBytes of [BY_BYTES, BY_ROWS]) {
      expect(await outcomeOf(header, header, rule, fromBytes)).toMatchObject({ counts: none });
      expect(await outcomeOf(header, full, rule, fromBytes)).toMatchObject({ counts: { ...none, new: 2 } });
      expect(await outcomeOf(full, header, rule, fromBytes)).toMatchObject({
        counts: { ...none, deleted: 2 },
      });
      const other = { ...rule, ignoreFields: ['name', 'price'] };
      const foreign = fileOf('foreign', 'name,price\n');
      expect(await outcomeOf(full, foreign, other, fromBytes)).toBe('foreign: malformed_body');
    }
  });

  it('refuses another format, and a table without a common column, as the service does', async () => {
    const before = fileOf('before', table(0, 30));
    const json = fileOf('now.json', '[{"id":"K1"}]', 'application/json');
    expect(await outcomeOf(before, json, RULE, BY_ROWS)).toBe('now.json: malformed_body');
    const other = fileOf('other', 'a,b\n1,2\n');
    const keyless = { ...RULE, keyFields: [] };
    expect(await outcomeOf(before, other, keyless, BY_ROWS)).toBe('other: malformed_body');
  });

  it.each([
    ['x', 'x'],
    ['line ends', '\\n'],
    ['letters as escapes', '\\u00e9'],
    ['wide letters', '字'],
  ])('regression: counts a value of JSON without its quotes and escapes: %s', async (_name, written) => {
    const most = LIMITS.maxFieldLength;
    const others = Array.from({ length: 5 }, (_, at) => `{"id":"K${at}","note":"${'y'.repeat(200_000)}"}\n`);
    const bodyOf = (name: string, text: string, count: number): BodyFile => {
      const body = `${others.join('')}{"id":"Z","note":"${text}"}\n{"id":"Y","note":"${count}"}\n`;
      return fileOf(name, body, 'application/jsonl');
    };
    // A row has at most four times as many characters.
    const text = (length: number): string => written.repeat(600_000) + 'x'.repeat(length - 600_000);
    const before = bodyOf('before', text(most), 1);
    for (const fromBytes of [BY_BYTES, BY_ROWS]) {
      expect(await outcomeOf(before, bodyOf('now', text(most), 2), RULE, fromBytes)).toMatchObject({
        counts: { new: 0, changed: 1, deleted: 0, unchanged: 6 },
      });
      const large = bodyOf('large', text(most + 1), 2);
      expect(await outcomeOf(before, large, RULE, fromBytes)).toBe('large: row_too_large');
    }
  });

  it('names the first of two faulty bodies, as the service does', async () => {
    const before = fileOf('before', Buffer.from('id,name\n1,\0\n'));
    const now = fileOf('now', Buffer.from('id,name\n\xffm,\n', 'latin1'));
    const fine = fileOf('fine', 'id,name\n1,a\n');
    const byId = { ...RULE, keyFields: ['id'] };
    for (const fromBytes of [BY_BYTES, BY_ROWS]) {
      expect(await outcomeOf(before, now, byId, fromBytes)).toBe('before: invalid_character');
      expect(await outcomeOf(fine, now, byId, fromBytes)).toBe('now: encoding_invalid');
    }
  });

  it('writes the members of a JSON row in the order of the columns, also of a row that is gone', async () => {
    const line = (id: string): string => `{"id":"${id}","name":"thing ${id}"}\n`;
    const many = (prefix: string, count: number): string =>
      Array.from({ length: count }, (_, at) => line(prefix + at)).join('');
    const before = fileOf('before.jsonl', `${many('K', 300)}{"name":"last","id":"Z"}\n`, 'application/jsonl');
    // New rows come first, because the first hundred are always read whole.
    const now = fileOf('now.jsonl', many('A', 100) + many('K', 300), 'application/jsonl');
    for (const fromBytes of [BY_BYTES, BY_ROWS]) {
      const comparison = await compareVersions(await openFirst(before, RULE), now, RULE, fromBytes);
      expect(comparison.counts).toEqual({ new: 100, changed: 0, deleted: 1, unchanged: 300 });
      const gone = (await comparison.lines(Infinity)).at(-1);
      expect(gone).toEqual({
        key: 'Z',
        changeType: 'deleted',
        before: '{"id":"Z","name":"last"}',
        after: null,
      });
    }
  });

  it('tells of a drop that the service would hold', async () => {
    const [before, now] = [fileOf('before', table(0, 60)), fileOf('now', table(0, 20))];
    expect((await compareVersions(await openFirst(before, RULE), now, RULE)).isSharpDrop).toBe(true);
  });

  it.each([
    ['', 'ERROR 2013\n', { code: 'ragged_rows', rows: 1, ownKeys: 1, hasEarlierKey: false }, true],
    ['', TRACEBACK, { code: 'ragged_rows', rows: 3, ownKeys: 3, hasEarlierKey: false }, true],
    ['Total\n', 'Total\n', undefined, false],
    ['', '', undefined, false],
  ])(
    'tells of an export that broke off: %j, then %j',
    async (lastBefore, lastNow, incompleteEnd, isSharpDrop) => {
      const before = fileOf('before', table(0, 60) + lastBefore);
      const now = fileOf('now', table(0, 50) + lastNow);
      for (const fromBytes of [BY_BYTES, BY_ROWS]) {
        const comparison = await compareVersions(await openFirst(before, RULE), now, RULE, fromBytes);
        expect(comparison).toMatchObject({ incompleteEnd, isSharpDrop });
      }
    },
  );
});
