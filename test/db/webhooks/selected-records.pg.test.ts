// Webhooks of an account: which events they get, what they miss and recover, and what is left of them.
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eraseSomeOfAccount, markAccountDeleted } from '../../../db/accounts/accounts.ts';
import { commitProblemCheck, commitUnchangedCheck } from '../../../db/commit/checks.ts';
import { type Database, rawRows } from '../../../db/driver/knex.ts';
import { markRecordDeleted, updateRecord } from '../../../db/records/records.ts';
import { eraseSomeOfRecord, listPrunable, pruneRecords } from '../../../db/upkeep/retention.ts';
import { claimFirstAttempts } from '../../../db/webhooks/deliveries.ts';
import { leaseWaitingLines } from '../../../db/webhooks/lines.ts';
import { recordAttempts } from '../../../db/webhooks/record-attempts.ts';
import { insertTestDelivery, recoverDeliveries } from '../../../db/webhooks/reopen-deliveries.ts';
import { findNewestSelected } from '../../../db/webhooks/selected-records.ts';
import {
  findWebhook,
  insertWebhook,
  type SelectedRecords,
  updateWebhook,
  type WebhookSettings,
} from '../../../db/webhooks/webhooks.ts';
import { PROPERTY_TIMEOUT, propertyRuns } from '../../support/runner/property-runs.ts';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { checkFacts, commitTable, makeAccount, makeRecord, makeWebhook, newId, table } from '../factories.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
});
afterAll(() => database.drop());

const ALL = { selects: 'all' } as const;

async function webhookOf(
  accountId: string,
  selected: SelectedRecords = ALL,
  settings: Partial<WebhookSettings> = {},
): Promise<string> {
  const webhook = {
    id: newId('webhook'),
    accountId,
    url: 'https://example.com/all',
    sealedSecret: randomBytes(40),
  };
  await insertWebhook(db, { ...webhook, ...settings }, 1_000, selected);
  return webhook.id;
}

let version = 0;
/** Commits a change, after a baseline if there is none. @returns the check's id */
async function change(recordId: string, beforeEnd?: () => Promise<void>): Promise<string> {
  const next = () => table({ a: String((version += 1)) });
  if (!(await db('delta_events').where({ recordId }).first('id'))) await commitTable(db, recordId, next());
  const checkId = newId('check');
  await commitTable(db, recordId, next(), { checkId, ...(beforeEnd && { beforeEnd }) });
  return checkId;
}

const webhooksOfCheck = (checkId: string): Promise<string[]> =>
  db('deliveries').where({ checkId }).orderBy('webhookId').pluck('webhook_id');

const told = async (recordId: string): Promise<string[]> => webhooksOfCheck(await change(recordId));

const NAMES = ['team', 'env'] as const;
const labels = fc.dictionary(fc.constantFrom(...NAMES), fc.constantFrom('a', 'b'), { noNullPrototype: true });
const world = fc.record({
  records: fc.array(fc.record({ account: fc.nat(1), labels }), { minLength: 1, maxLength: 4 }),
  webhooks: fc.array(
    fc.record({
      account: fc.nat(1),
      enabled: fc.boolean(),
      chosen: fc.oneof(
        fc.constant('all' as const),
        labels.filter((wanted) => Object.keys(wanted).length > 0),
        fc.uniqueArray(fc.nat(3)),
      ),
    }),
    { maxLength: 6 },
  ),
});

describe('a change', () => {
  it(
    'is sent to the webhooks of its account that are for all records, for its labels, or for it',
    PROPERTY_TIMEOUT,
    async () => {
      await fc.assert(
        fc.asyncProperty(world, async ({ records, webhooks }) => {
          const accounts = [await makeAccount(db), await makeAccount(db)];
          const accountOf = ({ account }: { account: number }) => accounts[account] ?? '';
          const ids: string[] = [];
          for (const record of records)
            ids.push(await makeRecord(db, { accountId: accountOf(record), labels: record.labels }));
          const made: string[] = [];
          for (const webhook of webhooks) {
            const { chosen, enabled } = webhook;
            const recordIds = Array.isArray(chosen)
              ? chosen.filter((at) => records[at]?.account === webhook.account).map((at) => ids[at] ?? '')
              : [];
            const selected: SelectedRecords =
              chosen === 'all'
                ? ALL
                : Array.isArray(chosen)
                  ? { selects: 'list', recordIds }
                  : { selects: 'labels', labels: chosen };
            made.push(await webhookOf(accountOf(webhook), selected, { enabled }));
          }
          for (const [at, record] of records.entries()) {
            const isFor = ({ chosen }: (typeof webhooks)[number]) =>
              chosen === 'all' ||
              (Array.isArray(chosen)
                ? chosen.includes(at)
                : Object.entries(chosen).every(([name, value]) => record.labels[name as 'team'] === value));
            const wanted = made.filter((_, index) => {
              const webhook = webhooks[index];
              return webhook?.enabled && webhook.account === record.account && isFor(webhook);
            });
            expect(await told(ids[at] ?? '')).toEqual(wanted.toSorted());
          }
        }),
        propertyRuns(60),
      );
    },
  );

  it('is sent once to each, beside the webhooks of the record', async () => {
    const accountId = await makeAccount(db);
    const recordId = await makeRecord(db, { accountId, labels: { team: 'a' } });
    const own = await makeWebhook(db, recordId);
    const ofAccount = await webhookOf(accountId, { selects: 'list', recordIds: [recordId] });
    const filtered = await webhookOf(accountId, ALL, { changeTypes: ['deleted'] });
    const checkId = await change(recordId);
    expect(await webhooksOfCheck(checkId)).toEqual([own, ofAccount].toSorted());
    expect(filtered).not.toBe(ofAccount);
    expect((await claimFirstAttempts(db, checkId, 0)).map((due) => due.recordId)).toEqual([
      recordId,
      recordId,
    ]);
  });

  it('is matched when its commit writes the deliveries: a webhook that was made before gets it, a later one does not', async () => {
    const accountId = await makeAccount(db);
    const recordId = await makeRecord(db, { accountId });
    await change(recordId);
    const made: string[] = [];
    const checkId = await change(recordId, async () => {
      made.push(await webhookOf(accountId));
    });
    expect(await webhooksOfCheck(checkId)).toEqual(made);
    await db.transaction(async (trx) => {
      await updateWebhook(trx, { accountId }, made[0] ?? '', {}, { selects: 'list', recordIds: [] });
      // The change of the selection is not committed.
      expect(await told(recordId)).toEqual(made);
    });
    expect(await told(recordId)).toEqual([]);
  });

  it('follows the labels and the account that the record has at that moment', async () => {
    const [accountId, keeper] = [await makeAccount(db), await makeAccount(db)];
    const recordId = await makeRecord(db, { accountId, labels: { team: 'a' } });
    const ofA = await webhookOf(accountId, { selects: 'labels', labels: { team: 'a' } });
    const ofB = await webhookOf(accountId, { selects: 'labels', labels: { team: 'b' } });
    const ofKeeper = await webhookOf(keeper);
    expect(await told(recordId)).toEqual([ofA]);
    await updateRecord(db, recordId, { labels: { team: 'b' } });
    expect(await told(recordId)).toEqual([ofB]);
    // As when the record of a session is kept.
    await db('records').where({ id: recordId }).update({ accountId: keeper });
    expect(await told(recordId)).toEqual([ofKeeper]);
  });

  it('has a position in the line of its record', async () => {
    const accountId = await makeAccount(db);
    const [one, other] = [await makeRecord(db, { accountId }), await makeRecord(db, { accountId })];
    const webhookId = await webhookOf(accountId, ALL, { ordered: true });
    for (const recordId of [one, other, one]) await change(recordId);
    const lines = await db('deliveries')
      .where({ webhookId })
      .orderBy('id')
      .select('recordId', 'linePosition');
    expect(lines).toEqual([
      { recordId: one, linePosition: 2 },
      { recordId: other, linePosition: 2 },
      { recordId: one, linePosition: 3 },
    ]);
  });
});

it('the first failed check and the recovery are sent too', async () => {
  const accountId = await makeAccount(db);
  const recordId = await makeRecord(db, { accountId });
  await change(recordId);
  const eventTypes = ['check.failed', 'check.recovered'] as const;
  const webhookId = await webhookOf(accountId, ALL, { eventTypes: [...eventTypes], format: 'cloudevents' });
  await webhookOf(accountId, { selects: 'list', recordIds: [] }, { eventTypes: [...eventTypes] });
  const problem = { code: 'http_error', detail: 'In words.' } as const;
  for (let at = 0; at < 2; at += 1) await commitProblemCheck(db, 'failed', checkFacts(recordId), problem);
  const validators = { urlHash: 'hash', etag: null, lastModified: null };
  for (let at = 0; at < 2; at += 1) await commitUnchangedCheck(db, checkFacts(recordId), validators);
  expect(await db('deliveries').where({ recordId }).orderBy('id')).toMatchObject(
    eventTypes.map((eventType) => ({ webhookId, eventType, bodySettings: { recordName: 'Prices' } })),
  );
});

describe('a webhook that ends by itself', () => {
  const gone = async (webhookId: string, checkId: string) => {
    const due = await claimFirstAttempts(db, checkId, 0);
    const { id: deliveryId = '', url = '' } = due.find((each) => each.webhookId === webhookId) ?? {};
    const { notices } = await recordAttempts(db, [
      {
        deliveryId,
        webhookId,
        url,
        number: 1,
        startedAt: new Date(),
        durationMs: 1,
        statusCode: 410,
        errorCode: 'http_error',
        responseExcerpt: null,
        status: 'failed',
        nextAttemptInMs: null,
        reasonToDisable: 'The endpoint answered 410 Gone.',
      },
    ]);
    return db('deliveries')
      .whereIn('id', notices)
      .orderBy('webhookId')
      .select('webhookId', 'recordId', 'eventData');
  };

  it('is reported to the account; to the record’s webhooks only if it is one of them', async () => {
    const accountId = await makeAccount(db);
    const [recordId, sibling] = [await makeRecord(db, { accountId }), await makeRecord(db, { accountId })];
    const eventTypes: WebhookSettings['eventTypes'] = ['delta', 'webhook.disabled'];
    const [own, ownToo] = [await makeWebhook(db, recordId), await makeWebhook(db, recordId)];
    await updateWebhook(db, { recordId }, ownToo, { eventTypes });
    const ofAccount = await webhookOf(accountId, ALL, { eventTypes });
    const ofAccountToo = await webhookOf(accountId, ALL, { eventTypes });
    await webhookOf(accountId, { selects: 'list', recordIds: [sibling] }, { eventTypes });
    expect(await gone(own, await change(recordId))).toEqual(
      [ownToo, ofAccount, ofAccountToo].toSorted().map((webhookId) => ({
        webhookId,
        recordId,
        eventData: expect.objectContaining({ disabledWebhookId: own }) as object,
      })),
    );
    expect(await gone(ofAccount, await change(recordId))).toMatchObject([
      { webhookId: ofAccountToo, recordId, eventData: { disabledWebhookId: ofAccount } },
    ]);
    expect(await findWebhook(db, { accountId }, ofAccount)).toMatchObject({
      enabled: false,
      disabledReason: 'The endpoint answered 410 Gone.',
    });
    expect(await told(recordId)).toEqual([ownToo, ofAccountToo].toSorted());
  });
});

describe('a recovery', () => {
  it('takes the missed events of the records for which the webhook is now, oldest first', async () => {
    const accountId = await makeAccount(db);
    const [one, other, left] = [
      await makeRecord(db, { accountId, labels: { team: 'a' } }),
      await makeRecord(db, { accountId, labels: { team: 'a' } }),
      await makeRecord(db, { accountId }),
    ];
    const before = await change(one);
    const webhookId = await webhookOf(
      accountId,
      { selects: 'labels', labels: { team: 'a' } },
      { enabled: false },
    );
    const missed = [await change(one), await change(other), await change(one)];
    await change(left);
    await change(await makeRecord(db));
    await updateWebhook(db, { accountId }, webhookId, { enabled: true });
    const request = { since: new Date(0), isDryRun: false, limit: 2 };
    expect(await recoverDeliveries(db, webhookId, { ...request, isDryRun: true })).toEqual({
      count: 2,
      hasMore: true,
    });
    expect(await recoverDeliveries(db, webhookId, request)).toEqual({ count: 2, hasMore: true });
    expect(await recoverDeliveries(db, webhookId, request)).toEqual({ count: 1, hasMore: false });
    const checks = await db('deliveries')
      .join('delta_events', 'delta_events.id', 'deliveries.delta_event_id')
      .where({ webhookId })
      .orderBy('deliveries.id')
      .pluck('delta_events.check_id');
    expect(checks).toEqual(missed);
    expect(checks).not.toContain(before);
  });
});

describe('what is left', () => {
  it('the waiting line of a deleted record gets no lease', async () => {
    const accountId = await makeAccount(db);
    const [gone, kept] = [await makeRecord(db, { accountId }), await makeRecord(db, { accountId })];
    const webhookId = await webhookOf(accountId, ALL, { ordered: true });
    for (const recordId of [gone, kept]) await change(recordId);
    await db('deliveries').where({ webhookId }).update({ inBacklog: true });
    await markRecordDeleted(db, gone);
    const { firsts } = await leaseWaitingLines(db, webhookId, 1);
    expect(firsts).toMatchObject([{ recordId: kept }]);
    expect(await db('delivery_turns').where({ webhookId }).pluck('record_id')).toEqual([kept]);
  });

  it('a list without its deleted record is for none, and nothing of the record remains', async () => {
    const accountId = await makeAccount(db);
    const [recordId, sibling] = [await makeRecord(db, { accountId }), await makeRecord(db, { accountId })];
    const webhookId = await webhookOf(accountId, { selects: 'list', recordIds: [recordId] });
    await change(recordId);
    await insertTestDelivery(db, { webhookId, recordId }, 'delta', { isTest: true });
    expect(await findNewestSelected(db, webhookId)).toBe(recordId);
    await markRecordDeleted(db, recordId);
    expect(await findWebhook(db, { accountId }, webhookId)).toMatchObject({ selects: 'list', recordIds: [] });
    expect(await findNewestSelected(db, webhookId)).toBeUndefined();
    for (let isErased = false; !isErased;) isErased = await eraseSomeOfRecord(db, recordId, 1);
    expect(await db('deliveries').where({ webhookId })).toEqual([]);
    expect(await db('webhook_records').where({ webhookId })).toEqual([]);
    expect(await told(sibling)).toEqual([]);
  });

  it('old tests are pruned with the record’s history', async () => {
    const accountId = await makeAccount(db);
    const recordId = await makeRecord(db, { accountId });
    const webhookId = await webhookOf(accountId);
    await insertTestDelivery(db, { webhookId, recordId }, 'delta', { isTest: true });
    const young = await insertTestDelivery(db, { webhookId, recordId }, 'delta', { isTest: true });
    await db('deliveries')
      .where({ webhookId })
      .whereNot({ id: String(young) })
      .update({ id: `dlv_${'0'.repeat(32)}` });
    expect(await listPrunable(db, [recordId], 30)).toEqual([recordId]);
    expect(await pruneRecords(db, [recordId], 30, 10)).toBe(1);
    expect(await db('deliveries').where({ webhookId }).pluck('id')).toEqual([young]);
  });

  it('an erased account leaves no webhook', async () => {
    const accountId = await makeAccount(db);
    const webhookId = await webhookOf(accountId);
    await markAccountDeleted(db, accountId, 1);
    expect(await eraseSomeOfAccount(db, accountId, 10)).toBe(true);
    expect(await db('webhooks').where({ id: webhookId })).toEqual([]);
    await expect(webhookOf(accountId)).resolves.toBeDefined();
    expect(await db('webhooks').where({ accountId })).toEqual([]);
  });
});

it('the version before, which finds webhooks by their record, sees none', async () => {
  const accountId = await makeAccount(db);
  const recordId = await makeRecord(db, { accountId });
  await webhookOf(accountId, { selects: 'list', recordIds: [recordId] });
  const seen = await rawRows(
    db,
    `select id from webhooks where record_id = :recordId
     union all select webhooks.id from record_heads join webhooks using (record_id) where record_id = :recordId`,
    { recordId },
  );
  expect(seen).toEqual([]);
});
