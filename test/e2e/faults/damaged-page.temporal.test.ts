// A byte of a table changes on the disk. PostgreSQL refuses the page, so calls and checks that need it fail, and nothing false is
// said; `doctor` and `backup check` name the table. When the page is back, the record continues with its true difference.
import { execFile } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { diagnose } from '../../../cli/doctor/doctor.ts';
import { type RunningPostgres, startPostgres } from '../../../cli/postgres/start-postgres.ts';
import { parseConfig } from '../../../core/config.ts';
import { openDatabase } from '../../../db/driver/knex.ts';
import { migrate } from '../../../db/migrate.ts';
import { freePort } from '../../support/servers/free-port.ts';
import { type Origin, startOrigin } from '../../support/servers/origin-server.ts';
import { PROGRAMS } from '../../support/servers/programs.ts';
import {
  checkAndWait,
  createRecord,
  readAll,
  startSystem,
  type System,
} from '../../support/servers/system.ts';
import { openTemporal } from '../../support/servers/temporal.ts';
import { until } from '../../support/until.ts';

const DEADLINE_MS = 300_000;
const TABLE = 'row_versions';
const folder = mkdtempSync(join(tmpdir(), 'recordwatch-damage-'));
const dataDir = join(folder, 'postgres');
let port: number;
let postgres: RunningPostgres;
let system: System;
let origin: Origin;
let id: string;

beforeAll(async () => {
  port = await freePort();
  postgres = await startPostgres({ dataDir, port });
  await migrate(postgres.url);
  const db = openDatabase(postgres.url, { poolSize: 3, statementTimeoutMs: 60_000 });
  const database = { db, url: postgres.url, drop: () => db.destroy() };
  const env = { BLOB_STORE: join(folder, 'blobs') };
  system = await startSystem(env, { temporal: await openTemporal(), database });
  origin = await startOrigin();
});

afterAll(async () => {
  await system.stop();
  await origin.close();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
});

const bodyOf = (values: readonly number[]): string =>
  ['id,value', ...values.map((value, index) => `${index},${value}`)].join('\n');

const events = () => readAll<{ id: string }>(system, `/v1/sources/${id}/delta?order=asc`, 'events');
const rows = () => system.call('GET', `/v1/sources/${id}/snapshots/latest/rows?limit=100`);

/** Turns every bit of the last byte of a table's first page, while PostgreSQL does not run. */
async function turnByte(file: string): Promise<void> {
  await postgres.stop();
  const descriptor = openSync(join(dataDir, file), 'r+');
  const byte = Buffer.alloc(1);
  readSync(descriptor, byte, 0, 1, 8_191);
  writeSync(descriptor, Buffer.from([(byte[0] ?? 0) ^ 0xff]), 0, 1, 8_191);
  closeSync(descriptor);
  postgres = await startPostgres({ dataDir, port });
}

const pages = async () => {
  const findings = await diagnose(parseConfig(system.env));
  return findings.find(({ check }) => check === 'pages');
};

const backupCheck = () =>
  new Promise<{ code: number | null; stdout: string }>((resolve) => {
    const { PATH } = process.env;
    const env = { PATH, ...system.env };
    const child = execFile(
      process.execPath,
      [PROGRAMS.cli.path, 'backup', 'check'],
      { env },
      (_error, stdout) => resolve({ code: child.exitCode, stdout }),
    );
  });

it('lets nobody say something false, and is named', { timeout: 3 * DEADLINE_MS }, async () => {
  const values = Array.from({ length: 30 }, (_, index) => index);
  origin.set('/feed', { body: bodyOf(values) });
  ({ id } = await createRecord(system, { url: `${origin.url}/feed`, keyFields: ['id'] }));
  const before = await events();
  const { body: kept } = await rows();
  expect(await pages()).toMatchObject({ level: 'ok' });
  const { rows: files } = await system.database.db.raw('select pg_relation_filepath(?) as file', [TABLE]);

  await turnByte(files[0].file);
  await until('the API answers', async () => (await system.call('GET', `/v1/sources/${id}`)).status === 200);
  expect(await rows()).toMatchObject({ status: 500, body: { code: 'internal' } });
  values[3] = 1_000;
  origin.set('/feed', { body: bodyOf(values) });
  const { body: asked } = await system.call('POST', `/v1/sources/${id}/check`);
  const findCheck = async () => {
    const { status, body } = await system.call('GET', `/v1/sources/${id}/checks/${String(asked['id'])}`);
    return status === 200 ? body : undefined;
  };
  const failed = await until('the check is given up', findCheck, { deadlineMs: DEADLINE_MS });
  expect(failed).toMatchObject({ outcome: 'failed', error: { code: 'internal' } });
  expect(await events()).toEqual(before);
  expect(await pages()).toMatchObject({ level: 'problem', words: expect.stringContaining(`${TABLE} (`) });
  const { code, stdout } = await backupCheck();
  expect([code, stdout]).toEqual([2, expect.stringContaining(`Damaged tables: ${TABLE} (`)]);

  await turnByte(files[0].file);
  await until('the API answers', async () => (await system.call('GET', `/v1/sources/${id}`)).status === 200);
  expect((await rows()).body).toEqual(kept);
  expect(await pages()).toMatchObject({
    level: 'warning',
    words: expect.stringContaining('All tables can be read'),
  });
  await system.database.db.raw('select pg_stat_reset()');
  expect(await pages()).toMatchObject({ level: 'ok' });
  expect(await checkAndWait(system, id)).toMatchObject({ outcome: 'changed' });
  const [event] = (await events()).slice(before.length);
  const changed = await readAll(system, `/v1/sources/${id}/delta/${event?.id}/rows`, 'rows');
  expect(changed).toMatchObject([{ key: '3', before: { value: '3' }, after: { value: '1000' } }]);
});
