// Rate limits that several API processes count together, each with connections of its own.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { addressSaltOf, createRateLimits, type RateLimits } from '../../../api/access/rate-limits.ts';
import { shareCounts } from '../../../api/access/shared-counts.ts';
import type { Principal } from '../../../core/principal.ts';
import { TIERS } from '../../../core/tiers.ts';
import { openDatabase } from '../../../db/driver/knex.ts';
import { openRateCounts, type RateCounts } from '../../../db/usage/rate-counts.ts';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { until } from '../../support/until.ts';

const LIMIT = TIERS.free.requestsPerMinute;
const ADDRESS = '192.0.2.1';
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const account = (): Principal => ({
  kind: 'account',
  accountId: `acc_${randomUUID()}`,
  credentialId: 'key_1',
  scope: 'full',
  tier: 'free',
});

/** The limits of one API process. */
function startProcess(windowSeconds = 60, errors: unknown[] = []): RateLimits {
  const db = openDatabase(database.url, { poolSize: 2 });
  onTestFinished(() => db.destroy());
  return createRateLimits({
    shared: shareCounts(openRateCounts(db, windowSeconds), (error) => errors.push(error)),
    addressSalt: addressSaltOf(new Map([['k1', Buffer.alloc(32, 1)]])),
  });
}

const processes = (count: number): RateLimits[] => Array.from({ length: count }, () => startProcess());

it('a caller who spreads requests over four processes gets one limit', async () => {
  const all = processes(4);
  const caller = account();
  let admitted = 0;
  await until('all processes refuse', async () => {
    const states = await Promise.all(all.map((limits) => limits.countCaller(caller)));
    admitted += states.filter(({ isExceeded }) => !isExceeded).length;
    return states.every(({ isExceeded }) => isExceeded);
  });
  // Each process may admit as much as it does not know of: a twentieth of the limit, and what arrives during an exchange.
  expect(admitted).toBeGreaterThanOrEqual(LIMIT);
  expect(admitted).toBeLessThan(2 * LIMIT);
});

it('what one process counts, the others learn with their next count', async () => {
  const [one, other] = processes(2) as [RateLimits, RateLimits];
  const caller = account();
  for (let sent = 0; sent < LIMIT; sent += 1) await one.countCaller(caller);
  let counted = 0;
  const state = await until('the other one knows', async () => {
    counted += 1;
    const now = await other.countCaller(caller);
    return now.isExceeded ? now : undefined;
  });
  expect(state.resetMs).toBeLessThanOrEqual(60_000);
  expect(counted).toBeLessThan(LIMIT);
});

it('responses without news are free in all of them', async () => {
  const all = processes(2);
  const caller = account();
  for (let round = 0; round < LIMIT; round += 1) {
    for (const limits of all) {
      await limits.countCaller(caller);
      expect(await limits.release(caller)).toMatchObject({ isExceeded: false });
    }
  }
});

it('failed credentials of an address are counted together', async () => {
  const all = processes(2);
  let failures = 0;
  const fail = (limits: RateLimits): Promise<boolean> =>
    limits.countFailure(ADDRESS).then(
      () => false,
      () => true,
    );
  await until('both refuse', async () => {
    const isRefused = await Promise.all(
      all.flatMap((limits) => Array.from({ length: 10 }, () => fail(limits))),
    );
    failures += isRefused.filter((each) => !each).length;
    return isRefused.every(Boolean);
  });
  expect(failures).toBeGreaterThanOrEqual(300);
  expect(failures).toBeLessThan(450);
});

it('a count ends with its window', async () => {
  const limits = startProcess(1);
  const caller = account();
  for (let sent = 0; sent <= LIMIT; sent += 1) await limits.countCaller(caller);
  // The window of the shared counts is a second here.
  await until('it may call again', async () => !(await limits.countCaller(caller)).isExceeded);
});

it('without the table each process continues with its own count, and says so once', async () => {
  const errors: unknown[] = [];
  const limits = startProcess(60, errors);
  const caller = account();
  await database.db.raw('alter table rate_counts rename to rate_counts_away');
  try {
    for (let sent = 0; sent < LIMIT; sent += 1) {
      expect(await limits.countCaller(caller)).toMatchObject({ isExceeded: false });
    }
    expect(await limits.countCaller(caller)).toMatchObject({ isExceeded: true });
    await until('it has tried', () => errors.length > 0);
    expect(errors).toHaveLength(1);
  } finally {
    await database.db.raw('alter table rate_counts_away rename to rate_counts');
  }
});

it('regression: the counts of many callers take one statement, so that no process waits long for news', async () => {
  const sizes: number[] = [];
  const add: RateCounts['add'] = async (points) => {
    sizes.push(points.size);
    return [];
  };
  const limits = createRateLimits({
    shared: shareCounts({ add }, () => undefined),
    addressSalt: addressSaltOf(new Map([['k1', Buffer.alloc(32, 1)]])),
  });
  await Promise.all(Array.from({ length: 500 }, () => limits.countCaller(account())));
  await until('they are sent', () => sizes.length > 0);
  expect(sizes).toEqual([500]);
});

it('regression: processes that add to the same counts at once lose none, and do not block each other', async () => {
  const stores = [1, 2, 3, 4].map(() => {
    const db = openDatabase(database.url, { poolSize: 1 });
    onTestFinished(() => db.destroy());
    return openRateCounts(db, 60);
  });
  const keys = Array.from({ length: 200 }, () => randomUUID());
  const add = (store: RateCounts, at: number) =>
    store.add(new Map((at % 2 === 0 ? keys : keys.toReversed()).map((key) => [key, 3])));
  for (let round = 0; round < 5; round += 1) await Promise.all(stores.map(add));
  const [store] = stores as [RateCounts];
  const sums = await store.add(new Map(keys.map((key) => [key, 0])));
  expect(new Set(sums.map(({ points }) => points))).toEqual(new Set([60]));
  for (const { leftMs } of sums) {
    expect(leftMs).toBeGreaterThan(0);
    expect(leftMs).toBeLessThanOrEqual(60_000);
  }
});
