// Endless requests for pages of rows, however little of them is sent: other accounts and health checks still get answers.
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildApp } from '../../../api/app.ts';
import { createRateLimits } from '../../../api/access/rate-limits.ts';
import { type Database, openDatabase } from '../../../db/driver/knex.ts';
import { useApi } from '../../support/api/api.ts';
import { commitRows, createAccount, createKey, createTestRecord } from '../../support/rows/factories.ts';
import { until } from '../../support/until.ts';

const api = useApi();
let db: Database;
let app: FastifyInstance;

const POOL_SIZE = 5;

beforeAll(() => {
  db = openDatabase(api.db.client.config.connection.connectionString, { poolSize: POOL_SIZE });
  const config = { ...api.services.config, databasePoolSize: POOL_SIZE };
  const services = { ...api.services, config, db, heavyDb: api.db };
  app = buildApp(services, { rateLimits: createRateLimits({ multiplier: 1_000 }) });
});
afterAll(async () => {
  await app.close();
  await db.destroy();
});

async function makeCaller(): Promise<(path: string) => Promise<number>> {
  const accountId = await createAccount(api.db);
  const { value: key } = await createKey(api.db, accountId, 'read');
  const id = await createTestRecord(api.db, accountId);
  await commitRows(api.db, id, { a: '{"id":"a","price":"1"}' });
  return async (path) => {
    const headers = { authorization: `Bearer ${key}`, 'if-none-match': '*' };
    const { statusCode } = await app.inject({ url: `/v1/sources/${id}${path}`, headers });
    return statusCode;
  };
}

/** Blocks all statements that read rows. @returns the function that unblocks them */
async function holdRows(): Promise<() => Promise<void>> {
  const trx = await api.db.transaction();
  await trx.raw('lock table row_versions in access exclusive mode');
  return async () => void (await trx.rollback());
}

const used = (): number => db.client.pool.numUsed();
const countOf = (statuses: readonly number[], status: number): number =>
  statuses.filter((one) => one === status).length;

/** @returns the answers, and those that have come */
function send(times: number, call: () => Promise<number>) {
  const come: number[] = [];
  const all = Array.from({ length: times }, call);
  for (const answer of all) void answer.then((status) => come.push(status));
  return { all: Promise.all(all), come };
}

describe.each(['/delta/latest/rows?limit=5000', '/rows/a/history'])('an account that floods %s', (path) => {
  it('regression: leaves connections to others, and waits for its turn', async () => {
    const [flood, other] = [await makeCaller(), await makeCaller()];
    const release = await holdRows();
    const { all, come } = send(60, () => flood(path));
    await until('those beyond its share are refused', () => come.length === 8);
    expect(come).toEqual(Array<number>(8).fill(429));
    await until('it has its share', () => used() === 2);
    const elsewhere = other(path);
    await until('another account has its turn', () => used() === 3);
    expect(await other('')).toBe(304);
    expect((await app.inject({ url: '/readyz' })).statusCode).toBe(200);
    await release();
    expect(await elsewhere).toBe(304);
    expect(countOf(await all, 304)).toBe(52);
    expect(await flood(path)).toBe(304);
  });
});

it('an account that floods pages of a snapshot waits for its turn', async () => {
  const [flood, other] = [await makeCaller(), await makeCaller()];
  const release = await holdRows();
  const { all, come } = send(80, () => flood('/snapshot-rows'));
  await until('those beyond its share are refused', () => come.length === 14);
  const elsewhere = other('/snapshot-rows');
  await release();
  expect(await elsewhere).toBe(304);
  expect(countOf(await all, 304)).toBe(66);
});

it('regression: readiness needs no connection of the pool', async () => {
  const taken = await Promise.all(Array.from({ length: POOL_SIZE }, () => db.transaction()));
  const ready = await app.inject({ url: '/readyz' });
  expect(ready.json()).toEqual({ status: 'ready', database: true, migrations: true, temporal: true });
  await Promise.all(taken.map((trx) => trx.rollback()));
});
