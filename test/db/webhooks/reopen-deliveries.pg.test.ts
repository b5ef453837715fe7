// Recoveries of one webhook run one at a time.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, rawRows } from '../../../db/driver/knex.ts';
import { recoverDeliveries } from '../../../db/webhooks/reopen-deliveries.ts';
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
