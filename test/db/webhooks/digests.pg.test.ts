// Events that wait for a digest: when they are sent, as what, and what becomes true when webhooks, records and events go.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createCursorCodec } from '../../../core/crypto/cursor.ts';
import type { WebhookEventType } from '../../../core/deliveries.ts';
import type { Digest } from '../../../core/notices/digest-times.ts';
import { digestNotice, MOST_SECTIONS } from '../../../core/notices/digest-words.ts';
import { commitProblemCheck, commitUnchangedCheck } from '../../../db/commit/checks.ts';
import type { Database } from '../../../db/driver/knex.ts';
import { watchFleet } from '../../../db/upkeep/fleet-state.ts';
import { listOverdueBacklogs, listOverdueDeliveries } from '../../../db/upkeep/overdue.ts';
import { eraseSomeOfRecord, pruneRecords } from '../../../db/upkeep/retention.ts';
import { BURST } from '../../../db/webhooks/collecting.ts';
import { findDelivery } from '../../../db/webhooks/deliveries.ts';
import { readDeliveryActivity } from '../../../db/webhooks/delivery-activity.ts';
import { readDeliveryBody } from '../../../db/webhooks/delivery-body.ts';
import { findDeliveryLog, listDeliveries } from '../../../db/webhooks/delivery-log.ts';
import { forgetInDigests, listDueDigests, mergeDigest } from '../../../db/webhooks/digests.ts';
import { recordAttempts } from '../../../db/webhooks/record-attempts.ts';
import { recoverDeliveries, reopenDelivery } from '../../../db/webhooks/reopen-deliveries.ts';
import {
  insertWebhook,
  updateWebhook,
  type WebhookOwner,
  type WebhookSettings,
} from '../../../db/webhooks/webhooks.ts';
import { testKeys } from '../../support/rows/factories.ts';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { until } from '../../support/until.ts';
import { checkFacts, commitTable, makeAccount, makeRecord, newId, table } from '../factories.ts';

const HOURLY: Digest = { every: 'hour' };
const BASE = 'https://watch.example';
const VALIDATORS = { urlHash: 'hash', etag: null, lastModified: null };
const PROBLEM = { code: 'http_error', detail: 'The origin answered 500.' } as const;

const EVENTS: WebhookEventType[] = ['delta', 'check.failed', 'check.recovered'];

let database: TestDatabase;
let db: Database;
let accountId: string;
let owner: WebhookOwner;
let recordId: string;
let webhookId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
});
beforeEach(async () => {
  accountId = await makeAccount(db);
  owner = { accountId };
  webhookId = await newWebhook({ digest: HOURLY });
  recordId = await newRecord('Jams');
});
afterAll(() => database.drop());

/** For all records of the account. */
async function newWebhook(settings: Partial<WebhookSettings>): Promise<string> {
  const id = newId('webhook');
  const url = 'https://example.com/hook';
  const webhook = {
    id,
    accountId,
    url,
    sealedSecret: randomBytes(40),
    format: 'slack',
    eventTypes: EVENTS,
    ...settings,
  } as const;
  await insertWebhook(db, webhook, 20, { selects: 'all' });
  return id;
}

async function newRecord(name: string): Promise<string> {
  const id = await makeRecord(db, { accountId, name });
  await commitTable(db, id, table({ a: '0' }));
  return id;
}

let version = 0;
const change = (id = recordId) => commitTable(db, id, table({ a: String((version += 1)) }));
const fail = (id = recordId) => commitProblemCheck(db, 'failed', checkFacts(id), PROBLEM);
const findsNothing = (id = recordId) => commitUnchangedCheck(db, checkFacts(id), VALIDATORS);

const statuses = (of = webhookId): Promise<string[]> =>
  db('deliveries').where({ webhookId: of }).orderBy('id').pluck('status');

/** Moves what has happened so far into the past. */
const pass = (minutes: number, of = webhookId) =>
  db('deliveries')
    .where({ webhookId: of })
    .update({
      createdAt: db.raw(`created_at - ? * interval '1 minute'`, [minutes]),
      waitsSince: db.raw(`waits_since - ? * interval '1 minute'`, [minutes]),
    });

const isDue = async (of = webhookId): Promise<boolean> => (await listDueDigests(db)).includes(of);
const merge = (of = webhookId) => mergeDigest({ db, baseUrl: BASE }, of);

/** The digest of all that was collected. */
async function digestOf(of = webhookId): Promise<string> {
  const id = await merge(of);
  if (id === undefined) throw new Error('There is nothing to send');
  return id;
}

const list = (of = webhookId) =>
  listDeliveries(db, of, { status: null, since: null }, 'asc', { after: null, limit: 50 });

/** The title and the lines of its message for Slack. */
async function textsOf(id: string): Promise<string[]> {
  const delivery = await findDelivery(db, id);
  if (delivery === undefined) throw new Error('There is a delivery');
  const sources = { db, cursors: createCursorCodec(testKeys), baseUrl: BASE };
  const body = (await readDeliveryBody(sources, delivery, undefined)) ?? '{}';
  const { blocks } = JSON.parse(body) as { blocks: { text: { text: string } }[] };
  return blocks.slice(0, -1).map(({ text }) => text.text);
}

it('are collected, and are no deliveries yet', async () => {
  const other = await newRecord('Teas');
  expect(await change()).toMatchObject({ outcome: 'changed', pendingDeliveries: 0 });
  await change(other);
  expect(await statuses()).toEqual(['collecting', 'collecting']);
  expect(await list()).toEqual([]);
  const [id = ''] = await db('deliveries').where({ webhookId }).pluck('id');
  expect(await findDeliveryLog(db, id, webhookId)).toBeUndefined();
  expect(await reopenDelivery(db, id)).toBe(false);
  expect((await readDeliveryActivity(db, [webhookId])).get(webhookId)).toMatchObject({
    pending: 0,
    lastId: null,
  });
  expect(await listOverdueDeliveries(db, -86_400_000, 10)).toEqual([]);
  expect(await listOverdueBacklogs(db, -86_400_000, 10)).toEqual([]);
  const fleet = watchFleet(db, { everyMs: 10, onError: (error) => expect.fail(String(error)) });
  const { deliveries } = await until('the fleet was read', () => fleet.latest());
  fleet.close();
  expect(deliveries).toMatchObject({ pending: 0, oldestSeconds: 0 });
});

it('become one delivery about all records, which says the same at each attempt', async () => {
  const other = await newRecord('Teas');
  await change();
  await change(other);
  await change();
  await fail(other);
  await findsNothing(other);
  await db('records').where({ id: recordId }).update({ name: 'Renamed' });
  const id = await digestOf();
  const [digest, ...more] = await list();
  expect(more).toEqual([]);
  expect(digest).toMatchObject({
    id,
    eventType: 'digest',
    deltaEventId: null,
    status: 'pending',
    recordId: other,
  });
  const texts = await textsOf(id);
  const value = (at: number): string => String(version - at);
  expect(texts).toEqual([
    '5 events of 2 records',
    `Teas: 1 changed row, checks fail and checks work again. a: value 0 to ${value(1)}`,
    `Jams: 2 changed rows in 2 events. a: value ${value(2)} to ${value(0)}`,
  ]);
  expect(await listOverdueDeliveries(db, 0, 10)).toContain(id);
  // What happens after it was made is for the next one.
  await change();
  await db('deltaEvents').whereIn('recordId', [recordId, other]).delete();
  expect(await textsOf(id)).toEqual(texts);
  expect(await merge()).toBeUndefined();
});

it('regression: are an alarm only where the last state of a record is one', async () => {
  const isAlarm = async (id: string): Promise<boolean> => {
    const [{ eventData }] = await db('deliveries').where({ id }).select('eventData');
    return digestNotice(BASE, JSON.stringify(eventData)).isAlarm;
  };
  await fail();
  await findsNothing();
  expect(await isAlarm(await digestOf())).toBe(false);
  await change();
  await fail();
  expect(await isAlarm(await digestOf())).toBe(true);
  await db('deliveries').where({ webhookId }).delete();
});

it('regression: name first the records whose alarm is still open, however many others changed since', async () => {
  await fail();
  const others = await Promise.all(
    Array.from({ length: MOST_SECTIONS + 1 }, (_, at) => newRecord(`Tea ${at}`)),
  );
  for (const id of others) await change(id);
  const id = await digestOf();
  const [{ eventData, recordId: ofDelivery }] = await db('deliveries').where({ id });
  expect(digestNotice(BASE, JSON.stringify(eventData)).isAlarm).toBe(true);
  expect(ofDelivery).toBe(recordId);
  const [title, first, second, ...more] = await textsOf(id);
  expect(title).toBe('10 events of 10 records');
  expect(first).toMatch(/^Jams: checks fail\. /);
  expect(second).toMatch(/^Tea 8: 1 changed row\. /);
  expect(more.at(-1)).toBe('and 2 more records');
  await db('deliveries').where({ webhookId }).delete();
});

it('are sent only where the filters and the condition let them pass', async () => {
  const condition = { '>': [{ var: 'deletedCount' }, 0] };
  const strict = await newWebhook({ digest: HOURLY, condition, changeTypes: ['new', 'deleted'] });
  await change();
  expect(await statuses(strict)).toEqual([]);
  await commitTable(db, recordId, table({ b: '1' }));
  expect(await statuses(strict)).toEqual(['collecting']);
  expect(await textsOf(await digestOf(strict))).toEqual([
    'Jams: 1 new and 1 deleted rows',
    'a is gone',
    'b is new',
  ]);
});

it('regression: count each event under the filters of its time', async () => {
  await change();
  await updateWebhook(db, owner, webhookId, { changeTypes: ['new'] });
  await commitTable(db, recordId, table({ a: 'again', b: '1', c: '1' }));
  await updateWebhook(db, owner, webhookId, { changeTypes: null, columns: ['value'] });
  await commitTable(db, recordId, table({ a: 'and again', b: '1' }));
  const [title] = await textsOf(await digestOf());
  expect(title).toBe('Jams: 2 new, at least 1 changed and 1 deleted rows in 3 events');
});

describe('are due', () => {
  it('at the next full hour, in one message however often it is asked', async () => {
    await change();
    expect(await isDue()).toBe(false);
    await pass(60);
    expect(await isDue()).toBe(true);
    const made = await Promise.all([1, 2, 3, 4].map(() => merge()));
    expect(made.filter((id) => id !== undefined)).toHaveLength(1);
    expect(await isDue()).toBe(false);
    expect(await statuses()).toEqual(['merged', 'pending']);
  });

  it('by the setting of now', async () => {
    await change();
    await updateWebhook(db, owner, webhookId, { digest: { every: 'day', at: '08:00', timeZone: 'UTC' } });
    await pass(60 * 24);
    expect(await isDue()).toBe(true);
    await pass(-60 * 24);
    expect(await isDue()).toBe(false);
  });

  it('also when the webhook has no digest any more', async () => {
    await change();
    await updateWebhook(db, owner, webhookId, { digest: null });
    await pass(BURST.minutes);
    expect(await isDue()).toBe(true);
    await digestOf();
    expect(await statuses()).toEqual(['merged', 'pending']);
    expect(await change()).toMatchObject({ pendingDeliveries: 1 });
  });

  it('regression: by another worker when this one does not know the setting', async () => {
    await change();
    await db('webhooks')
      .where({ id: webhookId })
      .update({ digest: { every: 'day', at: '08:00', timeZone: 'Moon/Tycho' } });
    await pass(2 * 1_440);
    expect(await isDue()).toBe(false);
    await updateWebhook(db, owner, webhookId, { digest: HOURLY });
    await pass(60);
    expect(await isDue()).toBe(true);
  });

  it('no sooner because others of the account are', async () => {
    const second = await newWebhook({ digest: HOURLY });
    await change();
    await pass(60);
    expect([await isDue(), await isDue(second)]).toEqual([true, false]);
    await digestOf();
    expect(await statuses(second)).toEqual(['collecting']);
  });
});

it('survive a process that dies before its digest is committed', async () => {
  await change();
  await db.raw(`
    create function die() returns trigger language plpgsql as $$ begin raise exception 'killed'; end $$;
    create trigger dies before insert on deliveries for each row when (new.event_type = 'digest') execute function die()`);
  await expect(merge()).rejects.toThrow('killed');
  await db.raw('drop function die cascade');
  expect(await statuses()).toEqual(['collecting']);
  await digestOf();
});

describe('after a webhook was disabled', () => {
  it.each([
    ['by its owner', () => updateWebhook(db, owner, webhookId, { enabled: false })],
    [
      'by its endpoint',
      async () => {
        const second = await digestOf();
        await change();
        const [delivery] = await db('deliveries').where({ id: second });
        await recordAttempts(db, [
          {
            deliveryId: delivery.id,
            webhookId,
            number: 1,
            startedAt: new Date(),
            durationMs: 1,
            statusCode: 410,
            errorCode: 'http_error',
            responseExcerpt: null,
            status: 'pending',
            nextAttemptInMs: 1_000,
            url: 'https://example.com/hook',
            reasonToDisable: 'Gone.',
          },
        ]);
      },
    ],
  ])('are cancelled (%s), and are recovered as one message', async (_by, disable) => {
    await change();
    await change();
    await disable();
    const ended = await statuses();
    expect(ended).not.toContain('collecting');
    expect(ended).toContain('cancelled');
    expect(await merge()).toBeUndefined();
    await updateWebhook(db, owner, webhookId, { enabled: true });
    const since = new Date(Date.now() - 3_600_000);
    // One that was missed meanwhile, too.
    await db('deliveries').where({ webhookId }).whereNotIn('status', ['cancelled', 'failed']).delete();
    const recovery = await recoverDeliveries(db, webhookId, { since, isDryRun: false, limit: 100 });
    expect(recovery?.count).toBeGreaterThan(0);
    const collected = (await statuses()).filter((status) => status === 'collecting');
    expect(collected.length).toBeGreaterThan(0);
    const digest = await digestOf();
    expect(await listOverdueDeliveries(db, 0, 10)).toContain(digest);
    expect((await statuses()).filter((status) => status === 'collecting')).toEqual([]);
  });

  it('are not sent when they were committed meanwhile', async () => {
    await change();
    await db('webhooks').where({ id: webhookId }).update({ enabled: false });
    expect(await merge()).toBeUndefined();
    expect(await statuses()).toEqual(['cancelled']);
  });
});

it('are recovered alone when they were made for programs', async () => {
  const formerly = await newWebhook({ format: 'json' });
  await change();
  await db('deliveries').where({ webhookId: formerly }).update({ status: 'failed', nextAttemptAt: null });
  await updateWebhook(db, owner, formerly, { format: 'slack', digest: HOURLY });
  const since = new Date(Date.now() - 3_600_000);
  await recoverDeliveries(db, formerly, { since, isDryRun: false, limit: 10 });
  expect(await statuses(formerly)).toEqual(['pending']);
});

it('leave nothing to recover once they are sent', async () => {
  await change();
  await digestOf();
  const since = new Date(Date.now() - 3_600_000);
  expect(await recoverDeliveries(db, webhookId, { since, isDryRun: true, limit: 10 })).toMatchObject({
    count: 0,
  });
});

const remove = async (id: string): Promise<void> => {
  await db('records').where({ id }).update({ deletedAt: new Date() });
};
const erase = (id: string) =>
  until('the record is erased', async () => ((await eraseSomeOfRecord(db, id, 100)) ? true : undefined));

describe('of a deleted record', () => {
  it('are in no digest that is made afterwards', async () => {
    const other = await newRecord('Teas');
    await change();
    await change(other);
    await remove(recordId);
    expect(await textsOf(await digestOf())).toEqual([
      'Teas: 1 changed row',
      expect.stringContaining('a: value'),
    ]);
    await change(other);
    await remove(other);
    expect(await merge()).toBeUndefined();
  });

  it('regression: leave a digest when two of its records are erased at the same time', async () => {
    const [second, third] = [await newRecord('Teas'), await newRecord('Oils')];
    for (const id of [third, second, recordId]) await change(id);
    const id = await digestOf();
    const [one, two] = [await db.transaction(), await db.transaction()];
    await forgetInDigests(one, recordId);
    const waiting = forgetInDigests(two, second);
    await until('the second waits for the first', async () => {
      const { rows } = await db.raw<{ rows: unknown[] }>(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return rows.length > 0 ? true : undefined;
    });
    await one.commit();
    await waiting;
    await two.commit();
    expect(await findDelivery(db, id)).toMatchObject({ recordId: third });
    expect(await textsOf(id)).toEqual(['Oils: 1 changed row', expect.stringContaining('a: value')]);
  });

  it('leave a digest that waits, which continues about the others', async () => {
    const other = await newRecord('Teas');
    await change(other);
    await change();
    const id = await digestOf();
    await remove(recordId);
    await erase(recordId);
    expect(await findDelivery(db, id)).toMatchObject({ recordId: other, status: 'pending' });
    const texts = await textsOf(id);
    expect(texts).toEqual(['Teas: 1 changed row', expect.stringContaining('a: value')]);
    const [stored] = await db('deliveries').where({ id }).pluck('event_data');
    expect(JSON.stringify(stored)).not.toContain('Jams');
    await remove(other);
    await erase(other);
    expect(await db('deliveries').where({ id })).toEqual([]);
  });
});

it('are left out once retention has deleted them', async () => {
  await change();
  await change();
  const long = db.raw(`detected_at - interval '100 days'`);
  const oldest = db('deltaEvents').where({ recordId }).orderBy('number').limit(2).select('id');
  await db('deltaEvents').whereIn('id', oldest).update({ detectedAt: long });
  await until('it is pruned', async () =>
    (await pruneRecords(db, [recordId], 90, 100)) === 0 ? true : undefined,
  );
  expect(await statuses()).toEqual(['collecting']);
  expect(await textsOf(await digestOf())).toEqual([
    'Jams: 1 changed row',
    expect.stringContaining('a: value'),
  ]);
});

describe('a burst', () => {
  it('becomes one message after the third, until its time is over', async () => {
    const burst = await newWebhook({});
    for (const expected of [1, 1, 1, 0, 0]) {
      expect(await change()).toMatchObject({ pendingDeliveries: expected });
    }
    await fail();
    expect(await statuses(burst)).toEqual([...Array(3).fill('pending'), ...Array(3).fill('collecting')]);
    expect(await isDue(burst)).toBe(false);
    await pass(BURST.minutes, burst);
    expect(await isDue(burst)).toBe(true);
    const [title] = await textsOf(await digestOf(burst));
    expect(title).toBe('Jams: 2 changed rows in 2 events and checks fail');
  });

  it('regression: ends when its events are to be sent one at a time', async () => {
    const id = await newWebhook({});
    for (let at = 0; at <= BURST.messages; at += 1) await change();
    expect((await statuses(id)).at(-1)).toBe('collecting');
    await updateWebhook(db, owner, id, { ordered: true });
    const rows = await db('deliveries')
      .where({ webhookId: id })
      .orderBy('id')
      .select('status', 'linePosition');
    expect(rows.at(-1)).toMatchObject({ status: 'pending', linePosition: expect.any(Number) });
  });

  it('is none when its messages are older, or go to programs, or one at a time', async () => {
    const [later, program, inOrder] = [
      await newWebhook({}),
      await newWebhook({ format: 'json' }),
      await newWebhook({ ordered: true }),
    ];
    const age = async (): Promise<void> => {
      const old = `dlv_${(Date.now() - (BURST.minutes + 1) * 60_000).toString(16).padStart(12, '0')}`;
      const rows: { id: string }[] = await db('deliveries').where({ webhookId: later }).select('id');
      for (const { id } of rows)
        await db('deliveries')
          .where({ id })
          .update({ id: old + id.slice(old.length) });
    };
    for (let at = 0; at < 4; at += 1) {
      await change();
      await age();
    }
    for (const id of [later, program, inOrder]) expect(await statuses(id)).toEqual(Array(4).fill('pending'));
  });
});
