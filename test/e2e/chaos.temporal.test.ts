// Kills worker, API, Temporal server and PostgreSQL at random while tables change at random. Afterwards every event, row
// and delivery must match what the origins served, and their last tables must be on record.
//
// CHAOS_KILLS (14) sets the number of kills, CHAOS_WEBHOOKS (2) the webhooks of each record, CHAOS_SEED (1) the random
// choices; CHAOS_REPORT=1 prints the figures for docs/reliability.md. The seed decides which process is killed, when, and
// how the tables change. How far the processes have got at that moment depends on the machine.
import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rawRows } from '../../db/driver/knex.ts';
import { shortChecksSql, shortEventsSql, shortRowsSql } from '../../db/unchanged-checks.ts';
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
/** The share of attempts that the receiver refuses. */
const REFUSED = 1 / 3;
/** Long enough that bad luck exhausts the attempts of one delivery in some ten million. */
const DELIVERY_SCHEDULE = '1s,1s,1s,1s,2s,2s,2s,2s,3s,3s,3s,4s,4s,4s';
/** Each round kills all of these, shuffled. */
const VICTIMS = ['worker', 'postgres', 'worker', 'api', 'temporal', 'worker', 'postgres'] as const;
type Victim = (typeof VICTIMS)[number];

const random = seededRandom(SEED);

interface Watched {
  id: string;
  feed: ChaosFeed;
  /** Secrets of its webhooks, by path at the sink. */
  secrets: Map<string, string>;
  /** The path of the disabled webhook, which must receive nothing. */
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
/** Slugs of records requested during the chaos, with the API's status; undefined if the request broke off. */
const asked = new Map<string, number | undefined>();
/** What the sink received. Verified on arrival, because a signature is valid for five minutes. */
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

/** The id of the delivery's event, or a text that is no id when the signature is invalid. */
function eventOf({ path, headers, body }: SinkDelivery): string {
  const secret = watched.flatMap(({ secrets }) => secrets.get(path) ?? []).join();
  try {
    const event = new Webhook(secret).verify(body, headers as Record<string, string>);
    return (event as { deltaEventId: string }).deltaEventId;
  } catch (error) {
    return `not verified: ${String(error)}`;
  }
}

/** Creates a record with WEBHOOKS enabled webhooks and a disabled one, checked about three times a second. */
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
  // The owner was chosen by the victim above.
  await owner.kill(victim as never);
  // A bounded, random pause: there is no condition to wait for.
  if (isServer(victim)) await pause(random() * 2_000);
  await owner.start(victim as never);
}

/** Requests a record. What the API accepts must survive every kill. */
async function askForRecord(number: number): Promise<void> {
  const slug = `asked-${number}`;
  const settings = { url: `${origin.url}/still.csv`, slug, checkIntervalMinutes: 1_000 };
  const answer = await system.call('POST', '/v1/sources', settings).catch(() => undefined);
  asked.set(slug, answer?.status);
}

async function untilWorkGoesOn(): Promise<void> {
  const countChecks = async (): Promise<number> => {
    const [heads] = await system.database.db('record_heads').sum<{ sum: string }[]>({ sum: 'check_number' });
    return Number(heads?.sum);
  };
  const before = await countChecks();
  await until('checks go on', async () => (await countChecks()) > before + RECORDS, { everyMs: 200 });
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
    // Most kills wait until checks run again; some come before the system has recovered from the last one.
    if (random() < 0.7) await untilWorkGoesOn();
    // A bounded, random pause: there is no condition to wait for.
    await pause(random() * 1_500);
    const asking = askForRecord(number);
    await killAndRestart(victim);
    await asking;
    // A process that was not killed must still run.
    expect({ victim, api: system.isRunning('api'), worker: system.isRunning('worker') }).toEqual({
      victim,
      api: true,
      worker: true,
    });
  }
  for (const { feed } of watched) feed.rest();
}

/** The rows of a snapshot, also of an older one. */
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
  // A map by key would hide a row that is there twice.
  const table = new Map(rows.map(({ key, data }) => [key, data]));
  expect(table.size).toBe(rows.length);
  return table;
}

const eventsOf = (id: string) =>
  readAll<EventView>(system, `/v1/sources/${id}/delta?order=asc&limit=200`, 'events');

/** Whether the last table of each origin is on record and every delivery is done. */
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

/** I1: events have no gaps, each is the exact difference of its two snapshots, and each snapshot is a table that was served. */
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

/** Expects that each table was served, and in this order. */
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

/** Expects that the event's rows turn one snapshot into the other, and that its counts agree. */
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

interface CheckLine {
  id: string;
  number: number;
  outcome: string;
  deltaEventId: string | null;
}

const ALL_CHECKS = `
  select id, number, outcome, delta_event_id as "deltaEventId" from checks where record_id = :id
  union all
  select id, number, outcome, delta_event_id from (${shortChecksSql(shortRowsSql(':id'), ':id')}) short
  order by number`;
const ALL_EVENTS = `
  select id, check_id as "checkId", number from delta_events where record_id = :id
  union all
  select id, replace(id, 'evt_', 'chk_'), number from (${shortEventsSql(shortRowsSql(':id'), ':id')}) short
  order by number`;

/** I2: check numbers have no gaps; every check that read the data has an event, and no other check has one. */
async function expectOneEventPerCheck({ id }: Watched): Promise<void> {
  // Reads both at one moment, because checks go on.
  const [checks, events] = await system.database.db.transaction(
    async (trx) => [
      await rawRows<CheckLine>(trx, ALL_CHECKS, { id }),
      await rawRows<{ id: string; checkId: string }>(trx, ALL_EVENTS, { id }),
    ],
    { isolationLevel: 'repeatable read' },
  );
  expect(checks.map(({ number }) => number)).toEqual(checks.map((_, index) => index + 1));
  const good = checks.filter(({ outcome }) => outcome === 'changed' || outcome === 'unchanged');
  expect(events.map(({ checkId }) => checkId)).toEqual(good.map((check) => check.id));
  expect(events.map((event) => event.id)).toEqual(good.map((check) => check.deltaEventId));
}

/** I3, I4: each change reached each enabled webhook under one id, nothing else was sent, and every signature is valid. */
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

/** Prints the figures of docs/reliability.md. */
async function report(startedAtMs: number): Promise<void> {
  if (process.env['CHAOS_REPORT'] === undefined) return;
  const count = async (table: string) => Number((await system.database.db(table).count().first())?.['count']);
  const recorded = await count('attempts');
  const figures = {
    kills: KILLS,
    seed: SEED,
    minutes: ((Date.now() - startedAtMs) / 60_000).toFixed(1),
    checks: (await count('checks')) + (await count('unchanged_checks')),
    deliveries: await count('deliveries'),
    attemptsRecorded: recorded,
    requestsReceived: sink.deliveries.length,
    /** Sent but not recorded because a process was killed, so sent again under the same id. */
    sentTwice: sink.deliveries.length - recorded,
  };
  process.stderr.write(`${JSON.stringify(figures)}\n`);
}

/** I9: a running workflow goes on checking every record, and no delivery is being retried. */
async function expectNothingStuck(): Promise<void> {
  const { client } = system.temporal;
  for (const { id } of watched) {
    const { length } = await eventsOf(id);
    await until('the record is checked again', async () => (await eventsOf(id)).length > length);
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

/** Further checks would only slow down the verification. */
async function endChecks(): Promise<void> {
  for (const { id } of watched) {
    const { status } = await system.call('PATCH', `/v1/sources/${id}`, { checkIntervalMinutes: 1_000 });
    expect(status).toBe(200);
  }
}

describe(`${KILLS} kills, seed ${SEED}`, () => {
  it('lose, invent and double no change', { timeout: 240_000 + KILLS * 20_000 }, async () => {
    const startedAtMs = Date.now();
    await causeChaos();
    await until('all is on record and delivered', isSettled, { everyMs: 1_000 });
    await expectNothingStuck();
    await endChecks();
    let changes = 0;
    for (const one of watched) {
      changes += await expectTrueEvents(one);
      await expectOneEventPerCheck(one);
    }
    // With fewer changes the tables hardly moved, and nothing was tested.
    expect(changes).toBeGreaterThan(KILLS * 3);
    await expectTrueDeliveries();
    await report(startedAtMs);
  });

  it('lose no record that the API accepted', async () => {
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
