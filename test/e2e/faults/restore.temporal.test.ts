// Two drills: PostgreSQL is backed up while the service runs, changes continue, everything is lost, and the service is started on the
// backup; then the same with archived WAL, up to the moment before a mistake. The backup is made by the low-level API of PostgreSQL, as pg_basebackup does it
// (https://www.postgresql.org/docs/18/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP).
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RunningPostgres, startPostgres } from '../../../cli/postgres/start-postgres.ts';
import { connectOnce } from '../../../db/driver/connect-once.ts';
import { openDatabase } from '../../../db/driver/knex.ts';
import { migrate } from '../../../db/migrate.ts';
import { SCHEDULE_IDS } from '../../../workflows/contract.ts';
import type { TestDatabase } from '../../support/servers/database.ts';
import { freePort } from '../../support/servers/free-port.ts';
import { naiveTable, type NaiveTable } from '../../support/checks/naive-compare.ts';
import { type Origin, startOrigin } from '../../support/servers/origin-server.ts';
import { PROGRAMS } from '../../support/servers/programs.ts';
import { createRecord, readAll, startSystem, type System } from '../../support/servers/system.ts';
import { openTemporal } from '../../support/servers/temporal.ts';
import { until } from '../../support/until.ts';

const RECORDS = 3;
const CHANGE_EVERY_MS = 150;
const DEADLINE_MS = 240_000;
const run = promisify(execFile);

interface Watched {
  id: string;
  path: string;
  /** Every body that the origin served, oldest first. */
  shown: string[];
}

interface EventView {
  id: string;
  number: number;
  isBaseline: boolean;
  detectedAt: string;
}

interface RowView {
  key: string;
  before: { [column: string]: string } | null;
  after: { [column: string]: string } | null;
}

const folder = mkdtempSync(join(tmpdir(), 'recordwatch-restore-'));
const dataDir = join(folder, 'postgres');
/** WAL that PostgreSQL has archived. */
const archive = join(folder, 'wal');
let postgres: RunningPostgres;
let port: number;
let system: System;
let origin: Origin;
/** Of the account that made the records. */
let apiKey: string;
let keys: string;
const watched: Watched[] = [];

beforeAll(async () => {
  port = await freePort();
  postgres = await startPostgres({ dataDir, port });
  await migrate(postgres.url);
  origin = await startOrigin();
  system = await startWith('blobs-before');
  apiKey = system.apiKey;
  keys = system.env['KEY_ENCRYPTION_KEYS'] ?? '';
  for (let index = 0; index < RECORDS; index += 1) watched.push(await watch(index));
});

afterAll(async () => {
  await system.stop();
  await origin.close();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** A system with an empty Temporal namespace and an empty blob store. */
async function startWith(blobs: string, settings: Record<string, string> = {}): Promise<System> {
  mkdirSync(join(folder, blobs));
  const db = openDatabase(postgres.url, { poolSize: 3, statementTimeoutMs: 60_000 });
  const database: TestDatabase = { db, url: postgres.url, drop: () => db.destroy() };
  const env = { BLOB_STORE: join(folder, blobs), ...settings };
  return startSystem(env, { temporal: await openTemporal(), database });
}

const bodyOf = (rows: ReadonlyMap<number, number>): string =>
  ['id,value', ...[...rows].map(([id, value]) => `${id},${value}`)].join('\n');

async function watch(index: number): Promise<Watched> {
  const path = `/${index}.csv`;
  const body = bodyOf(new Map(Array.from({ length: 30 }, (_, id) => [id, 0])));
  origin.set(path, { body });
  const { id } = await createRecord(system, { url: origin.url + path, keyFields: ['id'] });
  await system.database.db('records').where({ id }).update({ checkIntervalSeconds: 0.2 });
  await system.call('PATCH', `/v1/sources/${id}`, { name: path });
  return { id, path, shown: [body] };
}

/** Serves a new version of one record's table after another. @returns stops it */
function keepChanging(): () => void {
  let step = 0;
  const timer = setInterval(() => {
    step += 1;
    const one = watched[step % watched.length];
    if (one === undefined) return;
    const rows = new Map(
      [...naiveTable(one.shown.at(-1) ?? '', 'id').values()].map(({ id, value }) => [
        Number(id),
        Number(value),
      ]),
    );
    rows.set(step % 30, step);
    rows.set(1_000 + step, step);
    if (step % 3 === 0) rows.delete(1_000 + step - 3 * watched.length);
    one.shown.push(bodyOf(rows));
    origin.set(one.path, { body: one.shown.at(-1) ?? '' });
  }, CHANGE_EVERY_MS);
  return () => clearInterval(timer);
}

const eventsOf = ({ id }: Watched) =>
  readAll<EventView>(asOwner(), `/v1/sources/${id}/delta?order=asc&limit=200`, 'events');

/** The running system, called with the key of the account that made the records. */
const asOwner = (): System => ({
  ...system,
  call: (method, path, body) => system.call(method, path, body, { authorization: `Bearer ${apiKey}` }),
});

const allEvents = () => Promise.all(watched.map(eventsOf));

/** Each record has so many events more than these. */
const untilMore = (events: readonly EventView[][], more: number) =>
  until(
    'more events',
    async () =>
      (await allEvents()).every((list, index) => list.length >= (events[index]?.length ?? 0) + more),
    { deadlineMs: DEADLINE_MS },
  );

async function takeBackup(backup: string): Promise<void> {
  await connectOnce(postgres.url, async (client) => {
    await client.query(`select pg_backup_start('drill', true)`);
    await copyTree(dataDir, backup);
    const { rows } = await client.query('select labelfile from pg_backup_stop(wait_for_archive => false)');
    rmSync(join(backup, 'postmaster.pid'), { force: true });
    writeFileSync(join(backup, 'backup_label'), rows[0].labelfile);
    // The WAL from the beginning to the end of the copy.
    rmSync(join(backup, 'pg_wal'), { recursive: true });
    await copyTree(join(dataDir, 'pg_wal'), join(backup, 'pg_wal'));
    await run('chown', [`--reference=${join(backup, 'PG_VERSION')}`, join(backup, 'backup_label')]);
  });
}

/** Files may vanish while they are copied: the WAL has what they held. */
async function copyTree(from: string, to: string): Promise<void> {
  await run('cp', ['-a', from, to]).catch((error: Error & { stderr: string }) => {
    const lines = error.stderr.trim().split('\n');
    if (!lines.every((line) => line.includes('No such file'))) throw error;
  });
}

async function loseEverything(blobs: string): Promise<void> {
  await Promise.all([system.kill('api'), system.kill('worker')]);
  process.kill(postgres.pid, 'SIGQUIT');
  await postgres.ended;
  await system.stop();
  rmSync(dataDir, { recursive: true });
  rmSync(join(folder, blobs), { recursive: true });
}

/** The findings of `backup check`. */
async function examine(kek = keys): Promise<{ code: number; text: string }> {
  const env = { PATH: process.env['PATH'], DATABASE_URL: postgres.url, KEY_ENCRYPTION_KEYS: kek };
  return run(process.execPath, [PROGRAMS.cli.path, 'backup', 'check'], { env }).then(
    ({ stdout }) => ({ code: 0, text: stdout }),
    ({ code, stdout }: { code: number; stdout: string }) => ({ code, text: stdout }),
  );
}

/** Expects that the events lead from the first table to the present one, over tables that the origin has served, in order. */
async function expectTrueEvents(one: Watched): Promise<void> {
  const events = await eventsOf(one);
  expect(events.map(({ number }) => number)).toEqual(events.map((_, index) => index + 1));
  const shown = one.shown.map((body) => textOf(naiveTable(body, 'id')));
  const table = naiveTable(one.shown[0] ?? '', 'id');
  let at = 0;
  for (const { id, isBaseline } of events) {
    if (isBaseline) continue;
    const path = `/v1/sources/${one.id}/delta/${id}/rows?limit=100`;
    for (const row of await readAll<RowView>(asOwner(), path, 'rows')) {
      expect(row.before ?? undefined).toEqual(table.get(row.key));
      if (row.after === null) table.delete(row.key);
      else table.set(row.key, row.after);
    }
    at = shown.indexOf(textOf(table), at);
    expect(at, 'the table was served, and not before the last one').not.toBe(-1);
  }
  expect(textOf(table)).toBe(shown.at(-1));
}

/** @returns notes that a step is done, and gives the milliseconds from the beginning to each step */
function stopwatch(beganAt: number): (step: string) => Record<string, number> {
  const steps: Record<string, number> = {};
  return (step) => Object.assign(steps, { [step]: Date.now() - beganAt });
}

const textOf = (table: NaiveTable): string =>
  [...table.values()]
    .map(({ id, value }) => `${id},${value}`)
    .toSorted()
    .join('\n');

/** Expects of restored events that all from before the point are there, that none is new, and that a reader hears of those that are lost. */
async function expectKept(
  kept: readonly EventView[][],
  { before, lost }: Record<'before' | 'lost', readonly EventView[][]>,
): Promise<void> {
  for (const [index, events] of kept.entries()) {
    expect(events.length).toBeGreaterThanOrEqual(before[index]?.length ?? 0);
    expect(events).toEqual(lost[index]?.slice(0, events.length));
    const gone = lost[index]?.at(events.length);
    expect(gone).toBeDefined();
    const path = `/v1/sources/${watched[index]?.id}/delta?since=${gone?.id}`;
    const answer = await asOwner().call('GET', path);
    expect(answer).toMatchObject({ status: 410, body: { code: 'gone' } });
    expect(answer.body['detail']).toMatch(/restored/);
  }
}

const ARCHIVING = {
  archive_mode: 'on',
  archive_command: `test ! -f "${archive}/%f" && cp "%p" "${archive}/%f"`,
};

const now = (): Promise<Date> =>
  connectOnce(
    postgres.url,
    async (client) => (await client.query('select clock_timestamp()')).rows[0].clock_timestamp,
  );

/** Everything that was committed until now is in the archive. */
async function untilArchived(): Promise<void> {
  await connectOnce(postgres.url, async (client) => {
    const { rows } = await client.query('select pg_walfile_name(pg_switch_wal()) as name');
    await until('the WAL is archived', () => existsSync(join(archive, rows[0].name)), {
      deadlineMs: DEADLINE_MS,
    });
  });
}

it(
  'loses no event from before the backup, and invents none after it',
  { timeout: 5 * DEADLINE_MS },
  async () => {
    const backup = join(folder, 'backup');
    const none = watched.map(() => []);
    const stopChanging = keepChanging();
    await untilMore(none, 3);
    const before = await allEvents();
    await takeBackup(backup);
    await untilMore(await allEvents(), 3);
    const lost = await allEvents();
    const lostAt = Date.now();
    await loseEverything('blobs-before');

    const mark = stopwatch(lostAt);
    await copyTree(backup, dataDir);
    // Its WAL has the names of WAL that the lost server wrote, so it is archived elsewhere.
    mkdirSync(archive);
    await run('chown', [`--reference=${dataDir}`, archive]);
    postgres = await startPostgres({ dataDir, port, settings: ARCHIVING });
    mark('PostgreSQL serves');
    const { code, text } = await examine();
    mark('backup check is done');
    expect([code, text]).toEqual([0, expect.stringContaining('All is well.')]);
    const [point = ''] = /(?<=latest check ended at )\S+Z/.exec(text) ?? [];
    expect((await examine(`other:${'A'.repeat(43)}=`)).code).toBe(2);

    system = await startWith('blobs-after', { KEY_ENCRYPTION_KEYS: keys });
    mark('API and worker are ready');
    const kept = await allEvents();
    await expectKept(kept, { before, lost });
    await system.temporal.client.schedule.getHandle(SCHEDULE_IDS.reconcile).trigger();
    await untilMore(kept, 1);
    const figures = mark('each record has its next event');
    const size = (await system.database.db.raw('select pg_database_size(current_database()) as bytes'))
      .rows[0];
    await untilMore(kept, 4);
    stopChanging();
    // The second check from now begins after the last change.
    await untilMore(await allEvents(), 2);
    for (const one of watched) await expectTrueEvents(one);
    const lateMs = lostAt - Date.parse(point);
    const { stdout: backupBytes } = await run('du', ['--summarize', '--bytes', backup]);
    // The figures of docs/operations.md.
    console.log({
      figures,
      recoveryPointMs: lateMs,
      databaseBytes: size?.bytes,
      backupBytes: parseInt(backupBytes, 10),
    });
    expect(lateMs).toBeGreaterThan(0);
  },
);

it('goes back to the moment before a mistake, with archived WAL', { timeout: 5 * DEADLINE_MS }, async () => {
  const backup = join(folder, 'second-backup');
  const stopChanging = keepChanging();
  await takeBackup(backup);
  await untilMore(await allEvents(), 3);
  const before = await allEvents();
  const point = await now();
  await untilMore(before, 3);
  const lost = await allEvents();
  const { body: page } = await asOwner().call('GET', '/v1/events?since=now');
  const cursor = `/v1/events?since=${encodeURIComponent(String(page['nextCursor']))}`;
  const deleted = await asOwner().call('DELETE', `/v1/sources/${watched[0]?.id}`);
  expect(deleted.status).toBe(204);
  await untilArchived();
  await loseEverything('blobs-after');

  const mark = stopwatch(Date.now());
  await copyTree(backup, dataDir);
  writeFileSync(join(dataDir, 'recovery.signal'), '');
  await run('chown', [`--reference=${join(dataDir, 'PG_VERSION')}`, join(dataDir, 'recovery.signal')]);
  postgres = await startPostgres({
    dataDir,
    port,
    settings: {
      ...ARCHIVING,
      restore_command: `cp "${archive}/%f" "%p"`,
      // PostgreSQL takes no `Z` here.
      recovery_target_time: point.toISOString().replace('Z', '+00'),
      recovery_target_action: 'promote',
      // It answers when it has reached the point, not before.
      hot_standby: 'off',
    },
  });
  mark('PostgreSQL serves');
  const { code, text } = await examine();
  mark('backup check is done');
  expect([code, text]).toEqual([0, expect.stringContaining('All is well.')]);
  const [latest = ''] = /(?<=latest check ended at )\S+Z/.exec(text) ?? [];
  const earlyMs = point.getTime() - Date.parse(latest);
  expect(earlyMs).toBeGreaterThanOrEqual(0);

  system = await startWith('blobs-at-point', { KEY_ENCRYPTION_KEYS: keys });
  mark('API and worker are ready');
  const kept = await allEvents();
  await expectKept(kept, { before, lost });
  const cursorGone = { status: 410, body: { code: 'gone' } };
  expect(await asOwner().call('GET', cursor)).toMatchObject(cursorGone);
  await system.temporal.client.schedule.getHandle(SCHEDULE_IDS.reconcile).trigger();
  await untilMore(kept, 1);
  const figures = mark('each record has its next event');
  // The feed has as many events again as when the cursor was given out, and they are others.
  await untilMore(lost, 1);
  expect(await asOwner().call('GET', cursor)).toMatchObject(cursorGone);
  stopChanging();
  // The second check from now begins after the last change.
  await untilMore(await allEvents(), 2);
  for (const one of watched) await expectTrueEvents(one);
  // The figures of docs/operations.md.
  console.log({ figures, point: point.toISOString(), latestCheckBeforeMs: earlyMs });
});
