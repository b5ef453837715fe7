// Recoveries of one webhook run one at a time, beside checks.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, rawRows } from '../../../db/driver/knex.ts';
import { recoverDeliveries } from '../../../db/webhooks/reopen-deliveries.ts';
import { updateWebhook } from '../../../db/webhooks/webhooks.ts';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { until } from '../../support/until.ts';
import { commitTable, makeRecord, makeWebhook, table } from '../factories.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
});
afterAll(() => database.drop());

const isSomebodyWaiting = async (): Promise<boolean> => {
  const waiting = await rawRows(
    db,
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return waiting.length > 0;
};

it('a recovery waits for the previous one, and takes the deliveries that it left', async () => {
  const recordId = await makeRecord(db);
  const webhookId = await makeWebhook(db, recordId);
  for (const value of ['1', '2', '3']) await commitTable(db, recordId, table({ a: value }));
  const request = { since: new Date(0), isDryRun: false, limit: 10 };
  await db('deliveries')
    .where({ webhookId })
    .update({ status: 'failed', nextAttemptAt: null, finishedAt: db.fn.now() });
  const { later } = await db.transaction(async (trx) => {
    await trx('webhooks').where({ id: webhookId }).forNoKeyUpdate().select('id');
    // Wrapped in an object, so that the transaction does not await it.
    const started = { later: recoverDeliveries(db, webhookId, request) };
    await until('the other one waits', isSomebodyWaiting);
    // Does what the first recovery does with one delivery.
    const [first] = await trx('deliveries').where({ webhookId }).orderBy('id').limit(1).pluck('id');
    await trx('deliveries')
      .where({ id: String(first) })
      .update({ status: 'pending', nextAttemptAt: trx.fn.now(), finishedAt: null });
    return started;
  });
  expect(await later).toEqual({ count: 1, hasMore: false });
});

it('counting does not wait for a recovery', async () => {
  const recordId = await makeRecord(db);
  const webhookId = await makeWebhook(db, recordId);
  const request = { since: new Date(0), isDryRun: true, limit: 10 };
  await db.transaction(async (trx) => {
    await trx('webhooks').where({ id: webhookId }).forNoKeyUpdate().select('id');
    expect(await recoverDeliveries(db, webhookId, request)).toEqual({ count: 0, hasMore: false });
  });
});

it('regression: a recovery does not send what a check commits meanwhile, and what the condition excludes', async () => {
  const recordId = await makeRecord(db);
  const webhookId = await makeWebhook(db, recordId);
  const condition = { some: [{ var: 'rows' }, { '==': [{ after: 'value' }, 'wanted'] }] };
  await updateWebhook(db, { recordId }, webhookId, { condition });
  for (const value of ['1', '2', '3']) await commitTable(db, recordId, table({ a: value }));
  const { id, detectedAt } = await db('delta_events').where({ recordId }).orderBy('number', 'desc').first();
  const seenAt = (from: Database, time: Date) =>
    from('delta_events').where({ id }).update({ detectedAt: time });
  await seenAt(db, new Date(0));
  const request = { since: new Date(0), isDryRun: false, limit: 10 };
  const { recovery } = await db.transaction(async (trx) => {
    // The recovery reads it for the rows of an event, and not for the list of events.
    await trx.raw('lock table unchanged_checks in access exclusive mode');
    const started = { recovery: recoverDeliveries(db, webhookId, request) };
    await until('the recovery waits for rows', isSomebodyWaiting);
    // As if its check had committed it just now.
    await seenAt(trx, detectedAt);
    return started;
  });
  expect(await recovery).toEqual({ count: 0, hasMore: false });
  expect(await db('deliveries').where({ webhookId })).toEqual([]);
});
