// Webhooks that are told of failing checks after several of them, and of the recovery only then.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { CheckTrigger } from '../../../core/checks.ts';
import type { WebhookEventType } from '../../../core/deliveries.ts';
import { commitProblemCheck, commitUnchangedCheck } from '../../../db/commit/checks.ts';
import type { Database } from '../../../db/driver/knex.ts';
import { insertWebhook, updateWebhook } from '../../../db/webhooks/webhooks.ts';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { until } from '../../support/until.ts';
import { checkFacts, commitTable, makeAccount, makeRecord, newId, table } from '../factories.ts';

const VALIDATORS = { urlHash: 'hash', etag: null, lastModified: null };
const PROBLEM = { code: 'http_error', detail: 'The origin answered 500.' } as const;
const BOTH: WebhookEventType[] = ['check.failed', 'check.recovered'];

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
  recordId = await makeRecord(db, { accountId });
  await commitTable(db, recordId, table({ a: '0' }));
});
afterAll(() => database.drop());

async function newWebhook(failingAfter: number, eventTypes = BOTH): Promise<string> {
  const id = newId('webhook');
  const webhook = { id, recordId, url: 'https://example.com/', sealedSecret: randomBytes(40), eventTypes };
  await insertWebhook(db, { ...webhook, failingAfter }, 20);
  return id;
}

const fail = (trigger: CheckTrigger = 'schedule') =>
  commitProblemCheck(db, 'failed', checkFacts(recordId, { trigger }), PROBLEM);
const hold = () => commitProblemCheck(db, 'held', checkFacts(recordId), { ...PROBLEM, code: 'sharp_drop' });
const findsNothing = () => commitUnchangedCheck(db, checkFacts(recordId), VALIDATORS);
let version = 0;
const findsChange = () => commitTable(db, recordId, table({ a: String((version += 1)) }));

const told = (webhookId: string): Promise<string[]> =>
  db('deliveries').where({ webhookId }).orderBy('id').pluck('event_type');

it('regression: tells of the recovery, and not again of the failure, after the webhook asked for more of them', async () => {
  const [ofRecord, stranger] = [await newWebhook(1), await newWebhook(1)];
  await fail();
  // An earlier version has noted nothing.
  await db('failureNotices').where({ recordId }).delete();
  await updateWebhook(db, { recordId }, ofRecord, { failingAfter: 3 });
  const other = await makeRecord(db, { accountId });
  expect(await updateWebhook(db, { recordId: other }, stranger, { failingAfter: 3 })).toBeUndefined();
  expect(await db('failureNotices').where({ recordId }).pluck('webhook_id')).toEqual([ofRecord]);
  for (let at = 0; at < 3; at += 1) await fail();
  await findsNothing();
  expect(await told(ofRecord)).toEqual(BOTH);
});

it.each([
  ['no change', findsNothing],
  ['a change', findsChange],
])('sends the third failure, once, and the recovery that finds %s', async (_what, recover) => {
  const [first, third] = [await newWebhook(1), await newWebhook(3)];
  const counts = [];
  for (let at = 0; at < 5; at += 1) counts.push((await fail())?.count ?? 0);
  expect(counts).toEqual([1, 0, 1, 0, 0]);
  await recover();
  await findsNothing();
  expect(await told(third)).toEqual(BOTH);
  expect(await told(first)).toEqual(BOTH);
  const failures = await db('deliveries').where({ recordId, eventType: 'check.failed' }).orderBy('id');
  const [early, late] = failures.map(
    ({ eventData }) => eventData as { failingSince: string; checkId: string },
  );
  expect(late).toMatchObject({ failingSince: early?.failingSince, error: { detail: PROBLEM.detail } });
  expect(late?.checkId).not.toBe(early?.checkId);
});

it.each([
  ['no change', findsNothing],
  ['a change', findsChange],
])('says nothing of fewer failures, nor of their end with %s', async (_what, recover) => {
  const third = await newWebhook(3);
  for (let series = 0; series < 2; series += 1) {
    await fail();
    await fail();
    await recover();
  }
  expect(await told(third)).toEqual([]);
  await fail();
  await fail();
  await fail();
  expect(await told(third)).toEqual(['check.failed']);
});

it('counts failures of the origin in a row, and tells a series once', async () => {
  const second = await newWebhook(2);
  await fail();
  await fail('settings');
  expect(await told(second)).toEqual([]);
  await hold();
  await fail();
  expect(await told(second)).toEqual([]);
  await fail();
  await hold();
  await fail();
  await fail();
  await updateWebhook(db, { recordId }, second, { failingAfter: 3 });
  await fail();
  expect(await told(second)).toEqual(['check.failed']);
  await findsNothing();
  expect(await told(second)).toEqual(BOTH);
});

it('sends the recovery alone to a webhook that asks for nothing else', async () => {
  const second = await newWebhook(2, ['check.recovered']);
  await fail();
  await findsNothing();
  expect(await told(second)).toEqual([]);
  await fail();
  await fail();
  await findsNothing();
  expect(await told(second)).toEqual(['check.recovered']);
});

it('notes a series once for webhooks with the default', async () => {
  const first = await newWebhook(1);
  await newWebhook(1, ['delta']);
  await fail();
  const noted = await db('failureNotices').where({ recordId });
  expect(noted).toMatchObject([{ webhookId: first }]);
  await fail();
  expect(await db('failureNotices').where({ recordId })).toEqual(noted);
});

it('regression: tells of the recovery when failingAfter was growing during the first failed check', async () => {
  const first = await newWebhook(1);
  const { failing } = await db.transaction(async (trx) => {
    await updateWebhook(trx, { recordId }, first, { failingAfter: 3 });
    let hasEnded = false;
    const check = { failing: fail().finally(() => (hasEnded = true)) };
    await until('the check has ended, or waits', async () => hasEnded || (await isSomebodyWaiting()));
    return check;
  });
  await failing;
  expect(await told(first)).toEqual(['check.failed']);
  await findsNothing();
  expect(await told(first)).toEqual(BOTH);
});

const isSomebodyWaiting = async (): Promise<boolean> => {
  const waiting = await db('pg_stat_activity').where({
    datname: db.raw('current_database()'),
    waitEventType: 'Lock',
  });
  return waiting.length > 0;
};
