// Connections on which PostgreSQL falls silent, behind a proxy that keeps them open. Waiting statements fail, and statements
// that only take long continue.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listenForNotifications } from '../../../db/driver/notifications.ts';
import { copyRows } from '../../../db/driver/copy-rows.ts';
import { type Database, openDatabase, rawRows } from '../../../db/driver/knex.ts';
import { lookUp } from '../../../db/driver/prepared.ts';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { createGate } from '../../support/gate.ts';
import { startTcpProxy, type TcpProxy } from '../../support/servers/tcp-proxy.ts';
import { until } from '../../support/until.ts';

/** A new connection gets a quarter of it, also on a loaded machine. */
const PATIENCE_MS = 4_000;
const LOST = { code: 'ECONNRESET' };
/** knex's error for a transaction that cannot be rolled back on its connection. */
const BROKEN = /^ROLLBACK - Client has encountered a connection error/;

let database: TestDatabase;
let proxy: TcpProxy;
let db: Database;
let heard: string[];
/** Another name for each test: backends of the test before may be still ending. */
let applicationName = '';
let tests = 0;

beforeAll(async () => {
  database = await createTestDatabase();
});

beforeEach(async () => {
  const { host } = new URL(database.url);
  proxy = await startTcpProxy(host);
  heard = [];
  applicationName = `watched ${(tests += 1)}`;
  const url = new URL(database.url);
  url.host = proxy.address;
  db = openDatabase(url.href, {
    poolSize: 3,
    applicationName,
    patienceMs: PATIENCE_MS,
    report: (words) => void heard.push(words),
  });
});

afterEach(async () => {
  proxy.sever();
  await db.destroy();
  await proxy.close();
});

afterAll(() => database.drop());

async function backendsThatCopy(): Promise<number> {
  const waiting = await rawRows(
    database.db,
    `select pid from pg_stat_activity where application_name = ? and datname = current_database()
     and state = 'active' and wait_event = 'ClientRead'`,
    [applicationName],
  );
  return waiting.length;
}

const say = (): Promise<unknown> => rawRows(db, 'select 1 as one');

describe('regression: a connection that is open but silent', () => {
  it('fails the statement that waits on it, and the next one gets another connection', async () => {
    await say();
    proxy.silence({ newOnes: false });
    await expect(say()).rejects.toMatchObject(LOST);
    expect(heard.join()).toMatch(/silent for \d+ ms/);
    await expect(say()).resolves.toEqual([{ one: 1 }]);
  });

  it('is closed together with older idle connections', async () => {
    await Promise.all([say(), say(), say()]);
    proxy.silence({ newOnes: false });
    await expect(say()).rejects.toMatchObject(LOST);
    await expect(Promise.all([say(), say(), say()])).resolves.toHaveLength(3);
  });

  it('fails all statements that share it', async () => {
    const ask = (): Promise<unknown> => lookUp(db, 'select 1 as one', []);
    await Promise.all([ask(), ask()]);
    proxy.silence({ newOnes: false });
    const all = await Promise.allSettled(Array.from({ length: 4 }, ask));
    for (const one of all) expect(one).toMatchObject({ status: 'rejected', reason: LOST });
    await expect(ask()).resolves.toEqual([{ one: 1 }]);
  });

  it('fails its statement even while PostgreSQL cannot be asked', async () => {
    await say();
    proxy.silence({ newOnes: true });
    await expect(say()).rejects.toMatchObject(LOST);
    await expect(say()).rejects.toThrow(/timeout/i);
    proxy.heal();
    await expect(say()).resolves.toEqual([{ one: 1 }]);
  });

  it.each([false, true])('leaves no lock behind (no new connection either: %s)', async (newOnes) => {
    await database.db.raw(
      'create table if not exists held (id integer); truncate held; insert into held values (1)',
    );
    const lock = 'select id from held for update';
    const working = db.transaction(async (trx) => {
      await trx.raw(lock);
      proxy.silence({ newOnes });
      await trx.raw('select 1');
    });
    await expect(working).rejects.toThrow(BROKEN);
    proxy.heal();
    await until('the lock is free', async () => {
      const free = await rawRows(database.db, `${lock} skip locked`);
      return free.length === 1;
    });
  });

  it.each(['is under way', 'has sent everything'])('fails a copy that %s', async (state) => {
    const gate = createGate();
    const rest = state === 'is under way' ? 50 : 0;
    const batches = async function* () {
      yield [1];
      await gate.wait();
      for (let n = 0; n < rest; n += 1) yield Array.from({ length: 1_000 }, () => n);
    };
    const copying = db.transaction(async (trx) => {
      await trx.raw('create temporary table numbers (text text) on commit drop');
      return copyRows(trx, 'numbers', batches(), (row) => [`${row}`.padEnd(50)]);
    });
    copying.catch(() => undefined);
    await until('it copies', async () => (await backendsThatCopy()) === 1);
    proxy.silence({ newOnes: false });
    gate.open();
    await expect(copying).rejects.toThrow(BROKEN);
  });

  it('does not prevent the pool from closing', async () => {
    await Promise.all([say(), lookUp(db, 'select 1 as one', [])]);
    proxy.silence({ newOnes: true });
    say().catch(() => undefined);
    await expect(db.destroy()).resolves.toBeUndefined();
  });

  it('is detected and reopened even if it only listens', async () => {
    let gaps = 0;
    const listening = listenForNotifications(
      db,
      'record_changed',
      { onNotification: () => undefined, onGap: () => (gaps += 1), onError: () => undefined },
      { probeEveryMs: 100 },
    );
    await listening.ready;
    proxy.silence({ newOnes: false });
    await until('it listens again', () => gaps === 1);
    await listening.close();
  });
});

describe('a statement that takes longer than the patience', () => {
  it('continues while PostgreSQL works on it', async () => {
    await expect(rawRows(db, 'select pg_sleep(?)', [(2 * PATIENCE_MS) / 1_000])).resolves.toHaveLength(1);
    expect(heard).toEqual([]);
  });

  it('continues while it waits for a lock', async () => {
    await database.db.raw('create table if not exists waited (id integer)');
    const trx = await database.db.transaction();
    await trx.raw('lock table waited');
    const waiting = rawRows(db, 'select * from waited');
    // Waits longer than the patience.
    await rawRows(db, 'select pg_sleep(?)', [(1.5 * PATIENCE_MS) / 1_000]);
    await trx.rollback();
    await expect(waiting).resolves.toEqual([]);
    expect(heard).toEqual([]);
  });

  it('continues while it waits for rows that arrive slowly', async () => {
    const batches = async function* () {
      yield ['a'];
      await rawRows(database.db, 'select pg_sleep(?)', [(1.5 * PATIENCE_MS) / 1_000]);
      yield ['b'];
    };
    const copied = db.transaction(async (trx) => {
      await trx.raw('create temporary table letters (letter text) on commit drop');
      return copyRows(trx, 'letters', batches(), (row) => [row]);
    });
    await expect(copied).resolves.toBe(2);
    expect(heard).toEqual([]);
  });
});
