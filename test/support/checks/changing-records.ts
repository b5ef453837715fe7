// Records whose tables change at random, with webhooks whose receiver refuses some attempts. A test disturbs the system
// meanwhile, and then expects the truth (expect-truth.ts).
import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { expect } from 'vitest';
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
  /** Secrets of its webhooks, by path at the receiver. */
  secrets: Map<string, string>;
  /** The path of the disabled webhook, which must receive nothing. */
  disabledPath: string;
  /** The path of the webhook that gets its events in their order, with their rows. */
  orderedPath?: string;
}

export interface ChangingRecords {
  watched: readonly Watched[];
  /** What the receiver got. Verified on arrival, because a signature is valid for five minutes. */
  received: readonly Received[];
  /** The most requests that were being answered at once at a path of an ordered webhook. */
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
  /** Where the product finds the origin and the receiver, in place of their own address. */
  reach?: (part: 'origin' | 'receiver', url: string) => Promise<string>;
}

/** How long the receiver takes to answer an ordered webhook, so that requests side by side would overlap. */
const ANSWER_MS = 20;

export async function watchChangingRecords(system: Subject, amount: Amount): Promise<ChangingRecords> {
  const { seed, records, webhooks, checkSeconds, ordered = 0, reach = (_part, url) => url } = amount;
  const random = seededRandom(seed);
  const origin = await startOrigin();
  const sink = await startSink();
  const originUrl = await reach('origin', origin.url);
  const sinkUrl = await reach('receiver', sink.url);
  const watched: Watched[] = [];
  const received: Received[] = [];
  const accepted = new Set<string>();
  const answering = createOverlapMeter();
  sink.respondWith((delivery) => {
    const { path, body } = delivery;
    const webhookId = String(delivery.headers['webhook-id']);
    received.push({ path, webhookId, body, deltaEventId: eventOf(watched, delivery) });
    const isOrdered = watched.some(({ orderedPath }) => orderedPath === path);
    const later = isOrdered ? { until: answering.during(path, pause(ANSWER_MS)) } : {};
    if (random() < REFUSED) return { status: 500, ...later };
    accepted.add(webhookId);
    return { status: 204, ...later };
  });
  origin.set('/still.csv', { body: 'id\n1\n' });
  for (let index = 0; index < records; index += 1) {
    const feed = createChaosFeed(seededRandom(seed * 100 + index), index % 2 === 0);
    const path = `/chaos-${index}.csv`;
    origin.set(path, feed.answer);
    const settings = { url: originUrl + path, keyFields: ['id'], checkIntervalMinutes: checkSeconds / 60 };
    const { id } = await createRecord(system, settings);
    const prefix = `${sinkUrl}/${index}`;
    watched.push({ id, feed, ...(await addWebhooks(system, id, prefix, webhooks, index < ordered)) });
  }
  return {
    watched,
    received,
    mostAtOnce: answering.most,
    accepted,
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
      await sink.close();
      await origin.close();
    },
  };
}

async function addWebhooks(
  system: Subject,
  id: string,
  prefix: string,
  count: number,
  isOrdered: boolean,
): Promise<Omit<Watched, 'id' | 'feed'>> {
  const secrets = new Map<string, string>();
  const add = async (name: string, settings = {}): Promise<string> => {
    const url = `${prefix}/${name}`;
    const { status, body } = await system.call('POST', `/v1/sources/${id}/webhooks`, { url, ...settings });
    expect(status).toBe(201);
    secrets.set(new URL(url).pathname, String(body['secret']));
    return new URL(url).pathname;
  };
  for (let number = 1; number <= count; number += 1) await add(String(number));
  const orderedSettings = { ordered: true, include: 'rows' };
  return {
    secrets,
    disabledPath: await add('disabled', { enabled: false }),
    ...(isOrdered && { orderedPath: await add('ordered', orderedSettings) }),
  };
}

/** Counts what goes on at once under a name. */
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

/** The id of the delivery's event, or a text that is no id when the signature is invalid. */
function eventOf(watched: readonly Watched[], { path, headers, body }: SinkDelivery): string {
  const secret = watched.flatMap(({ secrets }) => secrets.get(path) ?? []).join();
  try {
    const event = new Webhook(secret).verify(body, headers as Record<string, string>);
    return (event as { deltaEventId: string }).deltaEventId;
  } catch (error) {
    return `not verified: ${String(error)}`;
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
  for (const { id } of watched) {
    const { status } = await system.call('PATCH', `/v1/sources/${id}`, { checkIntervalMinutes: 1_000 });
    expect(status).toBe(200);
  }
}
