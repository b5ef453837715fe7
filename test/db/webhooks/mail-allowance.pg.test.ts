// The mails of an hour: what is beyond them waits, becomes one message, and keeps its order.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Database } from '../../../db/driver/knex.ts';
import { BURST } from '../../../db/webhooks/collecting.ts';
import { findDelivery } from '../../../db/webhooks/deliveries.ts';
import { listDueDigests, mergeDigest } from '../../../db/webhooks/digests.ts';
import { leaseLines } from '../../../db/webhooks/lines.ts';
import { MAILS_PER_HOUR, takeMail } from '../../../db/webhooks/mail-allowance.ts';
import { insertWebhook, updateWebhook, type WebhookSettings } from '../../../db/webhooks/webhooks.ts';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { commitTable, makeAccount, makeRecord, newId, table } from '../factories.ts';

let database: TestDatabase;
let db: Database;
let accountId: string;
let recordId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
});
beforeEach(async () => {
  accountId = await makeAccount(db);
  recordId = await newRecord();
});
afterAll(() => database.drop());

async function newRecord(): Promise<string> {
  const id = await makeRecord(db, { accountId });
  await commitTable(db, id, table({ a: '0' }));
  return id;
}

/** For all records of the account. */
async function newWebhook(settings: Partial<WebhookSettings> = {}): Promise<string> {
  const id = newId('webhook');
  const webhook = {
    id,
    accountId,
    url: 'mailto:ada@example.com',
    sealedSecret: randomBytes(40),
    format: 'mail',
    ...settings,
  } as const;
  await insertWebhook(db, webhook, 20, { selects: 'all' });
  return id;
}

let version = 0;
const change = (id = recordId) => commitTable(db, id, table({ a: String((version += 1)) }));

const deliveries = (webhookId: string) => db('deliveries').where({ webhookId }).orderBy('id');

/** Ends the burst that is collected. */
const pass = (webhookId: string) =>
  deliveries(webhookId).update('createdAt', db.raw(`created_at - interval '${BURST.minutes} minutes'`));

/** As attempts do. */
async function use(mails: number): Promise<void> {
  for (let mail = 0; mail < mails; mail += 1)
    await takeMail(db, { accountId, address: `${newId('user')}@example.com` });
}

const dueOf = async (...webhookIds: string[]): Promise<string[]> =>
  (await listDueDigests(db)).filter((id) => webhookIds.includes(id));

it('are counted for the account and for the address', async () => {
  const address = `${newId('user')}@example.com`;
  await use(1);
  for (let mail = 1; mail < MAILS_PER_HOUR; mail += 1)
    expect(await takeMail(db, { accountId, address })).toBeNull();
  const waitMs = await takeMail(db, { accountId, address });
  expect(waitMs).toBeGreaterThan(0);
  expect(waitMs).toBeLessThanOrEqual(3_600_000);
  // An account that was created again with the address has one mail left for it, and what is refused takes none of its own.
  const again = await makeAccount(db);
  expect(await takeMail(db, { accountId: again, address })).toBeNull();
  expect(await takeMail(db, { accountId: again, address })).toBeGreaterThan(0);
  const used = await db('usageCounters')
    .where({ subject: `mails ${again}` })
    .first('used');
  expect(used).toEqual({ used: 1 });
});

it('regression: are counted without the address in plain text', async () => {
  const address = `${newId('user')}@example.com`;
  await takeMail(db, { accountId, address });
  const subjects: string[] = await db('usageCounters').pluck('subject');
  expect(subjects.filter((subject) => subject.includes(address))).toEqual([]);
});

it('regression: are collected once they are used up, and make no more messages than there are mails', async () => {
  const webhookIds = [await newWebhook(), await newWebhook(), await newWebhook()];
  const chat = await newWebhook({ format: 'slack', url: 'https://example.com/hook' });
  await use(MAILS_PER_HOUR);
  await change();
  for (const id of webhookIds) {
    expect(await deliveries(id).pluck('status')).toEqual(['collecting']);
    await pass(id);
  }
  expect(await deliveries(chat).pluck('status')).toEqual(['pending']);
  expect(await dueOf(...webhookIds)).toEqual([]);
  await db('usageCounters')
    .where({ subject: `mails ${accountId}` })
    .update({ used: MAILS_PER_HOUR - 2 });
  expect(await dueOf(...webhookIds)).toHaveLength(2);
  await db('usageCounters')
    .where({ subject: `mails ${accountId}` })
    .delete();
  expect(await dueOf(...webhookIds)).toHaveLength(3);
});

it('regression: bursts become one message for each record, in its place in the line, also where order matters', async () => {
  const webhookId = await newWebhook({ ordered: true });
  const other = await newRecord();
  for (let change_ = 0; change_ < BURST.messages; change_ += 1) await change();
  await change(other);
  await change();
  await change();
  // As the dashboard saves it.
  const save = () => updateWebhook(db, { accountId }, webhookId, { ordered: true });
  await save();
  const collected = await deliveries(webhookId).select('id', 'status', 'recordId', 'linePosition');
  expect(collected.map(({ status }) => status as string)).toEqual([
    ...Array.from({ length: BURST.messages }, () => 'pending'),
    'collecting',
    'collecting',
    'collecting',
  ]);
  await pass(webhookId);
  const made: string[] = [];
  while ((await dueOf(webhookId)).length > 0)
    made.push((await mergeDigest({ db, baseUrl: 'https://watch.example' }, webhookId)) ?? '');
  await save();
  const digests = await db('deliveries').whereIn('id', made).orderBy('id').select('recordId', 'linePosition');
  expect(digests).toEqual([
    { recordId: other, linePosition: collected.at(-3)?.linePosition },
    { recordId, linePosition: collected.at(-1)?.linePosition },
  ]);

  const digest = await findDelivery(db, made.at(-1) ?? '');
  if (digest === undefined) throw new Error('There is a digest');
  expect(digest.isOrdered).toBe(true);
  expect((await leaseLines(db, [digest])).size).toBe(0);
  await deliveries(webhookId)
    .where({ status: 'pending', eventType: 'delta' })
    .update({ status: 'delivered', nextAttemptAt: null, finishedAt: new Date() });
  await db('deliveryTurns').where({ webhookId }).delete();
  expect((await leaseLines(db, [digest])).has(digest.id)).toBe(true);
});

it('regression: events that are collected get their places in the line when the webhook becomes ordered', async () => {
  const webhookId = await newWebhook({ ordered: true });
  for (let change_ = 0; change_ <= BURST.messages; change_ += 1) await change();
  const before = await deliveries(webhookId).select('status', 'linePosition');
  expect(before.at(-1)).toMatchObject({ status: 'collecting', linePosition: expect.any(Number) });
  await updateWebhook(db, { accountId }, webhookId, { ordered: false });
  expect(await deliveries(webhookId).whereNotNull('linePosition')).toEqual([]);
  await updateWebhook(db, { accountId }, webhookId, { ordered: true });
  expect(await deliveries(webhookId).select('status', 'linePosition')).toEqual(before);
});
