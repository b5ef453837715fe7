// A worker whose connections to PostgreSQL stay open but fall silent, behind a proxy that drops all data. Checks continue when
// new connections work, and SIGTERM ends the process in time whatever PostgreSQL does.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { type Origin, startOrigin } from '../../support/servers/origin-server.ts';
import { createRecord, readAll, startSystem, type System, untilCheck } from '../../support/servers/system.ts';
import { startTcpProxy, type TcpProxy } from '../../support/servers/tcp-proxy.ts';
import { openTemporal } from '../../support/servers/temporal.ts';
import { until } from '../../support/until.ts';

/** The longest time that an activity may hang. */
const STUCK_DEADLINE_MS = 120_000;
const END_DEADLINE_MS = 25_000;

let database: TestDatabase;
let system: System;
let origin: Origin;
let proxy: TcpProxy;
let nextRecord = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  const url = new URL(database.url);
  proxy = await startTcpProxy(url.host);
  url.host = proxy.address;
  system = await startSystem(
    { DATABASE_URL: url.href, DATABASE_PATIENCE_SECONDS: '4' },
    { temporal: await openTemporal(), database },
  );
  origin = await startOrigin();
});

beforeEach(() => proxy.heal());

afterAll(async () => {
  proxy.sever();
  await origin.close();
  await system.stop();
  await proxy.close();
});

const csv = (rows: number): string =>
  ['id,name', ...Array.from({ length: rows }, (_, i) => `${i},row ${i}`)].join('\n');

async function newRecord(): Promise<{ id: string; path: string }> {
  const path = `/list-${(nextRecord += 1)}.csv`;
  origin.set(path, { body: csv(30) });
  const { id } = await createRecord(system, { url: `${origin.url}${path}`, keyFields: ['id'] });
  return { id, path };
}

/** Requests a check until the API answers; its connections are silent too. */
async function requestCheck(id: string): Promise<string> {
  const answer = await until(
    'the check is asked for',
    async () => {
      const { status, body } = await system.call('POST', `/v1/sources/${id}/check`);
      return status === 202 ? body : undefined;
    },
    { deadlineMs: STUCK_DEADLINE_MS },
  );
  return String(answer['id']);
}

function untilACommitWaits(): Promise<unknown> {
  return until('a commit waits for a lock', async () => {
    const { rows } = await database.db.raw<{ rows: unknown[] }>(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows.length > 0;
  });
}

async function expectOneChange(id: string, checkId: string): Promise<void> {
  await until('the API answers', async () => {
    const { status } = await system.call('GET', `/v1/sources/${id}/checks`);
    return status === 200;
  });
  const check = await untilCheck(system, id, 'the check is done', (one) => one.id === checkId);
  expect(check).toMatchObject({ outcome: 'changed', error: null });
  const events = await readAll<{ isNoChange: boolean }>(system, `/v1/sources/${id}/delta`, 'events');
  expect(events.filter(({ isNoChange }) => !isNoChange)).toHaveLength(1);
}

describe('regression: silent open connections to PostgreSQL', () => {
  it('delay no check when new connections work', { timeout: STUCK_DEADLINE_MS }, async () => {
    const { id, path } = await newRecord();
    proxy.silence({ newOnes: false });
    origin.set(path, { body: csv(31) });
    await expectOneChange(id, await requestCheck(id));
  });

  it(
    'delay a commit, and hold its lock, for less than two minutes',
    { timeout: 2 * STUCK_DEADLINE_MS },
    async () => {
      const { id, path } = await newRecord();
      origin.set(path, { body: csv(31) });
      const lock = await database.db.transaction();
      await lock.raw('select 1 from record_heads where record_id = ? for update', [id]);
      const checkId = await requestCheck(id);
      await untilACommitWaits();
      proxy.silence({ newOnes: true });
      // Now the commit's own silent connection holds the lock.
      await lock.rollback();
      await until('the worker gives a connection up', () => /was silent for/.test(system.logs()));
      proxy.heal();
      const isDone = async (): Promise<boolean> =>
        (await database.db('checks').where({ id: checkId }).first()) !== undefined;
      await until('the check is done', isDone, { deadlineMs: STUCK_DEADLINE_MS });
      await expectOneChange(id, checkId);
    },
  );

  it('do not keep a worker from ending', { timeout: STUCK_DEADLINE_MS }, async () => {
    const { id, path } = await newRecord();
    const lock = await database.db.transaction();
    await lock.raw('select 1 from record_heads where record_id = ? for update', [id]);
    origin.set(path, { body: csv(31) });
    const checkId = await requestCheck(id);
    await untilACommitWaits();
    proxy.silence({ newOnes: true });
    const pid = system.pidOf('worker') ?? 0;
    process.kill(pid, 'SIGTERM');
    await until('the worker has ended', () => !system.isRunning('worker'), { deadlineMs: END_DEADLINE_MS });
    // The proxy dropped the end of the connections. Now PostgreSQL learns of it.
    proxy.heal();
    proxy.sever();
    await lock.rollback();
    await system.start('worker');
    await expectOneChange(id, checkId);
  });
});
