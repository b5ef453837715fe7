// The version before and this one share a database and Temporal, as during a rolling upgrade: its processes work on the schema
// before and after `migrate`, beside those of this version, and alone again after these have ended. It is the short form of
// `npm run upgrade-drill`: one API and one worker at a time, with the libraries of the working tree.
import { randomBytes } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { readLogFrom } from '../../cli/process/log-file.ts';
import { awaitReady, type Child, startChild } from '../../cli/process/start-child.ts';
import { migrate } from '../../db/migrate.ts';
import {
  CHAOS_SCHEDULE,
  type ChangingRecords,
  watchChangingRecords,
} from '../support/checks/changing-records.ts';
import { createTestDatabase, type TestDatabase } from '../support/servers/database.ts';
import { QUICK_SETTINGS } from '../support/servers/system.ts';
import { openTemporal, type TestTemporal } from '../support/servers/temporal.ts';
import { LIVENESS_MS, until } from '../support/until.ts';
import { expectPromisesKept, expectUpgraded } from './expect-upgraded.ts';
import { createCall } from '../support/plain-call.ts';
import { type Load, patiently, startLoad } from './load.ts';
import { hasCommit, PRESENT, unpackVersion, type Version } from './version.ts';

/** With the migrations up to 0056, and an API that waits long enough for the worker of a check on a loaded machine. */
const BEFORE = '5d5b32dc52cef3122bd6ced035778eee807fdb42';
const RECORDS = 4;

const folder = mkdtempSync(join(tmpdir(), 'recordwatch-before-'));
let before: Version;
let database: TestDatabase;
let temporal: TestTemporal;
let env: NodeJS.ProcessEnv;
let records: ChangingRecords;
let load: Load;
/** Of the API that is called. */
let baseUrl = '';
let apiKey = '';
const running: Partial<Record<'api' | 'worker', Child>> = {};
const workerLogs: string[] = [];

const call = createCall(() => ({ baseUrl, apiKey }));
const subject = () => ({ call, database });

const command = ({ folder: at, node }: Version, args: readonly string[]): string =>
  execFileSync(node, [join(at, 'cli/main.ts'), ...args], { cwd: at, env, encoding: 'utf8' });

/** Calls go to an API as soon as it is ready. */
async function start(name: 'api' | 'worker', version: Version): Promise<Child> {
  const logFile = join(folder, `${name}-${Date.now()}.log`);
  if (name === 'worker') workerLogs.push(logFile);
  const args = [join(version.folder, name, 'main.ts')];
  const child = await startChild({ name, command: version.node, args, env, logFile });
  const ready = () =>
    readLogFrom(logFile, 0)
      .split('\n')
      .find((line) => line.includes('"msg":"ready"'));
  await awaitReady(child, () => ready() !== undefined, { what: `${name} is ready`, timeoutMs: LIVENESS_MS });
  if (name === 'api') ({ url: baseUrl } = JSON.parse(ready() ?? '') as { url: string });
  return child;
}

const countChecks = async (): Promise<number> => {
  const [heads] = await database.db('record_heads').sum<{ sum: string }[]>({ sum: 'check_number' });
  return Number(heads?.sum);
};

/** Records are checked, and callers answered. */
async function workGoesOn(): Promise<void> {
  const [checks, sent] = [await countChecks(), load.sent()];
  await until('records are checked', async () => (await countChecks()) > checks + 2 * RECORDS);
  await until('callers are answered', () => load.sent() > sent + 10);
}

/** Both versions work side by side before one of them ends. */
async function replace(name: 'api' | 'worker', version: Version): Promise<void> {
  const earlier = running[name];
  running[name] = await start(name, version);
  await workGoesOn();
  await earlier?.stop();
}

describe.skipIf(!hasCommit(BEFORE))('the version before and this one', () => {
  beforeAll(async () => {
    before = await unpackVersion(BEFORE, join(folder, 'before'));
    [database, temporal] = await Promise.all([createTestDatabase('template0'), openTemporal()]);
    mkdirSync(join(tmpdir(), 'recordwatch-bundles'), { recursive: true });
    // Bundling the workflows takes seconds, and depends on their code alone.
    symlinkSync(join(tmpdir(), 'recordwatch-bundles'), join(folder, 'cache'));
    env = {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      ...QUICK_SETTINGS,
      DATABASE_URL: database.url,
      TEMPORAL_ADDRESS: temporal.address,
      TEMPORAL_NAMESPACE: temporal.namespace,
      RECORDWATCH_HOME: folder,
      KEY_ENCRYPTION_KEYS: `test:${randomBytes(32).toString('base64')}`,
      DELIVERY_SCHEDULE: CHAOS_SCHEDULE,
    };
    command(before, ['migrate']);
    const account = command(before, ['account', 'create', '--name', 'Drill', '--json']);
    apiKey = (JSON.parse(account) as { apiKey: { key: string } }).apiKey.key;
    [running.api, running.worker] = await Promise.all([start('api', before), start('worker', before)]);
    records = await watchChangingRecords(subject(), {
      seed: 1,
      records: RECORDS,
      webhooks: 1,
      checkSeconds: 0.3,
    });
    const ids = records.watched.map(({ id }) => id);
    load = startLoad(patiently(call), ids, records.stillUrl);
  });

  afterAll(async () => {
    await load?.stop();
    await records?.close();
    await Promise.all(Object.values(running).map((child) => child.stop()));
    await temporal?.connection.close();
    await database?.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('lose, invent and double nothing during an upgrade and after going back', async () => {
    records.stir();
    await workGoesOn();
    await migrate(database.url);
    await workGoesOn();
    await replace('api', PRESENT);
    await replace('worker', PRESENT);
    await replace('worker', before);
    await replace('api', before);
    // Does nothing on a schema that it can use.
    command(before, ['migrate']);
    const histories = { temporal: temporal.client, logs: () => workerLogs };
    await expectUpgraded(subject(), { load, records, histories });
  });

  it('keep every promise of their APIs', () => expectPromisesKept(subject(), load, records));
});
