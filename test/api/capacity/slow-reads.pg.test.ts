// Endless requests for slow reads of one account: other accounts still get answers.
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildApp } from '../../../api/app.ts';
import { createRateLimits } from '../../../api/access/rate-limits.ts';
import { type Database, openDatabase } from '../../../db/driver/knex.ts';
import { useApi } from '../../support/api/api.ts';
import { commitRows, createAccount, createKey, createTestRecord } from '../../support/rows/factories.ts';
import { makeSession } from '../../support/rows/new-session.ts';
import { until } from '../../support/until.ts';

const api = useApi();
let heavyDb: Database;
let app: FastifyInstance;

beforeAll(() => {
  // As api/main.ts opens it.
  heavyDb = openDatabase(api.db.client.config.connection.connectionString, { poolSize: 4 });
  app = buildApp({ ...api.services, heavyDb }, { rateLimits: createRateLimits({ multiplier: 1_000 }) });
});
afterAll(async () => {
  await app.close();
  await heavyDb.destroy();
});

async function makeCaller(): Promise<(path: string) => Promise<number>> {
  const accountId = await createAccount(api.db);
  const { value: key } = await createKey(api.db, accountId, 'full');
  const id = await createTestRecord(api.db, accountId);
  await commitRows(api.db, id, { a: '{"id":"a","price":"1"}' });
  return (path) => get(`/v1/sources/${id}${path}`, key);
}

async function get(url: string, key: string): Promise<number> {
  const { statusCode } = await app.inject({ url, headers: { authorization: `Bearer ${key}` } });
  return statusCode;
}

/** Blocks all statements that read rows. @returns the function that unblocks them */
async function holdRows(): Promise<() => Promise<void>> {
  const trx = await api.db.transaction();
  await trx.raw('lock table row_versions in access exclusive mode');
  return async () => void (await trx.rollback());
}

const countOf = (statuses: readonly number[], status: number): number =>
  statuses.filter((one) => one === status).length;

describe('an account that requests 50 profiles and 50 files at once', () => {
  it('gets its share, and leaves other accounts theirs of quick and slow reads', async () => {
    const [flood, other] = [await makeCaller(), await makeCaller()];
    const release = await holdRows();
    const profiles = Array.from({ length: 50 }, () => flood('/snapshots/latest/profile'));
    await until('its turns are taken', () => heavyDb.client.pool.numUsed() === 2);
    const elsewhere = other('/snapshots/latest/profile');
    await until('another account has its turn', () => heavyDb.client.pool.numUsed() === 3);
    const files = Array.from({ length: 50 }, () => flood('/snapshots/latest/download'));
    expect(await Promise.all([flood(''), other(''), other('/delta/latest'), other('/delta')])).toEqual([
      200, 200, 200, 200,
    ]);
    const refused: number[] = [];
    for (const answer of [...profiles, ...files]) void answer.then((status) => refused.push(status));
    await until('those beyond its share are refused', () => refused.length === 84);
    await release();
    expect(await elsewhere).toBe(200);
    const answers = await Promise.all(profiles);
    expect([countOf(answers, 200), countOf(answers, 429)]).toEqual([8, 42]);
    const sent = await Promise.all(files);
    expect([countOf(sent, 200), countOf(sent, 429)]).toEqual([8, 42]);
    // Every slot becomes free again.
    expect(await flood('/snapshots/latest/profile')).toBe(200);
  });
});

describe('sessions', () => {
  it('share the limit of one account, however many there are', async () => {
    const sessions = await Promise.all(Array.from({ length: 10 }, () => makeSession(api.db)));
    const release = await holdRows();
    const answered: number[] = [];
    const answers = sessions.map(async ({ token }) => {
      const status = await get('/v1/sources/self/snapshots/latest/profile', token);
      answered.push(status);
      return status;
    });
    await until('the two beyond the limit are refused', () => answered.length === 2);
    expect(answered).toEqual([429, 429]);
    expect(heavyDb.client.pool.numUsed()).toBe(2);
    await release();
    expect(countOf(await Promise.all(answers), 200)).toBe(8);
  });
});
