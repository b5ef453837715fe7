// A check commits once, however often and by however many processes; an interrupted commit leaves nothing.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isSharpDrop as isDrop } from '../../../core/sharp-drop.ts';
import type { DropRows } from '../../../db/commit/commit-facts.ts';
import { commitProblemCheck, commitUnchangedCheck } from '../../../db/commit/checks.ts';
import { findCheck, listChecks } from '../../../db/check-log.ts';
import { listDeltaEvents } from '../../../db/rows/delta-events.ts';
import { type Database, rawRows } from '../../../db/driver/knex.ts';
import { markRecordDeleted, setNextCheck, updateRecord } from '../../../db/records/records.ts';
import { listSnapshots } from '../../../db/rows/snapshots.ts';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.ts';
import {
  checkFacts,
  commitTable,
  countLines,
  getRecord,
  makeAccount,
  makeRecord,
  makeWebhook,
  newId,
  table,
} from '../factories.ts';

let database: TestDatabase;
let db: Database;
let accountId: string;
let recordId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
  accountId = await makeAccount(db);
});
beforeEach(async () => {
  recordId = await makeRecord(db, { accountId });
});
afterAll(() => database.drop());

const FIRST = table({ a: '1', b: '2' });
const SECOND = table({ a: '1', b: '3', c: '4' });
const NO_VALIDATORS = { urlHash: 'hash', etag: null, lastModified: null };
const ALL = { after: null, limit: 1_000 };

const unchanged = (id: string) => commitUnchangedCheck(db, checkFacts(recordId, { id }), NO_VALIDATORS);
const failed = (id: string) =>
  commitProblemCheck(db, 'failed', checkFacts(recordId, { id }), {
    code: 'http_error',
    detail: 'Status 500.',
  });
const delta = (id: string) => commitTable(db, recordId, SECOND, { checkId: id });

const checkNumbers = async () => (await listChecks(db, recordId, 'asc', ALL)).map(({ number }) => number);
const events = () => listDeltaEvents(db, recordId, { changesOnly: false }, 'asc', ALL);
const eventNumbers = async () => (await events()).map(({ number }) => number);

describe('the same check', () => {
  const WAYS = { delta, unchanged, failed };
  for (const [name, commit] of Object.entries(WAYS)) {
    it(`commits once as ${name}, when it is committed again`, async () => {
      await commitTable(db, recordId, FIRST);
      const id = newId('check');
      await commit(id);
      const before = await countLines(db);
      const record = await getRecord(db, recordId);
      await commit(id);
      expect(await countLines(db)).toEqual(before);
      expect(await getRecord(db, recordId)).toEqual(record);
    });

    it(`commits once as ${name}, when five do it at once`, async () => {
      await commitTable(db, recordId, FIRST);
      const id = newId('check');
      await Promise.all(Array.from({ length: 5 }, () => commit(id)));
      expect(await checkNumbers()).toEqual([1, 2]);
      expect(await eventNumbers()).toEqual(name === 'failed' ? [1] : [1, 2]);
      await unchanged(newId('check'));
      expect(await checkNumbers()).toEqual([1, 2, 3]);
    });
  }

  it('commits once when it is committed in different ways at once', async () => {
    await commitTable(db, recordId, FIRST);
    for (let round = 2; round < 12; round += 1) {
      const id = newId('check');
      await Promise.all([unchanged(id), delta(id), failed(id), unchanged(id), delta(id)]);
      expect(await checkNumbers()).toEqual(Array.from({ length: round }, (_, at) => at + 1));
      const numbers = await eventNumbers();
      expect(numbers).toEqual(numbers.map((_, at) => at + 1));
      const { outcome, deltaEventId } = (await findCheck(db, recordId, id)) ?? {};
      expect(deltaEventId === null).toBe(outcome === 'failed');
    }
  });
});

describe('different checks of one record at once', () => {
  it('take the next numbers, each with its event, and compare with each other', async () => {
    const versions = [FIRST, SECOND, FIRST, SECOND];
    await Promise.all(versions.map((version) => commitTable(db, recordId, version)));
    expect(await checkNumbers()).toEqual([1, 2, 3, 4]);
    const all = await events();
    expect(all.map(({ number }) => number)).toEqual([1, 2, 3, 4]);
    for (const [at, event] of all.entries()) {
      expect(event.previousSnapshotId).toBe(at === 0 ? null : all[at - 1]?.snapshotId);
    }
    const snapshots = await listSnapshots(db, recordId, 'asc', ALL);
    expect(snapshots.map(({ sequence }) => sequence)).toEqual(snapshots.map((_, at) => at + 1));
  });

  it('have times in the order of their numbers, even if the earlier one took longer (regression)', async () => {
    await commitTable(db, recordId, FIRST);
    await commitTable(db, recordId, SECOND, {
      beforeEnd: async () => {
        await unchanged(newId('check'));
      },
    });
    const times = (await events()).map(({ detectedAt }) => detectedAt.getTime());
    expect(times).toHaveLength(3);
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
  });

  it('have the time of their commit, however long their rows took (regression)', async () => {
    let rowsEnd = new Date(Number.NaN);
    await commitTable(db, recordId, FIRST, {
      beforeEnd: async () => {
        const [row] = await rawRows<{ at: Date }>(db, 'select clock_timestamp() as at');
        rowsEnd = row?.at ?? rowsEnd;
      },
    });
    const [event] = await events();
    expect(event?.detectedAt.getTime()).toBeGreaterThanOrEqual(rowsEnd.getTime());
  });

  it('are found by the time of the last known one (regression: microseconds)', async () => {
    await commitTable(db, recordId, FIRST);
    await unchanged(newId('check'));
    await commitTable(db, recordId, SECOND);
    const all = await events();
    for (const [at, { detectedAt }] of all.entries()) {
      const shown = new Date(detectedAt.toISOString());
      const later = await listDeltaEvents(db, recordId, { changesOnly: false, sinceTime: shown }, 'asc', ALL);
      expect(later).toEqual(all.slice(at + 1));
    }
  });
});

describe('an interrupted check', () => {
  const breakOff = () => Promise.reject(new Error('The body broke off'));

  it('leaves nothing behind, and its connection still works', async () => {
    await commitTable(db, recordId, FIRST);
    await makeWebhook(db, recordId);
    const before = await countLines(db);
    const record = await getRecord(db, recordId);
    // More often than the pool has connections: none is lost, none is left in a broken transaction.
    for (let round = 0; round < 12; round += 1) {
      await expect(commitTable(db, recordId, SECOND, { beforeEnd: breakOff })).rejects.toThrow('broke off');
    }
    expect(await countLines(db)).toEqual(before);
    expect(await getRecord(db, recordId)).toEqual(record);
    expect(await commitTable(db, recordId, SECOND)).toMatchObject({
      outcome: 'changed',
      pendingDeliveries: 1,
    });
    expect(await checkNumbers()).toEqual([1, 2]);
  });

  it('leaves nothing behind when the last statement fails', async () => {
    await commitTable(db, recordId, FIRST);
    const before = await countLines(db);
    const beyondBigint = { bytes: 1e30 };
    await expect(commitTable(db, recordId, SECOND, { body: beyondBigint })).rejects.toThrow('bigint');
    const beyondInteger = { rows: Number.NaN };
    await expect(commitTable(db, recordId, SECOND, { body: beyondInteger })).rejects.toThrow('bigint');
    expect(await countLines(db)).toEqual(before);
    expect(await commitTable(db, recordId, SECOND)).toMatchObject({ outcome: 'changed' });
  });

  it('throws its error when rows cannot be copied', async () => {
    const nul = { columns: ['id'], rows: [['"a\u0000b"']] };
    await expect(commitTable(db, recordId, nul)).rejects.toThrow('invalid byte sequence');
    expect(await checkNumbers()).toEqual([]);
  });
});

describe('a record that is deleted in the middle of a check', () => {
  it('gets no more rows (regression: they would never be removed)', async () => {
    await commitTable(db, recordId, FIRST);
    const before = await countLines(db);
    const outcome = await commitTable(db, recordId, SECOND, {
      beforeEnd: () => markRecordDeleted(db, recordId),
    });
    expect(outcome).toEqual({ outcome: 'already-committed' });
    expect(await countLines(db)).toEqual(before);
  });

  it('is left alone once it is erased', async () => {
    await db('records').where({ id: recordId }).delete();
    const before = await countLines(db);
    await unchanged(newId('check'));
    await failed(newId('check'));
    expect(await delta(newId('check'))).toEqual({ outcome: 'already-committed' });
    expect(await countLines(db)).toEqual(before);
  });
});

describe('the first successful check', () => {
  it('is a baseline: no change, no delivery', async () => {
    await makeWebhook(db, recordId);
    await failed(newId('check'));
    const outcome = await commitTable(db, recordId, FIRST);
    expect(outcome).toMatchObject({ pendingDeliveries: 0, totalCount: 2 });
    const [event] = await events();
    expect(event).toMatchObject({
      number: 1,
      isNoChange: true,
      previousSnapshotId: null,
      newCount: 0,
      unchangedCount: 2,
      totalCount: 2,
      newKeys: [],
    });
    expect(await db('deliveries').where({ recordId })).toEqual([]);
    expect(await listChecks(db, recordId, 'desc', ALL)).toMatchObject([
      { number: 2, outcome: 'unchanged', rows: 2, deltaEventId: event?.id, snapshotId: event?.snapshotId },
      { number: 1, outcome: 'failed', rows: null, deltaEventId: null, snapshotId: null },
    ]);
    expect(await getRecord(db, recordId)).toMatchObject({
      totalRows: 2,
      sequence: 1,
      consecutiveFailures: 0,
    });
  });

  it('may have no rows', async () => {
    await commitTable(db, recordId, table({}));
    expect(await commitTable(db, recordId, FIRST)).toMatchObject({ outcome: 'changed', counts: { new: 2 } });
  });
});

describe('a sharp drop', () => {
  const many = (count: number) =>
    table(Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 'v'])));

  /** Confirmed by whatever comes next. */
  const isSharpDrop = (rows: DropRows): boolean => isDrop({ ...rows, heldBeforeMs: 0, recheckMs: 0 });

  it('records nothing until a second body confirms it within 10 %', async () => {
    await commitTable(db, recordId, many(30));
    const before = await countLines(db);
    const outcome = await commitTable(db, recordId, many(10), { isSharpDrop });
    expect(outcome).toMatchObject({ outcome: 'sharp-drop', rows: { before: 30, now: 10 } });
    expect(await countLines(db)).toEqual(before);

    const held = checkFacts(recordId, { rows: 10 });
    if (outcome.outcome !== 'sharp-drop') throw new Error('It was not held');
    const { headDialectVersion: dialectVersion } = await getRecord(db, recordId);
    const facts = { urlHash: 'hash', dialectVersion };
    const body = { sha256: 'abc', facts, changes: outcome.changes, isHeldAgain: false };
    await commitProblemCheck(db, 'held', held, { code: 'sharp_drop', detail: '10 after 30' }, body);
    expect(await getRecord(db, recordId)).toMatchObject({
      heldRows: 10, heldSha256: 'abc', lastOutcome: 'held', totalRows: 30,
    }); // prettier-ignore
    expect(await commitTable(db, recordId, many(12), { isSharpDrop })).toMatchObject({
      outcome: 'sharp-drop',
    });
    expect(await commitTable(db, recordId, many(11), { isSharpDrop })).toMatchObject({
      outcome: 'changed',
      counts: { deleted: 19 },
    });
    expect(await getRecord(db, recordId)).toMatchObject({ heldRows: null, heldSha256: null, totalRows: 11 });
  });

  it('is forgotten when the old body comes back, and not when the origin fails', async () => {
    await commitTable(db, recordId, many(30));
    await commitProblemCheck(db, 'held', checkFacts(recordId, { rows: 5 }), {
      code: 'sharp_drop',
      detail: '',
    });
    await failed(newId('check'));
    expect(await getRecord(db, recordId)).toMatchObject({ heldRows: 5, consecutiveFailures: 1 });
    await unchanged(newId('check'));
    expect(await getRecord(db, recordId)).toMatchObject({ heldRows: null, consecutiveFailures: 0 });
  });
});

describe('a pause in the middle of a check', () => {
  const pause = async () => {
    await updateRecord(db, recordId, { status: 'paused' });
    await setNextCheck(db, recordId, null);
  };

  it('stays: no next check is set', async () => {
    await commitTable(db, recordId, FIRST);
    expect((await getRecord(db, recordId)).nextCheckAt).toBeInstanceOf(Date);
    await commitTable(db, recordId, SECOND, { beforeEnd: pause });
    expect(await getRecord(db, recordId)).toMatchObject({ nextCheckAt: null, totalRows: 3 });
    for (const commit of [unchanged, failed]) {
      await commit(newId('check'));
      expect((await getRecord(db, recordId)).nextCheckAt).toBeNull();
    }
  });

  it('leaves no active record without a next check, even if it is heard of after the resumption', async () => {
    await commitTable(db, recordId, FIRST);
    await pause();
    await updateRecord(db, recordId, { status: 'active' });
    await setNextCheck(db, recordId, null);
    expect((await getRecord(db, recordId)).nextCheckAt).toBeInstanceOf(Date);
  });

  it('ends with the next check after it is resumed', async () => {
    await commitTable(db, recordId, FIRST);
    await pause();
    await updateRecord(db, recordId, { status: 'active' });
    await setNextCheck(db, recordId, 0);
    await unchanged(newId('check'));
    const { nextCheckAt, lastCheckedAt } = await getRecord(db, recordId);
    const waitMs = (nextCheckAt?.getTime() ?? 0) - (lastCheckedAt?.getTime() ?? 0);
    expect(waitMs).toBeGreaterThanOrEqual(60_000 - 1);
  });
});

it('regression: no check begins after its end, although the clock of the worker is ahead', async () => {
  const startedAt = new Date(Date.now() + 600_000);
  await commitTable(db, recordId, FIRST);
  await commitUnchangedCheck(db, checkFacts(recordId, { startedAt }), NO_VALIDATORS);
  const problem = { code: 'http_error', detail: 'Status 500.' } as const;
  await commitProblemCheck(db, 'failed', checkFacts(recordId, { startedAt }), problem);
  const checks = await listChecks(db, recordId, 'asc', ALL);
  expect(checks).toHaveLength(3);
  for (const check of checks) expect(check.startedAt <= check.finishedAt).toBe(true);
});
