// Interface 3 and 7: a revoked key is rejected from the moment of revocation, on every process.
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import type { FastifyInstance } from 'fastify';
import { buildApp } from '../../../../api/app.ts';
import { type Database, openDatabase, rawRows } from '../../../../db/driver/knex.ts';
import { useApi } from '../../../support/api/api.ts';
import { createAccount, createKey, createTestRecord } from '../../../support/rows/factories.ts';

const ROUNDS = 300;
/** Rounds in parallel. */
const LANES = 10;

const api = useApi();
let otherDb: Database;
let other: FastifyInstance;

beforeAll(async () => {
  const [database] = await rawRows<{ name: string }>(api.db, 'select current_database() as name');
  const url = new URL(inject('postgresUrl'));
  url.pathname = database?.name ?? '';
  otherDb = openDatabase(url.href, { poolSize: 5 });
  other = buildApp({ ...api.services, db: otherDb, heavyDb: otherDb });
});

afterAll(async () => {
  await other.close();
  await otherDb.destroy();
});

interface Seen {
  /** Requests that began before the revocation was answered, and after. */
  before: number[];
  after: number[];
}

/** Uses a key on both processes without a pause, revokes it on one of them, and continues for a while. */
async function revokeUnderLoad(round: number): Promise<Seen> {
  // Each round has its own account, because calls are limited by account.
  const accountId = await createAccount(api.db);
  const recordId = await createTestRecord(api.db, accountId, { tier: 'max' });
  const { value: fullKey } = await createKey(api.db, accountId, 'full');
  const recordKey = round % 2 === 0;
  const { id, value } = await createKey(api.db, accountId, 'read', recordKey ? recordId : null);
  const seen: Seen = { before: [], after: [] };
  let isRevoked = false;
  // Each round uses another address, because an address with many invalid keys is refused.
  const remoteAddress = `203.0.${round >> 8}.${round & 255}`;
  const use = async (app: FastifyInstance): Promise<void> => {
    while (seen.after.length < 8) {
      // Lets the other requests run even if this one never waits.
      await setImmediate();
      const began = isRevoked ? seen.after : seen.before;
      const headers = { authorization: `Bearer ${value}` };
      const url = `/v1/sources/${recordId}`;
      began.push((await app.inject({ method: 'GET', url, headers, remoteAddress })).statusCode);
    }
  };
  const users = [api.app, other].map(use);
  const path = recordKey ? `/v1/sources/${recordId}/apikeys/${id}` : `/v1/apikeys/${id}`;
  const answer = await (round % 3 === 0 ? other : api.app).inject({
    method: 'DELETE',
    url: path,
    headers: { authorization: `Bearer ${fullKey}` },
  });
  isRevoked = true;
  await Promise.all(users);
  expect(answer.statusCode).toBe(204);
  return seen;
}

it('no request that begins after the answer to a revocation succeeds, on any process', async () => {
  const before: number[] = [];
  const after: number[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < ROUNDS) {
      next += 1;
      const seen = await revokeUnderLoad(next);
      before.push(...seen.before);
      after.push(...seen.after);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  // The keys worked until then, so the load was real.
  expect(before.filter((status) => status === 200).length).toBeGreaterThan(ROUNDS);
  expect(after.length).toBeGreaterThanOrEqual(8 * ROUNDS);
  expect(new Set(after)).toEqual(new Set([401]));
});
