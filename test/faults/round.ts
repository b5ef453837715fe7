// One round: accounts with records that change at random, callers that poll, and faults; then everything is verified.
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { seedAccount } from '../../cli/start/seed-demo.ts';
import { parseConfig } from '../../core/config.ts';
import { SCHEDULE_IDS } from '../../workflows/contract.ts';
import { seededRandom } from '../support/checks/chaos-feed.ts';
import {
  type ChangingRecords,
  type Subject,
  watchChangingRecords,
} from '../support/checks/changing-records.ts';
import {
  expectNothingStuck,
  expectOneEventPerCheck,
  expectTrueDeliveries,
  expectTrueEvents,
} from '../support/checks/expect-truth.ts';
import { createCall } from '../support/plain-call.ts';
import { readAll } from '../support/servers/system.ts';
import { until } from '../support/until.ts';
import type { FaultyCluster } from './cluster.ts';
import { type Disturbance, explainVersions, servedBy } from './explain-versions.ts';
import { drawFault, killOne } from './faults.ts';
import { type Poller, startPoller } from './poller.ts';

export interface RoundSize {
  seed: number;
  kills: number;
  /** The most processes that are killed at the same moment. */
  atOnce: number;
  accounts: number;
  /** Of each account. */
  records: number;
  /** Of each record, beside a disabled one. */
  webhooks: number;
  checkSeconds: number;
}

/** Counts of faults and of verified things, by name. */
export type Figures = Record<string, number>;

/** An account with its records, seen through the proxy of the cluster. */
interface Tenant extends Subject {
  records: ChangingRecords;
  pollers: Poller[];
  close: () => Promise<void>;
}

/** A killed process is started again within this long, unless it is killed once more. */
const RESTART_MS = 8_000;
const MINUTE_MS = 60_000;

/** @throws Error when anything is missed, invented, doubled, stuck or unexplained */
export async function runRound(cluster: FaultyCluster, size: RoundSize): Promise<Figures> {
  const startedAtMs = Date.now();
  const random = seededRandom(size.seed);
  const tenants: Tenant[] = [];
  try {
    for (let number = 0; number < size.accounts; number += 1) {
      tenants.push(await openTenant(cluster, { ...size, seed: size.seed * 100 + number }));
    }
    for (const { records } of tenants) records.stir();
    const { figures, disturbances, asked } = await disturb(cluster, tenants, random, size);
    await untilTablesMoved(cluster, tenants, size.kills);
    for (const { records } of tenants) records.rest();
    await settle(cluster, tenants);
    for (const tenant of tenants) add(figures, await verify(cluster, tenant, disturbances));
    add(figures, await expectAsked(tenants, asked));
    figures['minutes'] = (Date.now() - startedAtMs) / MINUTE_MS;
    expect(figures['changes']).toBeGreaterThan(size.kills);
    return figures;
  } finally {
    for (const { close } of tenants) await close();
  }
}

export const add = (figures: Figures, more: Figures): void => {
  for (const [name, value] of Object.entries(more)) figures[name] = (figures[name] ?? 0) + value;
};

async function openTenant(cluster: FaultyCluster, size: RoundSize): Promise<Tenant> {
  const { keyEncryptionKeys } = parseConfig(cluster.env);
  const { apiKey } = await seedAccount(cluster.db, keyEncryptionKeys);
  const call = createCall(() => ({ baseUrl: cluster.baseUrl, apiKey }));
  const subject: Subject = { database: { db: cluster.db }, call };
  const links: string[] = [];
  const reach = async (part: string, url: string): Promise<string> => {
    const { host } = new URL(url);
    links.push(`workers to ${part} ${size.seed}`);
    return url.replace(host, await cluster.link(links.at(-1) ?? '', host));
  };
  const records = await watchChangingRecords(subject, { ...size, reach });
  return {
    ...subject,
    records,
    pollers: records.watched.map(({ id }) => startPoller(subject, id)),
    close: async () => {
      for (const name of links) await cluster.unlink(name);
      await records.close();
    },
  };
}

/** Slugs of records that were requested meanwhile, with the account and the API's status; undefined: it broke off. */
type Asked = Map<string, { tenant: Tenant; status: number | undefined }>;

async function disturb(
  cluster: FaultyCluster,
  tenants: readonly Tenant[],
  random: () => number,
  { kills, seed, ...size }: RoundSize,
): Promise<{ figures: Figures; disturbances: Disturbance[]; asked: Asked }> {
  const figures: Figures = {};
  const disturbances: Disturbance[] = [];
  const asked: Asked = new Map();
  const lasting = new Set<Promise<void>>();
  const isHit = new Set<string>();
  const note = (name: string, lastsMs: number): void => {
    add(figures, { [name]: 1 });
    disturbances.push({ fromMs: Date.now(), toMs: Date.now() + lastsMs });
  };
  const beginFault = (): void => {
    const { kind, where, holdMs, begin, end } = drawFault(cluster, random);
    const fault = `${kind} ${where}`;
    if (isHit.has(fault)) return;
    isHit.add(fault);
    note(kind, holdMs);
    begin();
    const endLater = async (): Promise<void> => {
      await pause(holdMs);
      end();
      isHit.delete(fault);
    };
    const over = endLater();
    lasting.add(over);
    void over.finally(() => lasting.delete(over));
  };
  for (let killed = 0; killed < kills;) {
    // Most kills wait until checks run again; some come before the system has recovered from the last one.
    if (random() < 0.6) await untilWorkGoesOn(cluster, tenants);
    await pause(random() * 1_500);
    if (random() < 0.6) beginFault();
    const asking = ask(tenants, `asked-${seed}-${killed}`, random, asked);
    // Sometimes several processes at once, as when a machine is lost.
    const atOnce = random() < 0.5 ? 1 : Math.ceil(random() * size.atOnce);
    for (let count = 0; count < atOnce && killed < kills; count += 1) {
      const name = killOne(cluster, random);
      if (name === undefined) continue;
      killed += 1;
      note(`kill: ${name.replace(/-\d+$/, '')}`, RESTART_MS);
    }
    void asking;
  }
  await Promise.all(lasting);
  return { figures, disturbances, asked };
}

/** Requests a record. What the API accepts must survive every fault. */
async function ask(
  tenants: readonly Tenant[],
  slug: string,
  random: () => number,
  asked: Asked,
): Promise<void> {
  const tenant = tenants[Math.floor(random() * tenants.length)];
  if (tenant === undefined) return;
  const settings = { url: tenant.records.stillUrl, slug, checkIntervalMinutes: 1_000 };
  const answer = await tenant.call('POST', '/v1/sources', settings).catch(() => undefined);
  asked.set(slug, { tenant, status: answer?.status });
}

async function untilWorkGoesOn({ db }: FaultyCluster, tenants: readonly Tenant[]): Promise<void> {
  const ids = tenants.flatMap(({ records }) => records.watched.map(({ id }) => id));
  const countChecks = async (): Promise<number> => {
    const [heads] = await db('record_heads')
      .whereIn('record_id', ids)
      .sum<{ sum: string }[]>({ sum: 'check_number' })
      .catch(() => [{ sum: '0' }]);
    return Number(heads?.sum);
  };
  // The database may be away just now.
  const before = await until('checks are counted', async () => (await countChecks()) || undefined);
  await until('checks continue', async () => (await countChecks()) >= before + ids.length / 2, {
    everyMs: 200,
  });
}

/** With fewer changes than kills, little was tested. A slow machine takes longer to make them. */
async function untilTablesMoved(
  { db }: FaultyCluster,
  tenants: readonly Tenant[],
  kills: number,
): Promise<void> {
  const ids = tenants.flatMap(({ records }) => records.watched.map(({ id }) => id));
  const countChanges = async (): Promise<number> => {
    const changes = db('delta_events').whereIn('record_id', ids).where({ is_no_change: false });
    const [row] = await changes.count<{ count: string }[]>();
    return Number(row?.count);
  };
  // The database may be away just now.
  await until('the tables have moved', async () => (await countChanges().catch(() => 0)) > kills, {
    everyMs: 500,
  });
}

async function settle(cluster: FaultyCluster, tenants: readonly Tenant[]): Promise<void> {
  const isSettled = async (): Promise<boolean> => {
    await cluster.temporal.schedule
      .getHandle(SCHEDULE_IDS.reconcile)
      .trigger()
      .catch(() => undefined);
    const settled = await Promise.all(tenants.map(({ records }) => records.isOnRecord().catch(() => false)));
    return settled.every(Boolean);
  };
  await until('all is on record and delivered', isSettled, { everyMs: 1_000, deadlineMs: 5 * MINUTE_MS });
}

/** Verifies everything of one account, and deletes its records. */
async function verify(
  cluster: FaultyCluster,
  tenant: Tenant,
  disturbances: readonly Disturbance[],
): Promise<Figures> {
  const { records, pollers } = tenant;
  await expectNothingStuck(tenant, cluster.temporal, records);
  await records.endChecks();
  const figures: Figures = {
    deliveries: records.accepted.size,
    'requests to receivers': records.received.length,
  };
  for (const one of records.watched) {
    const tables = await expectTrueEvents(tenant, one);
    await expectOneEventPerCheck(tenant, one);
    const { unexplained, ...explained } = explainVersions(servedBy(one.feed.shown), tables, disturbances);
    expect(unexplained.map(({ atMs }) => [one.id, new Date(atMs).toISOString()])).toEqual([]);
    expect(explained.recorded).toBe(tables.length);
    const { recorded, sameRows, held, disturbed } = explained;
    add(figures, {
      changes: tables.length - 1,
      'versions served': recorded + sameRows + held + disturbed,
      'versions recorded': recorded,
      'versions with the same rows': sameRows,
      'versions held': held,
      'versions fetched by a disturbed attempt': disturbed,
    });
  }
  await expectTrueDeliveries(tenant, records);
  for (const poller of pollers) {
    add(figures, { 'events polled': await poller.expectAll(), 'polls that failed': poller.failures() });
  }
  const ids = records.watched.map(({ id }) => id);
  const attempts = cluster.db('attempts').join('deliveries', 'deliveries.id', 'attempts.delivery_id');
  const [row] = await attempts.whereIn('deliveries.record_id', ids).count<{ count: string }[]>();
  add(figures, { 'attempts recorded': Number(row?.count) });
  const [heads] = await cluster
    .db('record_heads')
    .whereIn('record_id', ids)
    .sum<{ sum: string }[]>({ sum: 'check_number' });
  add(figures, { checks: Number(heads?.sum) });
  for (const id of ids) expect((await tenant.call('DELETE', `/v1/sources/${id}`)).status).toBeLessThan(300);
  return figures;
}

/**
 * Every record that the API accepted is there and was checked. If a fault cut its first check off from the origin, that check
 * has failed, and another one works.
 */
async function expectAsked(tenants: readonly Tenant[], asked: Asked): Promise<Figures> {
  const promised = [...asked].filter(([, { status }]) => status === 201);
  for (const [slug, { tenant }] of promised) {
    const path = `/v1/sources/${slug}`;
    const outcomeOf = async (): Promise<unknown> => (await tenant.call('GET', path)).body['lastOutcome'];
    const outcome = await until(`${slug} is checked`, async () => (await outcomeOf()) ?? undefined);
    if (outcome === 'failed') {
      expect((await tenant.call('POST', `${path}/check`)).status).toBeLessThan(300);
    }
    const readEvents = () => readAll(tenant, `${path}/delta`, 'events');
    await until(`${slug} has rows`, async () => (await readEvents()).length > 0);
    expect(await readEvents()).toMatchObject([{ number: 1, totalCount: 1 }]);
    expect((await tenant.call('DELETE', path)).status).toBeLessThan(300);
  }
  // A change whose request broke off may be there or not.
  for (const tenant of tenants) {
    for (const { id } of await readAll<{ id: string }>(tenant, '/v1/sources?limit=100', 'sources')) {
      await tenant.call('DELETE', `/v1/sources/${id}`);
    }
  }
  return { 'records requested': asked.size, 'records promised, all of them kept': promised.length };
}
