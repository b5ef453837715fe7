// Events that wait for a digest or the end of a burst, when the settings of their webhook change or they begin to wait again.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createCursorCodec } from '../../../core/crypto/cursor.ts';
import type { Digest } from '../../../core/notices/digest-times.ts';
import type { Database } from '../../../db/driver/knex.ts';
import { readDeliveredEvents } from '../../../db/rows/delta-events.ts';
import { BURST } from '../../../db/webhooks/collecting.ts';
import { findDelivery } from '../../../db/webhooks/deliveries.ts';
import { readDeliveryBody } from '../../../db/webhooks/delivery-body.ts';
import { listDueDigests, mergeDigest } from '../../../db/webhooks/digests.ts';
import { recoverDeliveries } from '../../../db/webhooks/reopen-deliveries.ts';
import { insertWebhook, updateWebhook, type WebhookSettings } from '../../../db/webhooks/webhooks.ts';
import { testKeys } from '../../support/rows/factories.ts';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { commitTable, makeAccount, makeRecord, newId, table } from '../factories.ts';

const HOURLY: Digest = { every: 'hour' };
const BASE = 'https://watch.example';
const UNDECIDED = 'Not all rows could be looked at for the condition.';

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
  recordId = await newRecord('Jams');
});
afterAll(() => database.drop());

/** For all records of the account. */
async function newWebhook(settings: Partial<WebhookSettings> = { digest: HOURLY }): Promise<string> {
  const id = newId('webhook');
  const webhook = { id, accountId, url: 'https://chat.example/hook', sealedSecret: randomBytes(40) };
  await insertWebhook(db, { ...webhook, format: 'slack', ...settings }, 20, { selects: 'all' });
  return id;
}

async function newRecord(name: string): Promise<string> {
  const id = await makeRecord(db, { accountId, name });
  await commitTable(db, id, table({ a: '0' }));
  return id;
}

let version = 0;
const change = (id = recordId) => commitTable(db, id, table({ a: String((version += 1)) }));

const patch = (id: string, changes: Partial<WebhookSettings>) =>
  updateWebhook(db, { accountId }, id, changes);
const deliveries = (webhookId: string) => db('deliveries').where({ webhookId }).orderBy('id');
const isDue = async (id: string): Promise<boolean> => (await listDueDigests(db)).includes(id);
const merge = (id: string) => mergeDigest({ db, baseUrl: BASE }, id);

/** Moves what has happened so far into the past. */
const pass = (webhookId: string, minutes: number) =>
  deliveries(webhookId).update({
    createdAt: db.raw(`created_at - ? * interval '1 minute'`, [minutes]),
    waitsSince: db.raw(`waits_since - ? * interval '1 minute'`, [minutes]),
  });

async function bodyOf(id = ''): Promise<string> {
  const delivery = await findDelivery(db, id);
  if (delivery === undefined) throw new Error('There is a delivery');
  const events = await readDeliveredEvents(db, [delivery]);
  const sources = { db, cursors: createCursorCodec(testKeys), baseUrl: BASE };
  return (await readDeliveryBody(sources, delivery, events.get(delivery.deltaEventId ?? ''))) ?? '';
}

describe('another format', () => {
  it('regression: is that of a digest, which goes to the present URL', async () => {
    const webhookId = await newWebhook();
    await change();
    await patch(webhookId, { format: 'discord', url: 'https://other.example/hook' });
    expect(JSON.parse(await bodyOf(await merge(webhookId)))).toMatchObject({
      content: String.raw`Jams\: 1 changed row`,
    });
  });

  it('regression: for programs sends each event alone, at once', async () => {
    const [keys, rows] = [await newWebhook(), await newWebhook()];
    await change();
    await change();
    await patch(keys, { format: 'json', digest: null });
    await patch(rows, { format: 'cloudevents', include: 'rows', digest: null });
    for (const id of [keys, rows])
      expect(await deliveries(id).pluck('status')).toEqual(['pending', 'pending']);
    const [ofKeys, ofRows] = [await deliveries(keys).pluck('id'), await deliveries(rows).pluck('id')];
    expect(JSON.parse(await bodyOf(ofKeys[0]))).toMatchObject({ event: 'delta', changedKeys: ['a'] });
    expect(JSON.parse(await bodyOf(ofRows[0]))).toMatchObject({
      specversion: '1.0',
      data: { rows: [{ key: 'a' }] },
    });
  });

  it('regression: for programs sends no digest of events that were committed meanwhile', async () => {
    const webhookId = await newWebhook();
    await change();
    await db('webhooks').where({ id: webhookId }).update({ format: 'json', digest: null });
    expect(await merge(webhookId)).toBeUndefined();
    const [delivery, ...more] = await deliveries(webhookId).select('id', 'status', 'eventType');
    expect(more).toEqual([]);
    expect(delivery).toMatchObject({ status: 'pending', eventType: 'delta' });
    expect(JSON.parse(await bodyOf(delivery.id))).toMatchObject({ event: 'delta', changedKeys: ['a'] });
  });

  it('regression: is that of the events of a burst that are now sent one at a time, under their own filters', async () => {
    const webhookId = await newWebhook({ changeTypes: ['changed'] });
    for (let at = 0; at <= BURST.messages; at += 1) await change();
    await patch(webhookId, { format: 'discord', ordered: true, changeTypes: ['new'] });
    const ids = await deliveries(webhookId).pluck('id');
    expect(JSON.parse(await bodyOf(ids.at(-1)))).toMatchObject({ content: String.raw`Jams\: 1 changed row` });
  });
});

describe('another time', () => {
  it('regression: is waited for from the change of the setting on', async () => {
    const webhookId = await newWebhook({ digest: { every: 'day', at: '00:00', timeZone: 'UTC' } });
    await change();
    await pass(webhookId, 65);
    await patch(webhookId, { digest: HOURLY });
    expect(await isDue(webhookId)).toBe(false);
    await pass(webhookId, 60);
    expect(await isDue(webhookId)).toBe(true);
  });

  it('is none when the same setting is written again', async () => {
    const webhookId = await newWebhook();
    await change();
    await pass(webhookId, 60);
    await patch(webhookId, { digest: HOURLY, description: 'Jams' });
    expect(await isDue(webhookId)).toBe(true);
  });
});

describe('events that are recovered', () => {
  const recover = (webhookId: string) =>
    recoverDeliveries(db, webhookId, {
      since: new Date(Date.now() - 4 * 3_600_000),
      isDryRun: false,
      limit: 10,
    });

  it.each([
    ['cancelled', (webhookId: string) => deliveries(webhookId).update({ status: 'cancelled' })],
    ['missed', (webhookId: string) => deliveries(webhookId).delete()],
  ])('regression: wait for the next digest (%s)', async (_which, lose) => {
    const webhookId = await newWebhook();
    await db('webhooks')
      .where({ id: webhookId })
      .update({ createdAt: db.raw(`now() - interval '3 hours'`) });
    await change();
    await lose(webhookId);
    const past = db.raw(`now() - interval '2 hours'`);
    await deliveries(webhookId).update({ createdAt: past });
    await db('deltaEvents').where({ recordId }).update({ detectedAt: past });
    await recover(webhookId);
    expect(await deliveries(webhookId).pluck('status')).toContain('collecting');
    expect(await isDue(webhookId)).toBe(false);
    await pass(webhookId, 60);
    expect(await isDue(webhookId)).toBe(true);
  });
});

it('regression: a digest says of which records a condition could not be asked about all rows', async () => {
  const webhookId = await newWebhook();
  const other = await newRecord('Teas');
  for (const id of [recordId, recordId, other]) await change(id);
  // The older event of the first record.
  const [{ id: older }] = await deliveries(webhookId).where({ recordId }).select('id');
  await db('deliveries').where({ id: older }).update({ conditionOutcome: 'undecided' });
  const { text, blocks } = JSON.parse(await bodyOf(await merge(webhookId)));
  expect(text).not.toContain(UNDECIDED);
  expect(blocks[1].text.text).toMatch(/^Teas: 1 changed row. a: /);
  expect(blocks[2].text.text).toContain(`Jams: 2 changed rows in 2 events. ${UNDECIDED} a: value`);
});

it('regression: a message says whether a condition could not be asked about all rows', async () => {
  const webhookId = await newWebhook({});
  await change();
  const [id] = await deliveries(webhookId).pluck('id');
  expect(await bodyOf(id)).not.toContain(UNDECIDED);
  await db('deliveries').where({ id }).update({ conditionOutcome: 'undecided' });
  expect(await bodyOf(id)).toContain(UNDECIDED);
});
