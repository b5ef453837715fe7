// After a loss of Temporal's data, every record's workflow is started again, most overdue first.
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { updateRecord } from '../../../db/records/records.ts';
import { updateWebhook } from '../../../db/webhooks/webhooks.ts';
import { commitTable, makeRecord, makeWebhook, table } from '../../db/factories.ts';
import { type ActivityBench, openActivityBench } from '../../support/checks/activity-bench.ts';

const RECORDS = 1_300;
/** As many as a run also signals. */
const SIGNALLED = 500;

let bench: ActivityBench;
beforeAll(async () => {
  bench = await openActivityBench();
});
afterAll(() => bench.close());

it('starts all that are overdue in one run, and disturbs few that run (regression: 500 a minute)', async () => {
  const { db } = bench.database;
  const id = await bench.makeRecord({ url: 'https://example.com/a.csv' });
  await db.raw(
    `insert into records (id, account_id, slug, name, url, tier, check_interval_seconds)
     select 'src_' || lpad(n::text, 32, '0'), account_id, 's' || n, name, url, tier, 3600
     from records, generate_series(2, ?) n where id = ?`,
    [RECORDS, id],
  );
  // Ids in another order than times.
  await db.raw(
    `insert into record_heads (record_id, next_check_at)
     select id, now() - interval '1 day' + ('x' || md5(id))::bit(8)::int * interval '1 minute' from records where id <> ?`,
    [id],
  );
  await db.raw(`update record_heads set next_check_at = now() - interval '2 days' where record_id = ?`, [id]);
  const paused = `src_${'2'.padStart(32, '0')}`;
  await db('records').where({ id: paused }).update({ status: 'paused' });
  const due = await db('record_heads')
    .whereNot({ recordId: paused })
    .orderBy(['nextCheckAt', 'recordId'])
    .select<{ recordId: string }[]>('recordId');

  const { records } = await bench.run(({ reconcile }) => reconcile());

  const signalled = bench.started.slice(0, SIGNALLED);
  expect(signalled.every(({ signal }) => signal !== null)).toBe(true);
  const started = bench.started.slice(SIGNALLED);
  expect(started.every(({ signal }) => signal === null)).toBe(true);
  // Those of one moment are requested together.
  const ranks = new Map(due.map(({ recordId }, rank) => [recordId, rank]));
  const startedRanks = started.map(({ input }) => ranks.get((input as { recordId: string }).recordId) ?? NaN);
  expect(new Set(startedRanks).size).toBe(due.length);
  expect(Math.max(...startedRanks.map((rank, at) => Math.abs(rank - at)))).toBeLessThan(30);
  expect(records).toBe(bench.started.length);
});

it('counts none that runs already', async () => {
  const { workflow } = bench.deps.temporal;
  const start = vi.spyOn(workflow, 'start').mockImplementation((_type, { workflowId }) => {
    throw new WorkflowExecutionAlreadyStartedError('It runs', workflowId, 'watchRecord');
  });
  const { records } = await bench.run(({ reconcile }) => reconcile());
  expect(records).toBe(SIGNALLED);
  expect(start.mock.calls.length).toBe(RECORDS - 1);
});

it('goes through its other steps when one of them fails', async () => {
  const { db } = bench.database;
  await db.raw('alter table quiet_notices rename to quiet_notices_away');
  const before = bench.started.length;
  await expect(bench.run(({ reconcile }) => reconcile())).rejects.toThrow('quiet_notices');
  await db.raw('alter table quiet_notices_away rename to quiet_notices');
  expect(bench.started.length).toBeGreaterThan(before);
});

it('adds events about quiet records to feeds', async () => {
  const { db } = bench.database;
  const recordId = await makeRecord(db);
  await commitTable(db, recordId, table({ a: '1' }));
  await db('snapshots')
    .where({ recordId })
    .update({ createdAt: db.raw(`created_at - interval '1 day'`) });
  await updateRecord(db, recordId, { quietHours: 24 });
  await bench.run(({ reconcile }) => reconcile());
  await bench.run(({ reconcile }) => reconcile());
  expect(await db('feed_events').where({ recordId, type: 'record.quiet' })).toHaveLength(1);
});

it('makes and sends the deliveries about quiet records', async () => {
  const { db } = bench.database;
  const recordId = await makeRecord(db);
  const webhookId = await makeWebhook(db, recordId);
  await updateWebhook(db, { recordId }, webhookId, { eventTypes: ['record.quiet'] });
  await commitTable(db, recordId, table({ a: '1' }));
  const dayBefore = db.raw(`created_at - interval '1 day'`);
  await db('snapshots').where({ recordId }).update({ createdAt: dayBefore });
  const before = bench.started.length;
  await bench.run(({ reconcile }) => reconcile());
  await bench.run(({ reconcile }) => reconcile());
  const deliveries = await db('deliveries').where({ recordId }).select<{ id: string }[]>('id');
  expect(deliveries).toHaveLength(1);
  const sent = bench.started.slice(before).filter(({ input }) => JSON.stringify(input).includes('dlv_'));
  expect(sent.map(({ input }) => input)).toMatchObject([{ deliveryId: deliveries[0]?.id, waitMs: 0 }]);
});
