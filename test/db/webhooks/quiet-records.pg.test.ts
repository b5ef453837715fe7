// A webhook is told once that a record is quiet, and again only after a change.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { commitProblemCheck, commitUnchangedCheck } from '../../../db/commit/checks.ts';
import { type Database } from '../../../db/driver/knex.ts';
import { BURST } from '../../../db/webhooks/collecting.ts';
import { tellWebhooksOfQuiet } from '../../../db/webhooks/quiet-records.ts';
import { insertTestDelivery } from '../../../db/webhooks/reopen-deliveries.ts';
import { insertWebhook, updateWebhook } from '../../../db/webhooks/webhooks.ts';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.ts';
import {
  checkFacts,
  commitTable,
  makeAccount,
  makeRecord,
  makeWebhook,
  newId,
  rekeyTable,
  table,
} from '../factories.ts';

let database: TestDatabase;
let db: Database;
let accountId: string;
let recordId: string;
let webhookId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
});
beforeEach(async () => {
  accountId = await makeAccount(db);
  recordId = await makeRecord(db, { accountId });
  webhookId = await makeWebhook(db, recordId);
  await updateWebhook(db, { recordId }, webhookId, { eventTypes: ['delta', 'record.quiet'], quietHours: 3 });
});
afterAll(() => database.drop());

const VALIDATORS = { urlHash: 'hash', etag: null, lastModified: null };
const findsNothing = (id = recordId) => commitUnchangedCheck(db, checkFacts(id), VALIDATORS);

/** Moves what was found so far into the past. */
async function pass(hours: number, id = recordId): Promise<void> {
  for (const [name, column] of [
    ['snapshots', 'created_at'],
    ['snapshots', 'unchanged_since'],
    ['quiet_notices', 'since'],
    ['record_heads', 'last_checked_at'],
  ] as const) {
    await db(name)
      .where({ recordId: id })
      .update(column, db.raw(`${column} - ? * interval '1 hour'`, [hours]));
  }
}

async function change(id = recordId): Promise<void> {
  await commitTable(db, id, table({ a: newId('check') }));
}

const told = (of = recordId): Promise<{ webhookId: string; eventData: Record<string, unknown> }[]> =>
  db('deliveries')
    .where({ recordId: of, eventType: 'record.quiet' })
    .orderBy('id')
    .select('webhookId', 'eventData');

it('regression: also in messages and CloudEvents, among several records', async () => {
  await change(await makeRecord(db, { accountId }));
  await updateWebhook(db, { recordId }, webhookId, { format: 'slack' });
  const other = await makeWebhook(db, recordId);
  const asked = { eventTypes: ['record.quiet'], quietHours: 3, format: 'cloudevents' } as const;
  await updateWebhook(db, { recordId }, other, { ...asked, eventTypes: [...asked.eventTypes] });
  await change();
  await pass(4);
  await findsNothing();
  expect(await tellWebhooksOfQuiet(db, 10)).toHaveLength(2);
  const { name, slug } = await db('records').where({ id: recordId }).first('name', 'slug');
  for (const { bodySettings } of await db('deliveries').where({ recordId, eventType: 'record.quiet' })) {
    expect(bodySettings).toMatchObject({ recordName: name, recordSlug: slug });
  }
});

it('once for each time without a change, however often and by how many it is asked', async () => {
  await change();
  await pass(2);
  await findsNothing();
  expect(await tellWebhooksOfQuiet(db, 10)).toEqual([]);
  await pass(1);
  // Nobody has looked since.
  expect(await tellWebhooksOfQuiet(db, 10)).toEqual([]);
  await findsNothing();
  const runs = await Promise.all([1, 2, 3, 4].map(() => tellWebhooksOfQuiet(db, 10)));
  expect(runs.flat()).toHaveLength(1);
  await pass(5);
  await findsNothing();
  expect(await tellWebhooksOfQuiet(db, 10)).toEqual([]);
  const [first, ...more] = await told();
  expect(more).toEqual([]);
  expect(first).toMatchObject({
    webhookId,
    eventData: { quietHours: 3, snapshotId: expect.stringMatching(/^snap_/) },
  });
  const { unchangedSince, checkedAt } = first?.eventData ?? {};
  expect(Date.parse(String(checkedAt)) - Date.parse(String(unchangedSince))).toBeGreaterThanOrEqual(
    3 * 3_600_000,
  );

  await change();
  expect(await tellWebhooksOfQuiet(db, 10)).toEqual([]);
  await pass(3);
  await findsNothing();
  expect(await tellWebhooksOfQuiet(db, 10)).toHaveLength(1);
  expect(await told()).toHaveLength(2);
});

it('regression: since the latest change, however often the data were read under other settings', async () => {
  await commitTable(db, recordId, table({ a: '1' }));
  await commitTable(db, recordId, table({ a: '2' }));
  await pass(2);
  const changedAt = await db('snapshots').where({ recordId }).max('created_at as at').first();
  await rekeyTable(db, recordId, table({ a: '2' }), { rules: { value: { trim: true } } });
  await pass(1);
  await rekeyTable(db, recordId, table({ a: '2' }));
  // A check that only reads the stored data does not say that the origin's data are the same.
  expect(await tellWebhooksOfQuiet(db, 10)).toEqual([]);
  // As retention does.
  await db('snapshots').where({ recordId }).where('sequence', '<', 4).delete();
  await findsNothing();
  expect(await tellWebhooksOfQuiet(db, 10)).toHaveLength(1);
  const [first] = await told();
  expect(Date.parse(String(first?.eventData['unchangedSince']))).toBe(Number(changedAt?.['at']) - 3_600_000);
  await rekeyTable(db, recordId, table({ a: '2' }));
  await pass(4);
  await findsNothing();
  expect(await tellWebhooksOfQuiet(db, 10)).toEqual([]);
  await rekeyTable(db, recordId, table({ a: '3' }), { startsOver: true });
  await pass(3);
  await findsNothing();
  expect(await tellWebhooksOfQuiet(db, 10)).toHaveLength(1);
});

it('not while checks fail or are held, or the webhook is disabled or asks for something else', async () => {
  await change();
  await pass(4);
  await commitProblemCheck(db, 'failed', checkFacts(recordId), { code: 'http_error', detail: 'It was 503.' });
  expect(await tellWebhooksOfQuiet(db, 10)).toEqual([]);
  await findsNothing();
  await updateWebhook(db, { recordId }, webhookId, { enabled: false });
  expect(await tellWebhooksOfQuiet(db, 10)).toEqual([]);
  await updateWebhook(db, { recordId }, webhookId, { enabled: true, eventTypes: ['delta'] });
  expect(await tellWebhooksOfQuiet(db, 10)).toEqual([]);
  await updateWebhook(db, { recordId }, webhookId, { eventTypes: ['record.quiet'], quietHours: 5 });
  expect(await tellWebhooksOfQuiet(db, 10)).toEqual([]);
  await updateWebhook(db, { recordId }, webhookId, { quietHours: 4 });
  expect(await tellWebhooksOfQuiet(db, 10)).toHaveLength(1);
});

it('not while another transaction works on the record, which may be a change, nor while the record is paused', async () => {
  await change();
  await pass(4);
  await findsNothing();
  await db.transaction(async (trx) => {
    await trx('record_heads').where({ recordId }).forNoKeyUpdate().first('recordId');
    expect(await tellWebhooksOfQuiet(db, 10)).toEqual([]);
  });
  await db('records').where({ id: recordId }).update({ status: 'paused' });
  expect(await tellWebhooksOfQuiet(db, 10)).toEqual([]);
  await db('records').where({ id: recordId }).update({ status: 'active' });
  expect(await tellWebhooksOfQuiet(db, 10)).toHaveLength(1);
});

it('with the time of the check that found it', async () => {
  await change();
  await pass(4);
  await findsNothing();
  await pass(1);
  await tellWebhooksOfQuiet(db, 10);
  const delivery = await db('deliveries')
    .where({ recordId, eventType: 'record.quiet' })
    .first('createdAt', 'eventData');
  expect(delivery?.createdAt.toISOString()).toBe(delivery?.eventData['checkedAt']);
});

it('a webhook of the account, for each record that it selects, some at a time', async () => {
  const id = newId('webhook');
  const webhook = { id, accountId, url: 'https://example.com/all', sealedSecret: randomBytes(40) };
  await insertWebhook(db, { ...webhook, eventTypes: ['record.quiet'], quietHours: 3 }, 20, {
    selects: 'all',
  });
  const other = await makeRecord(db, { accountId });
  const foreign = await makeRecord(db);
  for (const each of [recordId, other, foreign]) {
    await change(each);
    await pass(3, each);
    await findsNothing(each);
  }
  expect(await tellWebhooksOfQuiet(db, 2)).toHaveLength(2);
  expect(await tellWebhooksOfQuiet(db, 2)).toHaveLength(1);
  expect(await tellWebhooksOfQuiet(db, 2)).toEqual([]);
  const webhooks = async (of: string) => (await told(of)).map((delivery) => delivery.webhookId).toSorted();
  expect(await webhooks(recordId)).toEqual([webhookId, id].toSorted());
  expect(await webhooks(other)).toEqual([id]);
  expect(await webhooks(foreign)).toEqual([]);
});

it.each([
  ['slack', false, 0, 3],
  ['slack', false, 2, 1],
  ['slack', true, 0, 6],
  ['mail', true, 0, 3],
  ['json', false, 0, 6],
] as const)(
  'regression: many records at once as %s (ordered: %j), after %i messages, in %i more',
  async (format, ordered, before, sent) => {
    expect(BURST.messages).toBe(3);
    const id = newId('webhook');
    const webhook = { id, accountId, url: 'mailto:ada@example.com', sealedSecret: randomBytes(40) };
    const settings = { eventTypes: ['record.quiet' as const], quietHours: 3, format, ordered };
    await insertWebhook(db, { ...webhook, ...settings }, 20, { selects: 'all' });
    for (let count = 0; count < before; count += 1) {
      await insertTestDelivery(db, { webhookId: id, recordId }, 'record.quiet', { isTest: true });
    }
    for (let count = 0; count < 6; count += 1) {
      const each = await makeRecord(db, { accountId });
      await change(each);
      await pass(3, each);
      await findsNothing(each);
    }
    expect(await tellWebhooksOfQuiet(db, 100)).toHaveLength(sent);
    const deliveries = await db('deliveries')
      .where({ webhookId: id, attemptsBefore: 0 })
      .orderBy('createdAt')
      .pluck('status');
    expect(deliveries).toEqual(
      Array.from({ length: 6 }, (_, index) => (index < sent ? 'pending' : 'collecting')),
    );
  },
);
