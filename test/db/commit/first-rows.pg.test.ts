// The rows of a first snapshot, which are copied to their final place before the check is decided.
import type { KeyedRow } from '../../../core/delta/keys/keyed-row.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { storeFirstRows } from '../../../db/commit/first-rows.ts';
import { type Database, rawRows } from '../../../db/driver/knex.ts';
import { markRecordDeleted } from '../../../db/records/records.ts';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { createGate } from '../../support/gate.ts';
import { PROPERTY_TIMEOUT, propertyRuns } from '../../support/runner/property-runs.ts';
import { until } from '../../support/until.ts';
import { commitTable, countLines, getRecord, makeAccount, makeRecord, type Table } from '../factories.ts';

let database: TestDatabase;
let db: Database;
let accountId: string;
let recordId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
  accountId = await makeAccount(db);
});
afterAll(() => database.drop());
beforeEach(async () => {
  recordId = await makeRecord(db, { accountId });
});

interface Stored {
  key: string;
  hash: Buffer;
  data: string;
}

const SNAPSHOT = { recordNo: 2 ** 40, generation: 3, sequence: 7 };

/** The stored rows, the reported count, and how often the next row by key lies before the one before it. */
async function store(
  batches: readonly KeyedRow[][],
): Promise<{ count: number; rows: Stored[]; falls: number }> {
  // eslint-disable-next-line require-await -- rows come asynchronously
  async function* source() {
    yield* batches;
  }
  const trx = await db.transaction();
  try {
    const count = await storeFirstRows(trx, SNAPSHOT, source());
    const rows = await rawRows<Stored>(
      trx,
      `select row_key as key, row_hash as hash, data::text as data from row_versions
       where record_no = :recordNo and generation = :generation and first_seq = :sequence and last_seq is null
       order by row_key`,
      SNAPSHOT,
    );
    const [order] = await rawRows<{ falls: number }>(
      trx,
      `select count(*) filter (where falls) as falls from (
         select ctid < lag(ctid) over (order by row_key) as falls from row_versions where record_no = :recordNo
       ) lines`,
      SNAPSHOT,
    );
    return { count, rows, falls: order?.falls ?? NaN };
  } finally {
    await trx.rollback();
  }
}

/** With the flag as the reader of bodies sets it: now and then there is one too many, and never one too few. */
function flagged(rows: readonly { key: string; value: number; isDoubted: boolean }[]): KeyedRow[] {
  const seen = new Set<string>();
  return rows.map(({ key, value, isDoubted }) => {
    const isRepeat = isDoubted || seen.has(key);
    seen.add(key);
    return { key, data: `{"v":${value}}`, hash: Buffer.alloc(16, value), isRepeat };
  });
}

function cut<T>(rows: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(rows.length / size) }, (_, at) =>
    rows.slice(at * size, (at + 1) * size),
  );
}

describe('first rows', () => {
  it('are stored once, the last of each key, wherever keys repeat', PROPERTY_TIMEOUT, async () => {
    expect.hasAssertions();
    const row = fc.record({
      key: fc.string({ unit: fc.constantFrom('a', 'b', 'ü', '\u{1f600}', '\\', '\n', '"'), maxLength: 2 }),
      value: fc.nat(255),
      isDoubted: fc.nat(30).map((n) => n === 0),
    });
    const property = fc.asyncProperty(fc.array(row), fc.integer({ min: 1, max: 6 }), async (rows, size) => {
      const { count, rows: stored } = await store(cut(flagged(rows), size));
      const last = new Map(rows.map(({ key, value }) => [key, value]));
      expect(count).toBe(last.size);
      expect(stored.map(({ key, data, hash }) => [key, data, [...hash]])).toEqual(
        [...last]
          .toSorted(([left], [right]) => Buffer.compare(Buffer.from(left), Buffer.from(right)))
          .map(([key, value]) => [key, `{"v":${value}}`, Array.from({ length: 16 }, () => value)]),
      );
    });
    await fc.assert(property, propertyRuns(200));
  });

  it('are mostly stored in the order of their keys, whatever the order of arrival', async () => {
    // An odd factor scatters keys without repeating one.
    const keys = Array.from({ length: 8_192 }, (_, at) => String((at * 4_001) % 8_192).padStart(5, '0'));
    const rows = flagged(keys.map((key, at) => ({ key, value: at % 256, isDoubted: false })));
    const { count, rows: stored, falls } = await store(cut(rows, 500));
    expect(count).toBe(8_192);
    expect(stored.map(({ key }) => key)).toEqual(keys.toSorted());
    expect(falls).toBeLessThan(8_192 / 4);
  });

  it('arrive completely with any size, in characters of one to four bytes', async () => {
    const sizes = [0, 1, 21_800, 21_845, 65_500, 65_536, 3, 200_000, 2];
    const rows = sizes.map((size, at) => ({
      key: `${at}`,
      data: JSON.stringify(['x', 'é', 'ō', '\u{1f600}'][at % 4]?.repeat(size)),
      hash: Buffer.alloc(16, at),
      isRepeat: false,
    }));
    const { count, rows: stored } = await store([rows]);
    expect(count).toBe(rows.length);
    expect(stored.map(({ data }) => data)).toEqual(rows.map(({ data }) => data));
  });
});

const numbered = (order: (rows: string[][]) => string[][]): Table => ({
  columns: ['id', 'value'],
  rows: order(Array.from({ length: 3_000 }, (_, at) => [`"${at}"`, `"${at}"`])),
});

async function isSomeoneWaiting(): Promise<boolean> {
  const waiting = await rawRows(
    db,
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return waiting.length > 0;
}

describe('two first checks at once', () => {
  it('with their rows in opposite order run one after the other', async () => {
    const isLoading = createGate();
    const mayEnd = createGate();
    const first = commitTable(
      db,
      recordId,
      numbered((rows) => rows),
      {
        beforeEnd: () => {
          isLoading.open();
          return mayEnd.wait();
        },
      },
    );
    await isLoading.wait();
    const second = commitTable(
      db,
      recordId,
      numbered((rows) => rows.toReversed()),
    );
    await until('the second waits for the first', isSomeoneWaiting);
    mayEnd.open();
    const outcomes = await Promise.all([first, second]);
    expect(outcomes).toMatchObject([
      { outcome: 'changed', totalCount: 3_000 },
      { outcome: 'unchanged', totalCount: 3_000, counts: { new: 0, changed: 0, deleted: 0 } },
    ]);
  });
});

describe('a first check', () => {
  it('that is interrupted leaves no rows, and the next one stores them', async () => {
    const before = await countLines(db);
    const breakOff = () => Promise.reject(new Error('The body broke off'));
    const table = numbered((rows) => [...rows, ['"7"', '"again"']]);
    await expect(commitTable(db, recordId, table, { beforeEnd: breakOff })).rejects.toThrow('broke off');
    expect(await countLines(db)).toEqual(before);
    expect(await commitTable(db, recordId, table)).toMatchObject({ outcome: 'changed', totalCount: 3_000 });
  });

  it('of many rows is known to the planner at once (regression: a page of a comparison took a minute)', async () => {
    // While autovacuum works on the table, ANALYZE skips it.
    await db.raw('alter table row_versions set (autovacuum_enabled = false)');
    const rows = Array.from({ length: 10_000 }, (_, at) => [`"${at}"`, '"1"']);
    await commitTable(db, recordId, { columns: ['id', 'value'], rows });
    await db.raw('alter table row_versions reset (autovacuum_enabled)');
    const [table] = await rawRows<{ rows: number }>(
      db,
      `select reltuples as rows from pg_class where oid = 'row_versions'::regclass`,
    );
    expect(table?.rows).toBeGreaterThan(9_000);
  });

  it('of a record that is deleted meanwhile leaves no rows', async () => {
    const before = await countLines(db);
    const beforeEnd = () => markRecordDeleted(db, recordId);
    const outcome = await commitTable(
      db,
      recordId,
      numbered((rows) => rows),
      { beforeEnd },
    );
    expect(outcome).toEqual({ outcome: 'already-committed' });
    expect(await countLines(db)).toEqual(before);
  });

  it('is not committed when the head has moved meanwhile', async () => {
    const beforeEnd = async () => {
      await db('record_heads').where({ recordId }).update({ sequence: 4 });
    };
    const before = await countLines(db);
    const table = numbered((rows) => rows);
    await expect(commitTable(db, recordId, table, { beforeEnd })).rejects.toThrow('The head moved');
    expect(await countLines(db)).toEqual(before);
    await commitTable(db, recordId, table);
    expect(await getRecord(db, recordId)).toMatchObject({ sequence: 5, totalRows: 3_000 });
  });

  it('does not lock the head while rows are loaded', async () => {
    const table = numbered((rows) => rows);
    const beforeEnd = async () => {
      await db.raw(`select from record_heads where record_id = ? for update nowait`, [recordId]);
    };
    expect(await commitTable(db, recordId, table, { beforeEnd })).toMatchObject({ outcome: 'changed' });
  });
});
