// Worker, API, Temporal server and PostgreSQL, killed at random while tables change at random: afterwards every
// event, row and delivery must be explained by what the origins showed, and nothing that they showed last be missing.
//
// CHAOS_KILLS (14) makes it longer, CHAOS_WEBHOOKS (2 for each record) has more sent, CHAOS_SEED (1) makes it another
// one, CHAOS_REPORT=1 has its figures printed (docs/reliability.md). The seed decides what dies, when, and how the tables
// change; how far the processes have come at that moment is the machine's doing.
import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCHEDULE_IDS, watchRecordId } from '../../workflows/contract.ts';
import { type ChaosFeed, createChaosFeed, seededRandom } from '../support/chaos-feed.ts';
import { naiveCompare, type NaiveTable, naiveTable } from '../support/naive-compare.ts';
import { type Origin, startOrigin } from '../support/origin-server.ts';
import { type PrivateServers, startPrivateServers } from '../support/private-servers.ts';
import { createRecord, readAll, startSystem, type System } from '../support/system.ts';
import { until } from '../support/until.ts';
import { type SinkDelivery, startSink, type WebhookSink } from '../support/webhook-sink.ts';

const KILLS = Number(process.env['CHAOS_KILLS'] ?? 14);
const SEED = Number(process.env['CHAOS_SEED'] ?? 1);
const WEBHOOKS = Number(process.env['CHAOS_WEBHOOKS'] ?? 2);
const RECORDS = 10;
/** Of attempts that the receiver refuses. */
const REFUSED = 1 / 3;
/** In seconds, and so many that no delivery is given up by bad luck: one in some ten million. */
const DELIVERY_SCHEDULE = '1s,1s,1s,1s,2s,2s,2s,2s,3s,3s,3s,4s,4s,4s';
/** Shuffled, then from the beginning. */
const VICTIMS = ['worker', 'postgres', 'worker', 'api', 'temporal', 'worker', 'postgres'] as const;
type Victim = (typeof VICTIMS)[number];

const random = seededRandom(SEED);

interface Watched {
  id: string;
  feed: ChaosFeed;
  /** Secrets of its webhooks, by path of the sink. */
  secrets: Map<string, string>;
  /** Where nothing may be sent to. */
  disabledPath: string;
}

interface EventView {
  id: string;
  number: number;
  snapshotId: string;
  previousSnapshotId: string | null;
  isNoChange: boolean;
  newCount: number;
  changedCount: number;
  deletedCount: number;
  unchangedCount: number;
  totalCount: number;
}

interface RowView {
  key: string;
  changeType: 'new' | 'changed' | 'deleted';
  before: { [column: string]: string } | null;
  after: { [column: string]: string } | null;
}

let servers: PrivateServers;
let system: System;
let origin: Origin;
let sink: WebhookSink;
const watched: Watched[] = [];
/** Slugs of records that were asked for in the middle of it, and what the API said: undefined if it broke off. */
const asked = new Map<string, number | undefined>();
/** What the sink was sent. Verified on arrival: a signature is good for five minutes. */
const received: { path: string; webhookId: string; deltaEventId: string }[] = [];
/** Deliveries that the sink has accepted, by webhook-id. */
const accepted = new Set<string>();

beforeAll(async () => {
  servers = await startPrivateServers();
  system = await startSystem({ DELIVERY_SCHEDULE }, servers);
  origin = await startOrigin();
  sink = await startSink();
  sink.respondWith((delivery) => {
    const webhookId = String(delivery.headers['webhook-id']);
    received.push({ path: delivery.path, webhookId, deltaEventId: eventOf(delivery) });
    if (random() < REFUSED) return { status: 500 };
    accepted.add(webhookId);
    return { status: 204 };
  });
  origin.set('/still.csv', { body: 'id\n1\n' });
  for (let index = 0; index < RECORDS; index += 1) watched.push(await watch(index));
});

afterAll(async () => {
  await sink.close();
  await origin.close();
  await system.stop();
  await servers.stop();
});

/** Which event it is about; nothing that was sent can have this name if its signature does not hold. */
function eventOf({ path, headers, body }: SinkDelivery): string {
  const secret = watched.flatMap(({ secrets }) => secrets.get(path) ?? []).join();
  try {
    const event = new Webhook(secret).verify(body, headers as Record<string, string>);
    return (event as { deltaEventId: string }).deltaEventId;
  } catch (error) {
    return `not verified: ${String(error)}`;
  }
}

/** A record with some webhooks and one that is disabled, checked about three times a second. */
async function watch(index: number): Promise<Watched> {
  const feed = createChaosFeed(seededRandom(SEED * 100 + index), index % 2 === 0);
  const path = `/chaos-${index}.csv`;
  origin.set(path, feed.answer);
  const settings = { url: origin.url + path, keyFields: ['id'], checkIntervalMinutes: 0.005 };
  const { id } = await createRecord(system, settings);
  const secrets = new Map<string, string>();
  const addWebhook = async (name: string, settings = {}): Promise<string> => {
    const url = `${sink.url}/${index}/${name}`;
    const { status, body } = await system.call('POST', `/v1/sources/${id}/webhooks`, { url, ...settings });
    expect(status).toBe(201);
    secrets.set(new URL(url).pathname, String(body['secret']));
    return new URL(url).pathname;
  };
  for (let number = 1; number <= WEBHOOKS; number += 1) await addWebhook(String(number));
  const disabledPath = await addWebhook('disabled', { enabled: false });
  return { id, feed, secrets, disabledPath };
}

const isServer = (victim: Victim) => victim === 'postgres' || victim === 'temporal';

async function killAndRestart(victim: Victim): Promise<void> {
  const owner = victim === 'postgres' || victim === 'temporal' ? servers : system;
  // Each owner knows its own names; `victim` was sorted to it above.
  await owner.kill(victim as never);
  // Bounded, and without a condition to wait for: how long a machine stays away is up to chance.
  if (isServer(victim)) await pause(random() * 2_000);
  await owner.start(victim as never);
}

/** What the API accepts must last, whatever dies next. */
async function askForRecord(number: number): Promise<void> {
  const slug = `asked-${number}`;
  const settings = { url: `${origin.url}/still.csv`, slug, checkIntervalMinutes: 1_000 };
  const answer = await system.call('POST', '/v1/sources', settings).catch(() => undefined);
  asked.set(slug, answer?.status);
}

async function untilWorkGoesOn(): Promise<void> {
  const countChecks = async () =>
    Number((await system.database.db('checks').count<{ count: string }[]>())[0]?.count);
  const before = await countChecks();
  await until('checks go on', async () => (await countChecks()) > before + RECORDS, {
    deadlineMs: 60_000,
    everyMs: 200,
  });
}

function shuffledVictims(): Victim[] {
  const deck: Victim[] = [];
  while (deck.length < KILLS) {
    const round = VICTIMS.map((victim) => ({ victim, place: random() }));
    deck.push(...round.sort((left, right) => left.place - right.place).map(({ victim }) => victim));
  }
  return deck.slice(0, KILLS);
}

async function causeChaos(): Promise<void> {
  for (const { feed } of watched) feed.stir();
  for (const [number, victim] of shuffledVictims().entries()) {
    // Mostly the next one dies when work is under way again, sometimes before what the last one broke is mended.
    if (random() < 0.7) await untilWorkGoesOn();
    // Bounded, and without a condition to wait for: the moment of death is up to chance.
    await pause(random() * 1_500);
    const asking = askForRecord(number);
    await killAndRestart(victim);
    await asking;
    // A process that was not killed must have outlived the others.
    expect({ victim, api: system.isRunning('api'), worker: system.isRunning('worker') }).toEqual({
      victim,
      api: true,
      worker: true,
    });
  }
  for (const { feed } of watched) feed.rest();
}

/** The rows that stood in a snapshot, older ones too. */
async function rowsOf(snapshotId: string): Promise<NaiveTable> {
  const { rows } = await system.database.db.raw<{
    rows: { key: string; data: { [column: string]: string } }[];
  }>(
    `select row_key as key, data from snapshots
     join record_heads heads on heads.record_id = snapshots.record_id
     join row_versions versions on versions.record_no = heads.record_no and versions.first_seq <= snapshots.sequence
       and (versions.last_seq is null or versions.last_seq >= snapshots.sequence)
     where snapshots.id = ?`,
    [snapshotId],
  );
  // The key alone would hide a row that is there twice.
  const table = new Map(rows.map(({ key, data }) => [key, data]));
  expect(table.size).toBe(rows.length);
  return table;
}

const eventsOf = (id: string) =>
  readAll<EventView>(system, `/v1/sources/${id}/delta?order=asc&limit=200`, 'events');

/** The last table that the origin showed is on record, and all that is owed was delivered. */
async function isSettled(): Promise<boolean> {
  await system.temporal.client.schedule.getHandle(SCHEDULE_IDS.reconcile).trigger();
  const { db } = system.database;
  const heads = await db('recordHeads').select('recordId', 'bodySha256', 'lastOutcome');
  const bodies = new Map(heads.map(({ recordId, bodySha256 }) => [recordId as string, bodySha256 as string]));
  const isUpToDate = watched.every(({ id, feed }) => bodies.get(id) === sha256(feed.current()));
  const isChecked = heads.every(
    ({ lastOutcome }) => lastOutcome === 'unchanged' || lastOutcome === 'changed',
  );
  const pending = await db('deliveries').where({ status: 'pending' }).first();
  return isUpToDate && isChecked && pending === undefined;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** I1: events without gaps, each the exact difference between its two snapshots, each snapshot a table shown. */
async function expectTrueEvents({ id, feed }: Watched): Promise<number> {
  const events = await eventsOf(id);
  expect(events.map(({ number }) => number)).toEqual(events.map((_, index) => index + 1));
  let snapshotId: string | null = null;
  let rows: NaiveTable = new Map();
  const tables: NaiveTable[] = [];
  for (const event of events) {
    expect(event.previousSnapshotId).toBe(snapshotId);
    const now = event.snapshotId === snapshotId ? rows : await rowsOf(event.snapshotId);
    // The baseline is compared with nothing.
    await expectDifference(id, event, snapshotId === null ? now : rows, now);
    if (event.snapshotId !== snapshotId) tables.push(now);
    ({ snapshotId } = event);
    rows = now;
  }
  expectShownInOrder(tables, feed);
  expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(naiveTable(feed.current(), 'id')));
  return events.filter(({ isNoChange }) => !isNoChange).length;
}

/** No table is invented, and none comes after one that followed it. */
function expectShownInOrder(tables: readonly NaiveTable[], { shown }: ChaosFeed): void {
  const shownTables = shown.map((csv) => naiveTable(csv, 'id'));
  let shownAt = -1;
  for (const [index, table] of tables.entries()) {
    shownAt = shownTables.findIndex((candidate, at) => at > shownAt && isSame(candidate, table));
    expect(shownAt, `snapshot ${index + 1} of ${tables.length} was shown, in this order`).not.toBe(-1);
  }
}

function isSame(left: NaiveTable, right: NaiveTable): boolean {
  const { newKeys, changedKeys, deletedKeys } = naiveCompare(left, right);
  return newKeys.length + changedKeys.length + deletedKeys.length === 0;
}

/** The event's rows lead from the one snapshot to the other, and its counts are theirs. */
async function expectDifference(id: string, event: EventView, before: NaiveTable, after: NaiveTable) {
  const expected = naiveCompare(before, after);
  expect(event).toMatchObject({
    isNoChange: isSame(before, after),
    totalCount: after.size,
    newCount: expected.newKeys.length,
    changedCount: expected.changedKeys.length,
    deletedCount: expected.deletedKeys.length,
    unchangedCount: expected.unchanged,
  });
  const applied = new Map(before);
  const path = `/v1/sources/${id}/delta/${event.id}/rows?limit=100`;
  for (const row of await readAll<RowView>(system, path, 'rows')) {
    expect(row.before ?? undefined).toEqual(before.get(row.key));
    if (row.after === null) applied.delete(row.key);
    else applied.set(row.key, row.after);
  }
  expect(Object.fromEntries(applied)).toEqual(Object.fromEntries(after));
}

/** I2: check numbers without gaps; an event for every check that read the data, none for the others. */
async function expectOneEventPerCheck({ id }: Watched): Promise<void> {
  // Of one moment: checks go on.
  const [checks, events] = await system.database.db.transaction(
    async (trx) => [
      await trx('checks').where({ recordId: id }).orderBy('number'),
      await trx('deltaEvents').where({ recordId: id }).orderBy('number'),
    ],
    { isolationLevel: 'repeatable read' },
  );
  expect(checks.map(({ number }) => number as number)).toEqual(checks.map((_, index) => index + 1));
  const good = checks.filter(({ outcome }) => outcome === 'changed' || outcome === 'unchanged');
  expect(events.map(({ checkId }) => checkId as string)).toEqual(good.map((check) => check.id as string));
  expect(events.map((event) => event.id as string)).toEqual(
    good.map((check) => check.deltaEventId as string),
  );
}

/** I3, I4: each change reached each enabled webhook, under one id; nothing else was sent; every signature holds. */
async function expectTrueDeliveries(): Promise<void> {
  const owed = new Set<string>();
  for (const { id, secrets, disabledPath } of watched) {
    const changes = (await eventsOf(id)).filter(({ isNoChange }) => !isNoChange);
    const paths = [...secrets.keys()].filter((path) => path !== disabledPath);
    for (const path of paths) for (const { id: event } of changes) owed.add(`${path} ${event}`);
  }
  const idOf = new Map<string, string>();
  const reached = new Set<string>();
  for (const { path, webhookId, deltaEventId } of received) {
    const name = `${path} ${deltaEventId}`;
    expect(idOf.get(name) ?? webhookId).toBe(webhookId);
    idOf.set(name, webhookId);
    if (accepted.has(webhookId)) reached.add(name);
  }
  expect(new Set(idOf.values()).size).toBe(idOf.size);
  expect(new Set(idOf.keys())).toEqual(owed);
  expect(reached).toEqual(owed);
  const states = await system.database.db('deliveries').distinct('status');
  expect(states).toEqual([{ status: 'delivered' }]);
}

/** For docs/reliability.md. */
async function report(startedAtMs: number): Promise<void> {
  if (process.env['CHAOS_REPORT'] === undefined) return;
  const count = async (table: string) => Number((await system.database.db(table).count().first())?.['count']);
  const recorded = await count('attempts');
  const figures = {
    kills: KILLS,
    seed: SEED,
    minutes: ((Date.now() - startedAtMs) / 60_000).toFixed(1),
    checks: await count('checks'),
    deliveries: await count('deliveries'),
    attemptsRecorded: recorded,
    requestsReceived: sink.deliveries.length,
    /** Sent, and not recorded because something died: sent again under the same id. */
    sentTwice: sink.deliveries.length - recorded,
  };
  process.stderr.write(`${JSON.stringify(figures)}\n`);
}

/** I9: every record goes on being checked by a workflow that runs; no delivery is still at it. */
async function expectNothingStuck(): Promise<void> {
  const { client } = system.temporal;
  for (const { id } of watched) {
    const { length } = await eventsOf(id);
    await until('the record is checked again', async () => (await eventsOf(id)).length > length, {
      deadlineMs: 30_000,
    });
    const { status } = await client.workflow.getHandle(watchRecordId(id)).describe();
    expect(status.name).toBe('RUNNING');
  }
  await until('no delivery is being retried', async () => {
    const { count } = await client.workflow.count(
      `WorkflowType = 'retryDelivery' AND ExecutionStatus = 'Running'`,
    );
    return count === 0;
  });
}

describe(`${KILLS} kills, seed ${SEED}`, () => {
  it('change nothing of what is told', { timeout: 240_000 + KILLS * 20_000 }, async () => {
    const startedAtMs = Date.now();
    await causeChaos();
    await until('all is on record and delivered', isSettled, { deadlineMs: 180_000, everyMs: 1_000 });
    let changes = 0;
    for (const one of watched) {
      changes += await expectTrueEvents(one);
      await expectOneEventPerCheck(one);
    }
    // Else the tables stood still, and nothing was tested.
    expect(changes).toBeGreaterThan(KILLS * 3);
    await expectTrueDeliveries();
    await report(startedAtMs);
    await expectNothingStuck();
  });

  it('lose no record that the API has accepted', async () => {
    const kept = await system.database.db('records').select('id', 'slug');
    const slugs = new Map(kept.map(({ id, slug }) => [slug as string, id as string]));
    const promised = [...asked].filter(([, status]) => status === 201).map(([slug]) => slug);
    expect(promised.length).toBeGreaterThan(KILLS / 3);
    for (const slug of promised) {
      const events = await eventsOf(slugs.get(slug) ?? `${slug} is lost`);
      expect(events).toMatchObject([{ number: 1, totalCount: 1 }]);
    }
  });
});
