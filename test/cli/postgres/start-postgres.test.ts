// A real PostgreSQL on our data folder: created, started again, recovered after kills.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { processStart } from '../../../cli/process/process-identity.ts';
import { startPostgres, type RunningPostgres } from '../../../cli/postgres/start-postgres.ts';
import { until } from '../../support/until.ts';
import { runNode } from '../process/run-node.ts';
import { temporaryFolder } from '../process/temporary-folder.ts';

const SETTINGS = { fsync: 'off' };

const START = `
  import { startPostgres } from '../../../cli/postgres/start-postgres.ts';
  const { pid } = await startPostgres({ dataDir: process.env.DATA, settings: { fsync: 'off' } });
  console.log('up ' + pid);
  setInterval(() => {}, 1000);
`;

async function start(dataDir: string, report?: (text: string) => void): Promise<RunningPostgres> {
  const server = await startPostgres({ dataDir, settings: SETTINGS, ...(report && { report }) });
  onTestFinished(server.stop);
  return server;
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client(url);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

test('keeps its data and its password between runs', async () => {
  const dataDir = join(temporaryFolder(), 'postgres');
  const first = await start(dataDir);
  const word = randomUUID();
  await query(first.url, `create table words (word text); insert into words values ('${word}')`);
  expect((await query(first.url, 'show server_version'))[0]?.['server_version']).toMatch(/^18\./);
  await first.stop();
  expect(await first.ended).toBeUndefined();
  const second = await start(dataDir);
  expect(await query(second.url, 'select word from words')).toEqual([{ word }]);
  expect(statSync(`${dataDir}.password`).mode & 0o777).toBe(0o600);
});

test('asks for the password, and listens on loopback only', async () => {
  const { url } = await start(join(temporaryFolder(), 'postgres'));
  const wrong = new URL(url);
  wrong.password = 'wrong';
  await expect(query(wrong.href, 'select 1')).rejects.toThrow('password authentication failed');
  expect(await query(url, 'show listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }]);
});

test('ends the server that a killed run left on the folder, and starts a new one', async () => {
  const dataDir = join(temporaryFolder(), 'postgres');
  const killed = runNode(START, import.meta.url, { DATA: dataDir });
  const left = Number((await killed.says('up ')).split(' ')[1]);
  await killed.kill();
  expect(processStart(left)).toBeDefined();
  const reports: string[] = [];
  const server = await start(dataDir, (text) => void reports.push(text));
  expect(processStart(left)).toBeUndefined();
  expect(reports).toContain('ended the server that an earlier run left behind');
  expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('starts despite a pid file whose process id now belongs to another program, and leaves that program alone', async () => {
  const dataDir = join(temporaryFolder(), 'postgres');
  const first = await start(dataDir);
  const pidFile = join(dataDir, 'postmaster.pid');
  const lines = readFileSync(pidFile, 'utf8');
  await first.stop();
  // PostgreSQL itself knows that a process of another user is not it.
  const stranger = spawn('sleep', ['1000'], { uid: statSync(dataDir).uid });
  onTestFinished(() => void stranger.kill());
  await once(stranger, 'spawn');
  writeFileSync(pidFile, lines.replace(/^\d+/, String(stranger.pid)));
  const second = await start(dataDir);
  expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  expect(processStart(stranger.pid ?? 0)).toBeDefined();
});

test('recovers when the server itself was killed', async () => {
  const dataDir = join(temporaryFolder(), 'postgres');
  const first = await start(dataDir);
  await query(first.url, 'create table kept (id int)');
  process.kill(first.pid, 'SIGKILL');
  expect((await first.ended)?.message).toContain('PostgreSQL ended unexpectedly (SIGKILL)');
  const second = await start(dataDir);
  expect(await query(second.url, 'select count(*)::int as count from kept')).toEqual([{ count: 0 }]);
});

test('regression: ends a busy session of a killed server first, which would write beside the new one', async () => {
  const dataDir = join(temporaryFolder(), 'postgres');
  const first = await start(dataDir);
  const client = new Client(first.url);
  client.on('error', () => undefined);
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const session = rows[0]?.pid ?? 0;
  const busy = client.query('do $$ begin loop end loop; end $$').catch(() => 'broken off');
  const isBusy = `select 1 from pg_stat_activity where pid = ${session} and state = 'active'`;
  await until('the session is busy', async () => (await query(first.url, isBusy)).length === 1);
  process.kill(first.pid, 'SIGKILL');
  await first.ended;
  expect(processStart(session)).toBeDefined();
  const second = await start(dataDir);
  expect(processStart(session)).toBeUndefined();
  expect(await busy).toBe('broken off');
  expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('says what to do about data of another major version, and about a lost password', async () => {
  const dataDir = join(temporaryFolder(), 'postgres');
  await (await start(dataDir)).stop();
  writeFileSync(join(dataDir, 'PG_VERSION'), '17\n');
  await expect(start(dataDir)).rejects.toThrow('was written by PostgreSQL 17');
  const other = join(temporaryFolder(), 'postgres');
  writeFileSync(other, '');
  await expect(start(other)).rejects.toThrow('postgres.password is missing');
});
