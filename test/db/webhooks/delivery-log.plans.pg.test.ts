// Listing and recovering deliveries read what they need and no more: a webhook with 5,000 deliveries among others.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findDeliveryLog, listDeliveries, listLastAttempts } from '../../../db/webhooks/delivery-log.ts';
import { type Database, rawRows } from '../../../db/driver/knex.ts';
import { readDeliveryActivity } from '../../../db/webhooks/delivery-activity.ts';
import { listDueDigests } from '../../../db/webhooks/digests.ts';
import { type NewAttempt, recordAttempts } from '../../../db/webhooks/record-attempts.ts';
import { findScheduledRecord } from '../../../db/records/records.ts';
import { recoverDeliveries } from '../../../db/webhooks/reopen-deliveries.ts';
import { listEndedWebhooks } from '../../../db/webhooks/ended-webhooks.ts';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.ts';
import {
  type Explainer,
  hasSort,
  openExplainer,
  scansWhole as scansAnyWhole,
} from '../../support/rows/explain.ts';
import { makeAccount, makeRecord, makeWebhook } from '../factories.ts';

const DELIVERIES = 5_000;

/** The tables that are large here. Webhooks are few, so PostgreSQL reads all of them even to find one. */
const LARGE = /deliveries|delta_events|attempts/;
const scansWhole = (nodes: readonly string[]) => scansAnyWhole(nodes).filter((node) => LARGE.test(node));
/** The plan of a page: for each status an index gives its rows in their order, and only the pages are sorted together. */
const WALK = [
  'Limit',
  'Sort',
  'Nested Loop',
  'Function Scan',
  'Limit',
  expect.stringMatching('^Index Scan.* deliveries_by_status$'),
];

let database: TestDatabase;
let db: Database;
let explainer: Explainer;
let recordId: string;
let webhookId: string;

/** One event a second; one delivery in a hundred failed, one event in fifty was missed. */
async function fill(record: string, webhook: string, count: number): Promise<void> {
  await db.raw(
    `insert into delta_events (id, record_id, number, check_id, snapshot_id, generation, sequence, detected_at,
       is_no_change, changed_count, unchanged_count, total_count)
     select 'evt_' || replace(uuidv7()::text, '-', ''), :record, n, 'chk_' || :record || n, 'snap', 1, n,
       date_trunc('milliseconds', now() + n * interval '1 second'), false, 1, 0, 1
     from generate_series(1, :count) n`,
    { record, count },
  );
  await db.raw(
    `insert into deliveries (id, webhook_id, record_id, delta_event_id, status, attempt_count, created_at, finished_at)
     select 'dlv_' || replace(uuidv7(detected_at - now())::text, '-', ''), :webhook, record_id, id,
       case when number % 100 = 0 then 'failed' else 'delivered' end, 1, detected_at, detected_at
     from delta_events where record_id = :record and number % 50 <> 1 order by number`,
    { record, webhook },
  );
  await db.raw(
    `insert into attempts (delivery_id, number, started_at, duration_ms, status_code, response_excerpt)
     select id, 1, created_at, 10, 200, repeat('x', 200) from deliveries where webhook_id = ?`,
    [webhook],
  );
}

beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
  const accountId = await makeAccount(db);
  for (let at = 0; at < 20; at += 1) {
    const neighbour = await makeRecord(db, { accountId });
    await fill(neighbour, await makeWebhook(db, neighbour), 2_000);
  }
  recordId = await makeRecord(db, { accountId });
  webhookId = await makeWebhook(db, recordId);
  await fill(recordId, webhookId, DELIVERIES);
  await db.raw('analyze');
  explainer = await openExplainer(db, database.url);
});
afterAll(async () => {
  await explainer.end();
  await database.drop();
});

const page = (after: string | null = null) => ({ after, limit: 200 });
const ALL = { status: null, since: null };
const middle = async (): Promise<string> => {
  const [row] = await db('deliveries')
    .where({ webhookId })
    .orderBy('id')
    .offset(DELIVERIES / 2)
    .limit(1)
    .pluck('id');
  return String(row);
};
const timeOf = async (number: number): Promise<Date> => {
  const event = await db('delta_events')
    .where({ recordId, number })
    .first<{ detectedAt: Date }>('detectedAt');
  return event.detectedAt;
};

it.each(['asc', 'desc'] as const)(
  'a page walks the webhook’s deliveries in their order, %s',
  async (order) => {
    for (const after of [null, await middle()]) {
      const nodes = await explainer.plansOf(() => listDeliveries(db, webhookId, ALL, order, page(after)));
      expect(nodes.slice(0, WALK.length)).toEqual(WALK);
      expect(scansWhole(nodes)).toEqual([]);
    }
  },
);

it.each(['asc', 'desc'] as const)('a page of one status walks those alone, %s', async (order) => {
  const filter = { status: 'failed', since: null } as const;
  const nodes = await explainer.plansOf(() => listDeliveries(db, webhookId, filter, order, page()));
  expect(nodes.slice(0, WALK.length)).toEqual(WALK);
  expect(scansWhole(nodes)).toEqual([]);
});

it('a page since a time begins near that time', async () => {
  const since = await timeOf(DELIVERIES - 300);
  const nodes = await explainer.plansOf(() =>
    listDeliveries(db, webhookId, { status: null, since }, 'asc', page()),
  );
  expect(nodes.join('\n')).toMatch(/Index Scan.* deliveries_by_status/);
  expect(scansWhole(nodes)).toEqual([]);
});

it('a page and the activity skip what is a part of digests', async () => {
  const digesting = await makeWebhook(db, recordId);
  await rawRows(
    db,
    `insert into deliveries (id, webhook_id, record_id, event_data, event_type, status, created_at, finished_at)
       select 'dlv_' || replace(uuidv7()::text, '-', ''), ?, ?, '{}', 'check.failed',
         case when n = 1 then 'delivered' else 'merged' end, now(), now()
     from generate_series(1, ${DELIVERIES}) n`,
    [digesting, recordId],
  );
  await db.raw('analyze deliveries');
  const rows = await listDeliveries(db, digesting, ALL, 'desc', page());
  expect(rows).toHaveLength(1);
  for (const read of [
    () => listDeliveries(db, digesting, ALL, 'desc', page()),
    () => readDeliveryActivity(db, [digesting]),
  ]) {
    const nodes = await explainer.plansOf(read);
    expect(nodes.join('\n')).toMatch(/Scan.* deliveries_by_status/);
    expect(nodes.join('\n')).not.toContain('deliveries_by_webhook');
    expect(scansWhole(nodes)).toEqual([]);
  }
});

it('reconciling finds what waits for digests by its index', async () => {
  const nodes = await explainer.plansOf(() => listDueDigests(db));
  expect(nodes.join('\n')).toMatch(/Scan.* deliveries_waiting/);
  expect(scansWhole(nodes)).toEqual([]);
});

it('attempts are found by their deliveries', async () => {
  const rows = await listDeliveries(db, webhookId, ALL, 'desc', page());
  const ids = rows.map(({ id }) => id);
  for (const read of [() => listLastAttempts(db, ids), () => findDeliveryLog(db, ids[0] ?? '', webhookId)]) {
    const nodes = await explainer.plansOf(read);
    expect(nodes.join('\n')).toContain('attempts_pkey');
    expect(scansWhole(nodes)).toEqual([]);
  }
});

it.each([true, false])('a recovery reads what happened since (only counting: %s)', async (isDryRun) => {
  const since = await timeOf(DELIVERIES - 1_000);
  const request = { since, isDryRun, limit: 10_000 };
  const nodes = await explainer.plansOf(() => recoverDeliveries(db, webhookId, request));
  expect(nodes.join('\n')).toMatch(/Scan.* delta_events_(by_time|changes|activity)/);
  expect(nodes.join('\n')).toMatch(/Scan.* deliveries_by_status/);
  expect(scansWhole(nodes)).toEqual([]);
});

it('a recovery finds each delivery by its id, also without statistics about the webhook', async () => {
  const { accountId } = await db('records').where({ id: recordId }).first<{ accountId: string }>('accountId');
  const unknownRecord = await makeRecord(db, { accountId });
  const unknownWebhook = await makeWebhook(db, unknownRecord);
  await fill(unknownRecord, unknownWebhook, 2_000);
  await db('deliveries').where({ webhookId: unknownWebhook }).update({ status: 'failed' });
  const request = { since: new Date(0), isDryRun: false, limit: 10_000 };
  const nodes = await explainer.plansOf(() => recoverDeliveries(db, unknownWebhook, request));
  // One webhook and its record's head may be joined by a filter, but no list to another.
  expect(nodes.join('\n')).not.toMatch(/Materialize|Nested Loop with filter\nCTE Scan/);
});

it('a recovery takes as many as allowed, oldest first', async () => {
  const otherWebhook = await makeWebhook(db, recordId);
  await db('webhooks')
    .where({ id: otherWebhook })
    .update({ createdAt: new Date(0) });
  const since = new Date(0);
  const whole = { since, isDryRun: false, limit: 100 };
  expect(await recoverDeliveries(db, otherWebhook, { ...whole, isDryRun: true, limit: DELIVERIES })).toEqual({
    count: DELIVERIES,
    hasMore: false,
  });
  expect(await recoverDeliveries(db, otherWebhook, whole)).toEqual({ count: 100, hasMore: true });
  const numbers = await db('deliveries')
    .join('delta_events', 'delta_events.id', 'deliveries.delta_event_id')
    .where({ webhookId: otherWebhook })
    .orderBy('next_attempt_at')
    .pluck<number[]>('number');
  expect(numbers).toEqual(Array.from({ length: 100 }, (_, at) => at + 1));
  expect(await recoverDeliveries(db, otherWebhook, whole)).toEqual({ count: 100, hasMore: true });
});

it('disabling a webhook reads only its own deliveries', async () => {
  const { id } = await db('deliveries').where({ webhookId }).first<{ id: string }>('id');
  const failed: NewAttempt = {
    deliveryId: id,
    webhookId,
    url: 'https://example.com/hook',
    number: 2,
    startedAt: new Date(),
    durationMs: 12,
    statusCode: 503,
    errorCode: 'http_error',
    responseExcerpt: null,
    status: 'pending',
    nextAttemptInMs: 1_000,
    reasonToDisable: null,
  };
  const nodes = await explainer.plansOf(() => recordAttempts(db, [failed]));
  expect(nodes.join('\n')).toContain('attempts_pkey');
  expect(nodes).not.toContain('Seq Scan attempts');
});

it('a record’s notices are looked up by the record', async () => {
  await explainer.preferIndexes();
  const nodes = await explainer.plansOf(() => listEndedWebhooks(db, recordId));
  expect(nodes.join('\n')).toContain('webhooks_by_record');
  expect(scansAnyWhole(nodes)).toEqual([]);
});

it('a check on schedule finds the last check of its record, and what is left to deliver of it, by index', async () => {
  await explainer.preferIndexes();
  const nodes = await explainer.plansOf(() => findScheduledRecord(db, recordId));
  expect(scansAnyWhole(nodes)).toEqual([]);
  expect(hasSort(nodes)).toBe(false);
  expect(nodes.join()).toMatch(/checks_record_id_number_key.*deliveries_by_check/);
});
