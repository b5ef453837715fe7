// Two records get the same bodies. One compares them by their bytes, the other reads every row. The real activity must write
// the same for both.
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rowIndexName } from '../../../activities/blobs/blob-store.ts';
import { type Activities, createActivities } from '../../../activities/create-activities.ts';
import type { ActivityDeps } from '../../../activities/deps.ts';
import type { ColumnRules } from '../../../core/delta/rules/column-rules.ts';
import { type Database, rawRows } from '../../../db/driver/knex.ts';
import { shortChecksSql, shortRowsSql } from '../../../db/unchanged-checks.ts';
import { feedPairs } from '../../core/delta/raw/dirty-feeds.ts';
import { type ActivityBench, openActivityBench } from '../../support/checks/activity-bench.ts';
import { propertyRuns } from '../../support/runner/property-runs.ts';

/** `npm run test:long` runs more. */
const RUNS = propertyRuns(110);

let bench: ActivityBench;
let db: Database;
/** Of activities whose doubts are noted. */
let noting: ActivityDeps;
let byBytes: Activities;
/** With a few rows of the previous body in memory at a time. */
let inSegments: Activities;
let byRows: Activities;
/** The reasons why every row was read although there was an index. */
const doubts: string[] = [];
/** How often all previous rows were needed. */
let widened = 0;

beforeAll(async () => {
  bench = await openActivityBench();
  db = bench.database.db;
  const log = Object.assign(Object.create(bench.deps.log) as typeof bench.deps.log, {
    info: ({ reason }: { reason: string }, what: string) => {
      if (what === 'reading every row') doubts.push(reason);
      else widened += 1;
    },
  });
  noting = { ...bench.deps, log, indexFromBytes: 0 };
  byBytes = createActivities(noting);
  inSegments = createActivities({ ...noting, segmentRows: 3 });
  byRows = createActivities({ ...bench.deps, indexFromBytes: Infinity });
  mkdirSync(bench.deps.spoolDir, { recursive: true });
});
afterAll(() => bench.close());

interface Settings {
  format: 'csv' | 'jsonl' | 'json';
  rowsPath?: string | null;
  keyFields: string[] | null;
  ignoreFields: string[];
  rules?: ColumnRules;
  pairing?: 'similarity' | null;
}

/** Stores a body for a record as if it had been fetched, and compares it. */
async function compareBody(
  { recordDelta }: Activities,
  recordId: string,
  body: Buffer,
  charset = 'utf-8',
): Promise<void> {
  const sha256 = createHash('sha256').update(body).digest('hex');
  const file = join(bench.deps.spoolDir, `${recordId}-body`);
  writeFileSync(file, body);
  await bench.deps.blobs.put(recordId, sha256, file);
  const contentType = `text/plain; charset=${charset}`;
  const answer = { urlHash: 'u', httpStatus: 200, contentType, etag: null, lastModified: null };
  const input = {
    ...bench.newCheck(recordId),
    startedAtMs: Date.now(),
    body: { ...answer, sha256, sizeBytes: body.length },
  };
  await bench.run(() => recordDelta(input));
}

/** Everything that the database holds about a record, without ids and times. */
async function written(recordId: string) {
  const read = (sql: string) => rawRows<Record<string, unknown>>(db, sql, { recordId });
  return {
    checks:
      await read(`select number, outcome, bytes, rows, error_code as "errorCode", error_detail as "errorDetail", warnings,
      snapshot_id is null as "hasNone", delta_event_id is null as "isNone" from (
        select number, outcome, bytes, rows, error_code, error_detail, warnings::text, snapshot_id, delta_event_id
        from checks where record_id = :recordId
        union all
        select number, outcome, bytes, rows, error_code, error_detail, warnings::text, snapshot_id, delta_event_id
        from (${shortChecksSql(shortRowsSql(':recordId'), ':recordId')}) short
      ) both_kinds order by number`),
    events:
      await read(`select number, generation, sequence, is_no_change as "isNoChange", new_count as "newCount",
      changed_count as "changedCount", deleted_count as "deletedCount", unchanged_count as "unchangedCount",
      total_count as "totalCount", new_keys as "newKeys", changed_keys as "changedKeys", deleted_keys as "deletedKeys",
      changed_columns as "changedColumns", schema_change as "schemaChange" from delta_events where record_id = :recordId order by number`),
    shortEvents: await read(
      `select event_number as "number", sequence from (${shortRowsSql(':recordId')}) short order by 1`,
    ),
    snapshots:
      await read(`select generation, sequence, total_rows as "totalRows", columns, bytes, content_hash as "contentHash"
      from snapshots where record_id = :recordId order by sequence`),
    head: await read(`select generation, sequence, total_rows as "totalRows", columns, key_fields as "keyFields",
      key_source as "keySource", key_evidence as "keyEvidence", dialect, body_sha256 as "sha256", body_bytes as "bytes",
      held_rows as "heldRows", held_sha256 as "heldSha256", last_outcome as "outcome", consecutive_failures as "failures"
      from record_heads where record_id = :recordId`),
    rows: await read(`select row_versions.generation, row_key as "key", first_seq as "first", last_seq as "last",
      encode(row_hash, 'hex') as hash, data::text as data, previous_key as "previousKey"
      from row_versions join record_heads using (record_no) where record_id = :recordId order by 1, 2, 3`),
  };
}

const hasIndex = (recordId: string): boolean => {
  const names = bench.bodies(recordId);
  return names.some((name) => names.includes(rowIndexName(name)));
};

/** @returns how many of the bodies were compared by their bytes */
async function expectSame(
  bodies: readonly Buffer[],
  settings: Settings,
  charset?: string,
  fastWay = byBytes,
): Promise<number> {
  const [fast, exact] = [await makeRecord(settings), await makeRecord(settings)];
  let fastCount = 0;
  for (const body of bodies) {
    const doubtsBefore = doubts.length;
    const isIndexed = hasIndex(fast);
    await compareBody(fastWay, fast, body, charset);
    await compareBody(byRows, exact, body, charset);
    if (isIndexed && doubts.length === doubtsBefore) fastCount++;
    expect(await written(fast)).toEqual(await written(exact));
    expect(bench.spool()).toEqual([]);
    expect(bench.bodies(fast).filter((name) => !name.endsWith('.rows'))).toEqual(bench.bodies(exact));
  }
  return fastCount;
}

const makeRecord = (settings: Settings): Promise<string> =>
  bench.makeRecord({ url: 'https://example.com/feed', ...settings });

it(
  'comparing by bytes writes the same as reading every row, for dirty feeds that alternate',
  { timeout: 3_600_000 },
  async () => {
    let fastCount = 0;
    const keyFields = fc.constantFrom<(string[] | null)[]>(['id'], ['id'], ['id'], [], ['id', 'name'], null);
    const ignoreFields = fc.constantFrom<string[][]>([], [], ['note']);
    const rules = fc.constantFrom<ColumnRules[]>(
      {},
      { name: { as: 'number', tolerance: '1%' }, note: { trim: true } },
      { name: { trim: true, ignoreCase: true }, note: { as: 'number', trim: true }, id: { as: 'number' } },
    );
    const property = fc.asyncProperty(
      feedPairs,
      keyFields,
      ignoreFields,
      rules,
      fc.constantFrom(null, 'similarity' as const),
      fc.boolean(),
      async (pair, keyFields, ignoreFields, rules, pairing, isInSegments) => {
        const { before, now, format, rowsPath, charset } = pair;
        const path = format === 'json' ? rowsPath : null;
        const settings = { format, rowsPath: path, keyFields, ignoreFields, rules, pairing };
        const way = isInSegments ? inSegments : byBytes;
        fastCount += await expectSame([before, now, before, now], settings, charset, way);
      },
    );
    await fc.assert(property, RUNS);
    expect(fastCount).toBeGreaterThan(RUNS.numRuns / 2);
  },
);

describe('comparing by bytes', () => {
  const rows = (from: number, to: number, value = 'same'): string =>
    Array.from({ length: to - from }, (_, at) => `${from + at},${value}\n`).join('');
  const csv = (...parts: string[]): Buffer => Buffer.from(`id,name\n${parts.join('')}`);
  const settings: Settings = { format: 'csv', keyFields: ['id'], ignoreFields: [] };

  it('follows rows through segments, and looks at all previous rows when their order is another one', async () => {
    const value = (at: number): string => (at % 7 === 0 ? 'other' : 'same');
    const some = Array.from({ length: 200 }, (_, at) => rows(at, at + 1, value(at)));
    const bodies = [
      csv(rows(0, 200)),
      csv(...some),
      csv(...some.toReversed()),
      csv(...some.slice(0, 100), rows(300, 320), ...some.slice(100)),
      csv(...some.slice(0, 60), ...some.slice(90)),
    ];
    expect(await expectSame(bodies, settings, undefined, inSegments)).toBe(4);
    expect(widened).toBeGreaterThan(0);
  });

  it.each<[string[]]>([[[]], [['name']]])(
    'regression: fails for a stray quote, and deletes nothing, with %j ignored',
    async (ignoreFields) => {
      const stray = csv(rows(0, 29), '29,"15\\""\n30,"same"\n');
      const bodies = [csv(rows(0, 31)), stray, csv(rows(0, 32))];
      expect(await expectSame(bodies, { ...settings, ignoreFields })).toBe(1);
      const id = await makeRecord({ ...settings, ignoreFields });
      for (const body of bodies.slice(0, 2)) await compareBody(byBytes, id, body);
      const { checks, head } = await written(id);
      expect(checks.at(-1)).toMatchObject({ outcome: 'failed', errorCode: 'malformed_body' });
      expect(checks.at(-1)?.['errorDetail']).toContain('In row 31 a quote opens a cell');
      expect(head).toMatchObject([{ totalRows: 31 }]);
    },
  );

  it('holds a sharp drop and records it once it is confirmed', async () => {
    const bodies = [csv(rows(0, 60)), csv(rows(0, 20)), csv(rows(0, 19), rows(100, 102)), csv(rows(0, 60))];
    expect(await expectSame(bodies, settings)).toBe(3);
  });

  it('holds a body that looks as if its export broke off, and records it once it is confirmed', async () => {
    const countHeld = async () =>
      (await db('checks').whereLike('errorDetail', '%broke off%').select('id')).length;
    const heldBefore = await countHeld();
    const doubted = doubts.length;
    const error = 'ERROR 2013 (HY000): Lost connection\n';
    const bodies = [csv(rows(0, 60)), csv(rows(0, 50), error), csv(rows(0, 51), error), csv(rows(0, 60))];
    expect(await expectSame(bodies, settings)).toBe(0);
    expect(doubts.slice(doubted)).toEqual(Array.from({ length: 2 }, () => 'There are warnings about rows'));
    const lines = (to: number, last = ''): Buffer =>
      Buffer.from(Array.from({ length: to }, (_, id) => `{"id":"${id}"}\n`).join('') + last);
    const keyless = '{"error":"timeout"}\n';
    const given: Settings = { ...settings, format: 'jsonl' };
    expect(await expectSame([lines(60), lines(50, keyless), lines(51, keyless), lines(60)], given)).toBe(0);
    // Of each format in each of the two records.
    expect((await countHeld()) - heldBefore).toBe(4);
  });

  it('keeps the first 100 keys of each kind, in their order', async () => {
    const bodies = [csv(rows(0, 600)), csv(rows(150, 300), rows(300, 600, 'other'), rows(600, 750))];
    expect(await expectSame(bodies, settings)).toBe(1);
  });

  it('reports the same errors as reading every row', async () => {
    const good = csv(rows(0, 30));
    const bodies = [
      good,
      csv(rows(0, 30), '31,"open'),
      csv(rows(0, 30), '31,\0\n'),
      Buffer.from('id,name\n'),
      csv(rows(0, 31)),
    ];
    expect(await expectSame(bodies, settings)).toBe(1);
  });

  it('counts repeated keys like reading every row', async () => {
    const bodies = [
      csv(rows(0, 30)),
      csv(rows(0, 30), rows(3, 5)),
      csv(rows(0, 30)),
      csv(rows(0, 30), '7,other\n'),
    ];
    await expectSame(bodies, settings);
    expect(doubts).toContain('Two rows have one key');
  });

  it('numbers repeated rows without a key like reading every row', async () => {
    const keyless: Settings = { ...settings, keyFields: [] };
    const of = (...names: string[]): Buffer => Buffer.from(`name\n${names.join('\n')}\n`);
    const bodies = [
      of('a', 'a', 'a', 'b'),
      of('a', 'b'),
      of('"a"', 'b', 'a'),
      of('b', 'c', 'a', 'a'),
      of('c', 'a'),
    ];
    await expectSame(bodies, keyless);
    expect(doubts).toContain('A row without a key was repeated');
  });

  it('pairs similar rows without a key like reading every row', async () => {
    const row = (id: number, price = '5'): string => `row ${id},${price},city ${id % 40}\n`;
    const body = (...lines: string[]): Buffer => Buffer.from(`name,price,city\n${lines.join('')}`);
    const many = Array.from({ length: 300 }, (_, id) => row(id));
    const edited = many.map((line, id) => (id % 9 === 0 ? row(id, '6') : line));
    const bodies = [
      body(...many),
      body(...edited, row(400)),
      body(...edited.slice(20).toReversed()),
      body(...many),
    ];
    const given: Settings = { format: 'csv', keyFields: [], ignoreFields: [], pairing: 'similarity' };
    const doubted = doubts.length;
    const fast = await expectSame(bodies, given);
    expect(fast).toBe(3);
    expect(doubts.slice(doubted)).toEqual([]);
    const [{ count } = { count: 0 }] = await rawRows<{ count: number }>(
      db,
      'select count(*)::integer as count from row_versions where previous_key is not null',
    );
    // In each of the two records.
    expect(count).toBeGreaterThanOrEqual(2 * 34);
  });

  it('counts ignored columns like reading every row', async () => {
    const wide = (id: number): string => {
      const many = Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`c${id}-${at}`, at]));
      return `${JSON.stringify({ id, ignored: many })}\n`;
    };
    const plain = Array.from({ length: 150 }, (_, id) => `{"id":${id}}\n`).join('');
    const bodies = [plain + wide(1000), plain + wide(1000) + wide(1001)].map((text) => Buffer.from(text));
    await expectSame(bodies, { format: 'jsonl', keyFields: ['id'], ignoreFields: ['ignored'] });
  });

  it('skips ignored members in JSON, and everything around the rows of a document', async () => {
    const objects = (from: number, to: number, seen: number): string[] =>
      Array.from({ length: to - from }, (_, at) => `{"id":${from + at},"seen":${seen},"name":"x"}`);
    const lines = (seen: number) => Buffer.from(objects(0, 150 + seen, seen).join('\n'));
    const given = { keyFields: ['id'], ignoreFields: ['seen'] };
    expect(await expectSame([lines(1), lines(2), lines(4), lines(3)], { ...given, format: 'jsonl' })).toBe(3);
    const document = (seen: number) =>
      Buffer.from(`{"at":${seen},"data":{"items":[${objects(seen, 150, seen).join(', ')}]},"n":${seen}}`);
    const bodies = [document(1), document(2), document(4), document(3)];
    expect(await expectSame(bodies, { ...given, format: 'json', rowsPath: 'data.items' })).toBe(3);
  });

  it.each(['csv', 'jsonl'] as const)(
    'pairs off rows of %s that are all written in another way, under rules',
    async (format) => {
      const line = (id: number, price: string, seen: string, name: string): string =>
        format === 'csv' ? `${id},${price},${seen},${name}` : JSON.stringify({ id, price, seen, name });
      const body = (write: (id: number) => string, count = 10_050): Buffer => {
        const lines = Array.from({ length: count }, (_, id) => write(id));
        return Buffer.from([...(format === 'csv' ? ['id,price,seen,name'] : []), ...lines].join('\n'));
      };
      const bodies = [
        body((id) => line(id, `${id}.5`, '2026-03-01T12:00Z', 'Oak')),
        body((id) => line(id, `${id}.50`, '2026-03-01T13:00:00+01:00', ' oak ')),
        body((id) => line(id, `0${id}.5${id % 500 === 7 ? 1 : 0}`, '2026-03-01T12:00:00.0Z', 'OAK'), 10_000),
        body((id) => line(id, `${id}.9`, `2026-03-01T12:00Z`, 'oak')),
      ];
      const rules: ColumnRules = {
        price: { as: 'number', tolerance: '0.1' },
        seen: { as: 'date' },
        name: { trim: true, ignoreCase: true },
      };
      const given = { format, keyFields: ['id'], ignoreFields: [], rules };
      // In the last body every price has changed.
      expect(await expectSame(bodies, given)).toBe(2);
      expect(doubts).toContain('Most rows differ');
    },
  );

  it(
    'follows numbers that drift within their tolerance, in the middle of other changes',
    { timeout: 3_600_000 },
    async () => {
      const rules: ColumnRules = {
        price: { as: 'number', tolerance: '0.03', trim: true },
        weight: { as: 'number', tolerance: '1%' },
      };
      const move = fc.record({
        by: fc.integer({ min: -2, max: 2 }),
        weight: fc.constantFrom('100', '100.5', '101', '"102"', 'null', '1e2'),
        name: fc.constantFrom('oak', 'oak', 'oak', 'oak', 'elm'),
        isThere: fc.constantFrom(true, true, true, true, true, true, false),
      });
      const bodies = fc.array(fc.array(move, { minLength: 8, maxLength: 8 }), { minLength: 3, maxLength: 8 });
      let fastCount = 0;
      await fc.assert(
        fc.asyncProperty(
          bodies,
          fc.boolean(),
          fc.constantFrom('csv' as const, 'jsonl' as const),
          async (versions, isInSegments, format) => {
            const cents = Array.from({ length: 8 }, () => 1_000);
            const written = versions.map((moves) => {
              const lines = moves.flatMap(({ by, weight, name, isThere }, id) => {
                cents[id] = (cents[id] ?? 0) + by;
                const price = (cents[id] / 100).toFixed(2);
                if (!isThere) return [];
                return format === 'csv'
                  ? `${id},${price},${weight.replaceAll('"', '')},${name}`
                  : `{"id":"${id}","price":" ${price}","weight":${weight},"name":"${name}"}`;
              });
              // A row that stays, so that there is always one.
              lines.push(format === 'csv' ? '9,1,1,fir' : '{"id":"9","price":"1","weight":1,"name":"fir"}');
              return Buffer.from(
                [...(format === 'csv' ? ['id,price,weight,name'] : []), ...lines].join('\n'),
              );
            });
            const given: Settings = { format, keyFields: ['id'], ignoreFields: [], rules };
            fastCount += await expectSame(written, given, undefined, isInSegments ? inSegments : byBytes);
          },
        ),
        propertyRuns(25),
      );
      expect(fastCount).toBeGreaterThan(25);
    },
  );

  it('reads every row when an index is damaged, of another body, or gone', async () => {
    const id = await makeRecord(settings);
    const damage = async (name: string, content: Buffer): Promise<void> => {
      const file = join(bench.deps.spoolDir, 'damaged');
      writeFileSync(file, content);
      await bench.deps.blobs.put(id, name, file);
    };
    const other = await makeRecord(settings);
    for (const n of [30, 31, 32, 33]) {
      const current = bench.bodies(id).find((name) => !name.endsWith('.rows'));
      if (current !== undefined && n === 31) await damage(rowIndexName(current), Buffer.from('not an index'));
      if (current !== undefined && n === 32) await damage(rowIndexName(current), Buffer.alloc(0));
      await compareBody(byBytes, id, csv(rows(0, n)));
      await compareBody(byRows, other, csv(rows(0, n)));
      expect(await written(id)).toEqual(await written(other));
      expect(hasIndex(id)).toBe(true);
    }
  });

  it('continues when another check has moved the snapshot', async () => {
    const id = await makeRecord(settings);
    const other = await makeRecord(settings);
    await compareBody(byBytes, id, csv(rows(0, 30)));
    await compareBody(byRows, other, csv(rows(0, 30)));
    // As if another run of the check had been faster, after this one has read the record.
    const { blobs } = bench.deps;
    const open = async (recordId: string, name: string) => {
      if (name.endsWith('.rows')) await db('record_heads').where({ recordId }).update({ totalRows: 31 });
      return blobs.open(recordId, name);
    };
    const overtaken = createActivities({ ...noting, blobs: { ...blobs, open } });
    await compareBody(overtaken, id, csv(rows(0, 32)));
    await compareBody(byRows, other, csv(rows(0, 32)));
    expect(doubts).toContain('The latest snapshot was not made from the previous body');
    expect(await written(id)).toEqual(await written(other));
  });
});
