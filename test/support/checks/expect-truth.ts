// What must be true of records whose tables changed while the system was disturbed: events, rows, checks and deliveries are
// exactly those that follow from what the origins served. docs/reliability.md names the invariants.
import type { Client } from '@temporalio/client';
import { expect } from 'vitest';
import { rawRows } from '../../../db/driver/knex.ts';
import { shortChecksSql, shortEventsSql, shortRowsSql } from '../../../db/unchanged-checks.ts';
import { watchRecordId } from '../../../workflows/contract.ts';
import type { ChangingRecords, Subject, Watched } from './changing-records.ts';
import type { ChaosFeed } from './chaos-feed.ts';
import { naiveCompare, type NaiveTable, naiveTable } from './naive-compare.ts';
import { readAll } from '../servers/system.ts';
import { forEachOf } from '../for-each-of.ts';
import { until } from '../until.ts';

interface EventView {
  id: string;
  number: number;
  snapshotId: string;
  previousSnapshotId: string | null;
  isNoChange: boolean;
  newCount: number;
  changedCount: number;
  deletedCount: number;
  unchangedCount: number;
  totalCount: number;
}

interface RowView {
  key: string;
  changeType: 'new' | 'changed' | 'deleted';
  before: { [column: string]: string } | null;
  after: { [column: string]: string } | null;
}

/** The rows of a snapshot, also of an older one. */
async function rowsOf({ database }: Subject, snapshotId: string): Promise<NaiveTable> {
  const { rows } = await database.db.raw<{
    rows: { key: string; data: { [column: string]: string } }[];
  }>(
    `select row_key as key, data from snapshots
     join record_heads heads on heads.record_id = snapshots.record_id
     join row_versions versions on versions.record_no = heads.record_no and versions.first_seq <= snapshots.sequence
       and (versions.last_seq is null or versions.last_seq >= snapshots.sequence)
     where snapshots.id = ?`,
    [snapshotId],
  );
  // A map by key would hide a row that is there twice.
  const table = new Map(rows.map(({ key, data }) => [key, data]));
  expect(table.size).toBe(rows.length);
  return table;
}

const eventsOf = (system: Subject, id: string) =>
  readAll<EventView>(system, `/v1/sources/${id}/delta?order=asc&limit=200`, 'events');

/**
 * I1: events have no gaps, each is the exact difference of its two snapshots, and each snapshot is a table that was served.
 * @returns the tables on record, of which the first is the baseline and each other one a change
 */
export async function expectTrueEvents(system: Subject, { id, feed }: Watched): Promise<NaiveTable[]> {
  const events = await eventsOf(system, id);
  expect(events.map(({ number }) => number)).toEqual(events.map((_, index) => index + 1));
  let snapshotId: string | null = null;
  let rows: NaiveTable = new Map();
  const tables: NaiveTable[] = [];
  for (const event of events) {
    expect(event.previousSnapshotId).toBe(snapshotId);
    const now = event.snapshotId === snapshotId ? rows : await rowsOf(system, event.snapshotId);
    // The baseline is compared with nothing.
    await expectDifference(system, id, event, { before: snapshotId === null ? now : rows, after: now });
    if (event.snapshotId !== snapshotId) tables.push(now);
    ({ snapshotId } = event);
    rows = now;
  }
  expectShownInOrder(tables, feed);
  expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(naiveTable(feed.current(), 'id')));
  expect(events.filter(({ isNoChange }) => !isNoChange)).toHaveLength(tables.length - 1);
  return tables;
}

/** Expects that each table was served, and in this order. */
function expectShownInOrder(tables: readonly NaiveTable[], { shown }: ChaosFeed): void {
  const shownTables = shown.map(({ csv }) => naiveTable(csv, 'id'));
  let shownAt = -1;
  for (const [index, table] of tables.entries()) {
    shownAt = shownTables.findIndex((candidate, at) => at > shownAt && isSame(candidate, table));
    expect(shownAt, `snapshot ${index + 1} of ${tables.length} was shown, in this order`).not.toBe(-1);
  }
}

function isSame(left: NaiveTable, right: NaiveTable): boolean {
  const { newKeys, changedKeys, deletedKeys } = naiveCompare(left, right);
  return newKeys.length + changedKeys.length + deletedKeys.length === 0;
}

/** Expects that the event's rows turn one snapshot into the other, and that its counts agree. */
async function expectDifference(
  system: Subject,
  id: string,
  event: EventView,
  { before, after }: { before: NaiveTable; after: NaiveTable },
): Promise<void> {
  const expected = naiveCompare(before, after);
  expect(event).toMatchObject({
    isNoChange: isSame(before, after),
    totalCount: after.size,
    newCount: expected.newKeys.length,
    changedCount: expected.changedKeys.length,
    deletedCount: expected.deletedKeys.length,
    unchangedCount: expected.unchanged,
  });
  const applied = new Map(before);
  const path = `/v1/sources/${id}/delta/${event.id}/rows?limit=100`;
  for (const row of await readAll<RowView>(system, path, 'rows')) {
    expect(row.before ?? undefined).toEqual(before.get(row.key));
    if (row.after === null) applied.delete(row.key);
    else applied.set(row.key, row.after);
  }
  expect(Object.fromEntries(applied)).toEqual(Object.fromEntries(after));
}

export interface CheckLine {
  id: string;
  number: number;
  outcome: string;
  deltaEventId: string | null;
}

/** By the id of a record. */
export const ALL_CHECKS = `
  select id, number, outcome, delta_event_id as "deltaEventId" from checks where record_id = :id
  union all
  select id, number, outcome, delta_event_id from (${shortChecksSql(shortRowsSql(':id'), ':id')}) short
  order by number`;
const ALL_EVENTS = `
  select id, check_id as "checkId", number from delta_events where record_id = :id
  union all
  select id, replace(id, 'evt_', 'chk_'), number from (${shortEventsSql(shortRowsSql(':id'), ':id')}) short
  order by number`;

/** I2: check numbers have no gaps; every check that read the data has an event, and no other check has one. */
export async function expectOneEventPerCheck({ database }: Subject, { id }: Watched): Promise<void> {
  // Reads both at one moment, because checks continue.
  const [checks, events] = await database.db.transaction(
    async (trx) => [
      await rawRows<CheckLine>(trx, ALL_CHECKS, { id }),
      await rawRows<{ id: string; checkId: string }>(trx, ALL_EVENTS, { id }),
    ],
    { isolationLevel: 'repeatable read' },
  );
  expect(checks.map(({ number }) => number)).toEqual(checks.map((_, index) => index + 1));
  const good = checks.filter(({ outcome }) => outcome === 'changed' || outcome === 'unchanged');
  expect(events.map(({ checkId }) => checkId)).toEqual(good.map((check) => check.id));
  expect(events.map((event) => event.id)).toEqual(good.map((check) => check.deltaEventId));
}

/** I3, I4: each change reached each enabled webhook under one id, nothing else was sent, and every signature is valid. */
export async function expectTrueDeliveries(
  system: Subject,
  { watched, received, accepted }: ChangingRecords,
): Promise<void> {
  const owed = new Set<string>();
  await forEachOf(watched, async ({ id, paths }) => {
    const changes = (await eventsOf(system, id)).filter(({ isNoChange }) => !isNoChange);
    for (const path of paths) for (const { id: event } of changes) owed.add(`${path} ${event}`);
  });
  const idOf = new Map<string, string>();
  const reached = new Set<string>();
  for (const { path, webhookId, deltaEventId } of received) {
    const name = `${path} ${deltaEventId}`;
    expect(idOf.get(name) ?? webhookId).toBe(webhookId);
    idOf.set(name, webhookId);
    if (accepted.has(webhookId)) reached.add(name);
  }
  expect(new Set(idOf.values()).size).toBe(idOf.size);
  expect(new Set(idOf.keys())).toEqual(owed);
  expect(reached).toEqual(owed);
  const ids = watched.map(({ id }) => id);
  const states = await system.database.db('deliveries').whereIn('record_id', ids).distinct('status');
  expect(states).toEqual([{ status: 'delivered' }]);
}

/**
 * I10: an ordered webhook got the events of each record one at a time, in their order: an event came again only before the next
 * one came, and always with the same body. The webhook of a record has the rows of the event in it.
 * @returns how many events that were
 */
export async function expectOrder(
  system: Subject,
  { watched, accountPath, received, mostAtOnce }: ChangingRecords,
): Promise<number> {
  const sent = Map.groupBy(received, ({ path, sourceId }) => `${path} ${sourceId}`);
  let count = 0;
  await forEachOf(watched, async ({ id, orderedPath }) => {
    const numbers = new Map((await eventsOf(system, id)).map((event) => [event.id, event.number]));
    for (const path of [orderedPath, accountPath].filter((each) => each !== undefined)) {
      const attempts = sent.get(`${path} ${id}`) ?? [];
      const order = attempts.map(({ deltaEventId }) => numbers.get(deltaEventId) ?? Number.NaN);
      expect(order).toEqual(order.toSorted((left, right) => left - right));
      for (const [event, body] of bodiesOf(attempts)) {
        count += 1;
        if (path !== orderedPath) continue;
        const rows = await readAll<RowView>(
          system,
          `/v1/sources/${id}/delta/${event}/rows?limit=100`,
          'rows',
        );
        expect(JSON.parse(body)).toMatchObject({ rows, truncated: { rows: false } });
      }
    }
  });
  expect(mostAtOnce()).toBe(1);
  return count;
}

/** The body of each event, which all of its attempts had. */
function bodiesOf(attempts: ChangingRecords['received']): Map<string, string> {
  const bodies = new Map<string, string>();
  for (const { deltaEventId, body } of attempts) {
    expect(bodies.get(deltaEventId) ?? body).toBe(body);
    bodies.set(deltaEventId, body);
  }
  return bodies;
}

/** I9: a running workflow keeps checking every record, and no delivery is being retried. */
export async function expectNothingStuck(
  system: Subject,
  client: Client,
  { watched }: ChangingRecords,
): Promise<void> {
  const lengths = new Map<string, number>();
  await forEachOf(watched, async ({ id }) => lengths.set(id, (await eventsOf(system, id)).length));
  await forEachOf(watched, async ({ id }) => {
    const isChecked = async () => (await eventsOf(system, id)).length > (lengths.get(id) ?? 0);
    const patience = { everyMs: 1_000, deadlineMs: 240_000 + watched.length * 1_000 };
    await until('the record is checked again', isChecked, patience);
    const { status } = await client.workflow.getHandle(watchRecordId(id)).describe();
    expect(status.name).toBe('RUNNING');
  });
  await until('no delivery is being retried', async () => {
    const { count } = await client.workflow.count(
      `WorkflowType = 'retryDelivery' AND ExecutionStatus = 'Running'`,
    );
    return count === 0;
  });
}
