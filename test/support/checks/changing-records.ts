// Records whose tables change at random, with webhooks whose receiver refuses some attempts. A test disturbs the system
// meanwhile, and then expects the truth (expect-truth.ts).
import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { expect } from 'vitest';
import { forEachOf } from '../for-each-of.ts';
import type { TestDatabase } from '../servers/database.ts';
import { type ChaosFeed, createChaosFeed, seededRandom } from './chaos-feed.ts';
import { startOrigin } from '../servers/origin-server.ts';
import { createRecord, type System } from '../servers/system.ts';
import { type SinkDelivery, startSink } from '../servers/webhook-sink.ts';

/** The share of attempts that the receiver refuses. */
const REFUSED = 1 / 3;
/** Long enough that bad luck exhausts the attempts of one delivery in some ten million. */
export const CHAOS_SCHEDULE = '1s,1s,1s,1s,2s,2s,2s,2s,3s,3s,3s,4s,4s,4s';

export interface Subject {
  call: System['call'];
  database: Pick<TestDatabase, 'db'>;
}

export interface Watched {
  id: string;
  feed: ChaosFeed;
  /** At the receiver: paths of all enabled webhooks that get its events. */
  paths: string[];
  /** The path of the disabled webhook, which must receive nothing. */
  disabledPath: string;
  /** The path of its webhook that gets its events in their order, with their rows. */
  orderedPath?: string;
}

export interface ChangingRecords {
  watched: readonly Watched[];
  /** The path of the account's webhook, which gets the events of each record in their order. */
  accountPath?: string;
  /** What the receiver got. Verified on arrival, because a signature is valid for five minutes. */
  received: readonly Received[];
  /** The most requests about one record that were being answered at once at a path of an ordered webhook. */
  mostAtOnce: () => number;
  /** Deliveries that the receiver has accepted, by webhook-id. */
  accepted: ReadonlySet<string>;
  /** Serves one row, which never changes. */
  stillUrl: string;
  stir: () => void;
  rest: () => void;
  /** Whether the last table of each origin is on record and every delivery is done. */
  isOnRecord: () => Promise<boolean>;
  /** Further checks would only slow down the verification. */
  endChecks: () => Promise<void>;
  close: () => Promise<void>;
}

interface Received {
  path: string;
  webhookId: string;
  sourceId: string;
  deltaEventId: string;
  body: string;
}

interface Amount {
  seed: number;
  records: number;
  /** Of each record, beside a disabled one. */
  webhooks: number;
  checkSeconds: number;
  /** How many of the records also have an ordered webhook. */
  ordered?: number;
  /** Whether the account has an ordered webhook for all of them. */
  ofAccount?: boolean;
  /** Where the product finds the origin and the receiver, in place of their own address. */
  reach?: (part: 'origin' | 'receiver', url: string) => Promise<string>;
}

/** How long the receiver takes to answer an ordered webhook, so that requests side by side would overlap. */
const ANSWER_MS = 20;

export async function watchChangingRecords(system: Subject, amount: Amount): Promise<ChangingRecords> {
  const { seed, records, webhooks, checkSeconds, ordered = 0, reach = (_part, url) => url } = amount;
  const origin = await startOrigin();
  const receiver = await startReceiver(seededRandom(seed));
  const originUrl = await reach('origin', origin.url);
  const sinkUrl = await reach('receiver', receiver.url);
  origin.set('/still.csv', { body: 'id\n1\n' });
  const watch = async (index: number): Promise<Watched> => {
    const feed = createChaosFeed(seededRandom(seed * 100 + index), index % 2 === 0);
    const path = `/chaos-${index}.csv`;
    origin.set(path, feed.answer);
    const settings = { url: originUrl + path, keyFields: ['id'], checkIntervalMinutes: checkSeconds / 60 };
    const { id } = await createRecord(system, settings);
    const add = (name: string, own?: object) =>
      addWebhook(system, receiver, `/v1/sources/${id}/webhooks`, `${sinkUrl}/${index}/${name}`, own);
    const paths: string[] = [];
    for (let number = 1; number <= webhooks; number += 1) paths.push(await add(String(number)));
    const disabledPath = await add('disabled', { enabled: false });
    if (index >= ordered) return { id, feed, paths, disabledPath };
    const orderedPath = await add('ordered', { ordered: true, include: 'rows' });
    receiver.slow.add(orderedPath);
    return { id, feed, paths: [...paths, orderedPath], disabledPath, orderedPath };
  };
  const watched: Watched[] = [];
  await forEachOf([...Array(records).keys()], async (index) => {
    watched[index] = await watch(index);
  });
  const accountPath = amount.ofAccount
    ? await addWebhook(system, receiver, '/v1/webhooks', `${sinkUrl}/account`, { ordered: true })
    : undefined;
  if (accountPath !== undefined) {
    receiver.slow.add(accountPath);
    for (const { paths } of watched) paths.push(accountPath);
  }
  const { received, accepted, mostAtOnce } = receiver;
  return {
    watched,
    received,
    accepted,
    mostAtOnce,
    ...(accountPath !== undefined && { accountPath }),
    stillUrl: `${originUrl}/still.csv`,
    stir: () => {
      for (const { feed } of watched) feed.stir();
    },
    rest: () => {
      for (const { feed } of watched) feed.rest();
    },
    isOnRecord: () => isOnRecord(system, watched),
    endChecks: () => endChecks(system, watched),
    close: async () => {
      await receiver.close();
      await origin.close();
    },
  };
}

interface Receiver {
  url: string;
  /** By path. */
  secrets: Map<string, string>;
  /** Paths of ordered webhooks, which are answered slowly. */
  slow: Set<string>;
  received: Received[];
  accepted: Set<string>;
  mostAtOnce: () => number;
  close: () => Promise<void>;
}

async function startReceiver(random: () => number): Promise<Receiver> {
  const sink = await startSink();
  const secrets = new Map<string, string>();
  const slow = new Set<string>();
  const received: Received[] = [];
  const accepted = new Set<string>();
  const answering = createOverlapMeter();
  sink.respondWith((delivery) => {
    const { path, body } = delivery;
    const webhookId = String(delivery.headers['webhook-id']);
    const event = eventOf(secrets.get(path) ?? '', delivery);
    received.push({ path, webhookId, body, ...event });
    const later = slow.has(path)
      ? { until: answering.during(`${path} ${event.sourceId}`, pause(ANSWER_MS)) }
      : {};
    if (random() < REFUSED) return { status: 500, ...later };
    accepted.add(webhookId);
    return { status: 204, ...later };
  });
  return { url: sink.url, secrets, slow, received, accepted, mostAtOnce: answering.most, close: sink.close };
}

/** @returns the path at the receiver */
async function addWebhook(
  system: Subject,
  receiver: Receiver,
  at: string,
  url: string,
  settings: object = {},
): Promise<string> {
  const { status, body } = await system.call('POST', at, { url, ...settings });
  expect(status).toBe(201);
  const path = new URL(url).pathname;
  receiver.secrets.set(path, String(body['secret']));
  return path;
}

/** Counts what runs at once under a name. */
function createOverlapMeter() {
  const going = new Map<string, number>();
  let most = 0;
  return {
    during: async (name: string, work: Promise<unknown>): Promise<void> => {
      const count = (going.get(name) ?? 0) + 1;
      going.set(name, count);
      most = Math.max(most, count);
      await work;
      going.set(name, (going.get(name) ?? 0) - 1);
    },
    most: () => most,
  };
}

/** The delivery's event and its record; texts that are no ids when the signature is invalid. */
function eventOf(
  secret: string,
  { headers, body }: SinkDelivery,
): Pick<Received, 'sourceId' | 'deltaEventId'> {
  try {
    const { sourceId, deltaEventId } = new Webhook(secret).verify(
      body,
      headers as Record<string, string>,
    ) as Received;
    return { sourceId, deltaEventId };
  } catch (error) {
    return { sourceId: 'not verified', deltaEventId: `not verified: ${String(error)}` };
  }
}

async function isOnRecord({ database: { db } }: Subject, watched: readonly Watched[]): Promise<boolean> {
  const ids = watched.map(({ id }) => id);
  const heads = await db('recordHeads')
    .whereIn('recordId', ids)
    .select('recordId', 'bodySha256', 'lastOutcome');
  const bodies = new Map(heads.map(({ recordId, bodySha256 }) => [recordId as string, bodySha256 as string]));
  const isUpToDate = watched.every(({ id, feed }) => bodies.get(id) === sha256(feed.current()));
  const isChecked = heads.every(
    ({ lastOutcome }) => lastOutcome === 'unchanged' || lastOutcome === 'changed',
  );
  const pending = await db('deliveries').whereIn('recordId', ids).where({ status: 'pending' }).first();
  return isUpToDate && isChecked && pending === undefined;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

async function endChecks(system: Subject, watched: readonly Watched[]): Promise<void> {
  await forEachOf(watched, async ({ id }) => {
    const { status } = await system.call('PATCH', `/v1/sources/${id}`, { checkIntervalMinutes: 1_000 });
    expect(status).toBe(200);
  });
}
