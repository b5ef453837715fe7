// Conditions decide in the transaction of the commit which deliveries exist, and say the same about past events.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Database, rawRows } from '../../../db/driver/knex.ts';
import { READ_LIMITS } from '../../../db/webhooks/event-conditions.ts';
import { recoverDeliveries } from '../../../db/webhooks/reopen-deliveries.ts';
import { updateWebhook, type WebhookSettings } from '../../../db/webhooks/webhooks.ts';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { commitTable, makeRecord, makeWebhook, newId, table } from '../factories.ts';

let database: TestDatabase;
let db: Database;
let recordId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
});
beforeEach(async () => {
  recordId = await makeRecord(db);
});
afterAll(() => database.drop());

const some = (test: object) => ({ some: [{ var: 'rows' }, test] });
const FELL = some({ '<': [{ percent: 'value' }, -5] });
const SOLD_OUT = some({ '==': [{ after: 'value' }, 0] });
const MANY_GONE = { '>': [{ var: 'deletedCount' }, 1] };

async function webhook(condition: object | null, settings: Partial<WebhookSettings> = {}): Promise<string> {
  const id = await makeWebhook(db, recordId);
  await updateWebhook(db, { recordId }, id, { condition, ...settings });
  return id;
}

interface Owed {
  webhookId: string;
  conditionOutcome: string | null;
}

const owed = (checkId: string): Promise<Owed[]> =>
  db('deliveries').where({ checkId }).orderBy('webhookId').select('webhookId', 'conditionOutcome');

const outcomes = (webhookId: string): Promise<unknown[]> =>
  db('deliveries').where({ webhookId }).orderBy('id').pluck('condition_outcome');

async function commit(rows: Readonly<Record<string, string>>, fitsInMemory = false) {
  const checkId = newId('check');
  const outcome = await commitTable(db, recordId, table(rows), { checkId, fitsInMemory });
  return { checkId, outcome };
}

it.each([false, true])('delivers what meets the condition, with rows in memory: %s', async (fitsInMemory) => {
  const [any, fell, soldOut, gone] = [
    await webhook(null),
    await webhook(FELL),
    await webhook(SOLD_OUT),
    await webhook(MANY_GONE),
  ];
  await commit({ a: '100', b: '100', c: '1' });
  const steps = [
    { rows: { a: '96', b: '100', c: '1' }, wanted: [] },
    { rows: { a: '90', b: '100', c: 'n/a' }, wanted: [fell] },
    { rows: { a: '90', b: '0', c: '1' }, wanted: [fell, soldOut] },
    { rows: { a: '90' }, wanted: [gone] },
  ];
  for (const { rows, wanted } of steps) {
    const { checkId, outcome } = await commit(rows, fitsInMemory);
    expect(outcome).toMatchObject({ outcome: 'changed', pendingDeliveries: wanted.length + 1 });
    expect(await owed(checkId)).toEqual(
      [any, ...wanted].map((webhookId) => ({
        webhookId,
        conditionOutcome: webhookId === any ? null : 'met',
      })),
    );
  }
});

it('asks in addition to filters, and nothing about other events', async () => {
  const both = await webhook(FELL, { changeTypes: ['deleted'], eventTypes: ['delta', 'schema.changed'] });
  await commit({ a: '100', b: '1' });
  expect(await owed((await commit({ a: '50', b: '1' })).checkId)).toEqual([]);
  const met = [{ webhookId: both, conditionOutcome: 'met' }];
  expect(await owed((await commit({ a: '25' })).checkId)).toEqual(met);
  const checkId = newId('check');
  await commitTable(db, recordId, { columns: ['id', 'other'], rows: [['"a"', '"25"']] }, { checkId });
  expect(await owed(checkId)).toEqual([{ webhookId: both, conditionOutcome: null }]);
});

const READS_ROWS = 'with event as materialized';

it('costs no statement without a condition', async () => {
  await webhook(null);
  await commit({ a: '100' });
  const statements: string[] = [];
  const listen = ({ sql }: { sql: string }) => void statements.push(sql);
  db.on('query', listen);
  await commit({ a: '1' });
  const asked = statements.filter((sql) => sql.includes('condition from') || sql.includes(READS_ROWS));
  const inserted = statements.filter((sql) => sql.includes('insert into deliveries'));
  await webhook(MANY_GONE);
  statements.length = 0;
  await commit({ a: '2' });
  db.off('query', listen);
  expect([asked.length, inserted.length]).toEqual([0, 1]);
  // Counts alone decide: no rows are read.
  expect(statements.filter((sql) => sql.includes(READS_ROWS))).toEqual([]);
});

it('decides as much after a disabled webhook is enabled again', async () => {
  const fell = await webhook(FELL, { enabled: false });
  const any = await webhook(null, { enabled: false });
  for (const price of ['100', '96', '90', '89', '50']) await commit({ a: price });
  for (const id of [fell, any]) await updateWebhook(db, { recordId }, id, { enabled: true });
  const request = { since: new Date(0), isDryRun: true, limit: 10 };
  expect(await recoverDeliveries(db, any, request)).toEqual({ count: 4, hasMore: false });
  expect(await recoverDeliveries(db, fell, request)).toEqual({ count: 2, hasMore: false });
  expect(await recoverDeliveries(db, fell, { ...request, isDryRun: false, limit: 1 })).toEqual({
    count: 1,
    hasMore: true,
  });
  // Those of the first continue, and only the other one is left.
  expect(await recoverDeliveries(db, fell, { ...request, isDryRun: false })).toEqual({
    count: 1,
    hasMore: false,
  });
  expect(await recoverDeliveries(db, fell, request)).toEqual({ count: 0, hasMore: false });
  expect(await outcomes(fell)).toEqual(['met', 'met']);
});

it('sends what it cannot decide, and says so', async () => {
  const last = 'z';
  const fell = await webhook(FELL);
  const soldOut = await webhook(SOLD_OUT);
  const unknown = await webhook({ later: ['operator'] });
  const count = READ_LIMITS.rows;
  const rowsAt = (price: string, lastPrice: string) => ({
    ...Object.fromEntries(Array.from({ length: count }, (_, n) => [`a${n}`, price])),
    [last]: lastPrice,
  });
  await commit(rowsAt('100', '100'));
  // Only the last of one row too many is sold out: nobody looks at it.
  const { checkId } = await commit(rowsAt('90', '0'));
  expect(await owed(checkId)).toEqual([
    { webhookId: fell, conditionOutcome: 'met' },
    { webhookId: soldOut, conditionOutcome: 'undecided' },
    { webhookId: unknown, conditionOutcome: 'undecided' },
  ]);
  const whole = await commit({ ...rowsAt('91', '0') });
  expect(await owed(whole.checkId)).toEqual([{ webhookId: unknown, conditionOutcome: 'undecided' }]);
});

it('keeps a version that does not know conditions from sending what they exclude', async () => {
  const fell = await webhook(FELL);
  const any = await webhook(null);
  await commit({ a: '100' });
  const { checkId } = await commit({ a: '99' });
  const [event] = await rawRows<{ id: string }>(db, 'select id from delta_events where check_id = ?', [
    checkId,
  ]);
  await db('deliveries').where({ checkId }).delete();
  // As the version before writes it: without the column.
  const insert = (webhookId: string, deltaEventId: string | null) =>
    db('deliveries').insert({
      id: newId('delivery'),
      webhookId,
      recordId,
      deltaEventId,
      eventData: deltaEventId === null ? '{"isTest":true}' : null,
      nextAttemptAt: db.fn.now(),
    });
  await expect(insert(fell, event?.id ?? '')).rejects.toThrow('The webhook has a condition');
  await insert(fell, null);
  await insert(any, event?.id ?? '');
  expect([...(await outcomes(fell)), ...(await outcomes(any))]).toEqual([null, null]);
});
