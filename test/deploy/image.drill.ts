// Builds the image and runs its processes in containers, as docker-compose.yml says, beside the servers of `npm run cluster`:
// `npm run image-drill`. It needs Docker, or another program with its commands: CONTAINER_ENGINE=podman. IMAGE names an image that
// is built already.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { openRun, type Run } from '../../cli/start/run.ts';
import { createCall } from '../support/plain-call.ts';
import { type ClusterServers, startClusterServers } from '../support/servers/cluster-servers.ts';
import { type Origin, startOrigin } from '../support/servers/origin-server.ts';
import { until } from '../support/until.ts';

interface Account {
  apiKey: { key: string };
}

interface Service {
  command: string[];
  read_only: boolean;
  cap_drop: string[];
  security_opt: string[];
  tmpfs: string[];
  volumes?: string[];
  healthcheck?: { test: string[] };
}

const MINUTE_MS = 60_000;
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const ENGINE = process.env['CONTAINER_ENGINE'] ?? 'docker';
const IMAGE = process.env['IMAGE'] ?? 'recordwatch:drill';
const { services } = parse(readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
  services: Record<'api' | 'worker' | 'migrate', Service>;
};

let folder: string;
let run: Run;
let servers: ClusterServers;
let origin: Origin;
let apiKey = '';
const call = createCall(() => ({ baseUrl: servers.baseUrl, apiKey }));

/** @returns what the engine printed to standard output */
const engine = async (...args: string[]): Promise<string> =>
  (await promisify(execFile)(ENGINE, args, { cwd: ROOT, maxBuffer: 64 * 1024 * 1024 })).stdout.trim();

/** Everything that Compose would tell the engine, except networks: the servers are on this machine's. */
function flagsOf(service: Service): string[] {
  const settings = {
    ...servers.env,
    // The image has its own.
    PATH: undefined,
    HOME: undefined,
    NODE_COMPILE_CACHE: undefined,
    RECORDWATCH_HOME: undefined,
    HOST: '127.0.0.1',
    PORT: new URL(servers.baseUrl).port,
  };
  return [
    '--network=host',
    ...(service.read_only ? ['--read-only'] : []),
    ...service.cap_drop.map((capability) => `--cap-drop=${capability}`),
    ...service.security_opt.map((option) => `--security-opt=${option.replace(':true', '')}`),
    ...service.tmpfs.map((mount) => `--tmpfs=${mount}`),
    ...(service.volumes ?? []).map((path) => `--volume=${path}`),
    ...Object.entries(settings).flatMap(([name, value]) =>
      value === undefined ? [] : ['--env', `${name}=${value}`],
    ),
  ];
}

const container = (name: string): string => `recordwatch-drill-${name}-${process.pid}`;

const start = (name: 'api' | 'worker'): Promise<string> =>
  engine(
    'run',
    '--detach',
    '--name',
    container(name),
    ...flagsOf(services[name]),
    IMAGE,
    ...services[name].command,
  );

const operate = (...args: string[]): Promise<string> =>
  engine('exec', container('api'), 'node', 'cli/main.ts', ...args);

beforeAll(async () => {
  if (process.env['IMAGE'] === undefined) await engine('build', '--tag', IMAGE, '.');
  folder = mkdtempSync(join(tmpdir(), 'recordwatch-image-'));
  run = await openRun(join(folder, 'run'), new AbortController());
  servers = await startClusterServers(run, { apis: 1, workers: 1, shards: 4 });
  origin = await startOrigin();
}, 60 * MINUTE_MS);

afterAll(async () => {
  for (const name of ['api', 'worker']) await engine('rm', '--force', container(name)).catch(() => undefined);
  await origin?.close();
  await run?.stack.disposeAsync();
  rmSync(folder, { recursive: true, force: true });
}, 5 * MINUTE_MS);

it('migrates an empty database, and one that is migrated', async () => {
  for (let time = 1; time <= 2; time += 1)
    await expect(
      engine('run', '--rm', ...flagsOf(services.migrate), IMAGE, ...services.migrate.command),
    ).resolves.toEqual(expect.any(String));
});

it('serves, and says so to the health check', async () => {
  await Promise.all([start('worker'), start('api')]);
  const [, ...command] = services.api.healthcheck?.test ?? [];
  await until('the API is healthy', () => engine('exec', container('api'), ...command).then(() => true, () => false), { everyMs: 500 }); // prettier-ignore
});

it('sees a change of a table that is large enough to be stored', async () => {
  const account = JSON.parse(await operate('account', 'create', '--name', 'Drill', '--json')) as Account;
  apiKey = account.apiKey.key;
  const body = (price: number): string =>
    `id,price\n${Array.from({ length: 40_000 }, (_, id) => `${id},${id === 7 ? price : id}\n`).join('')}`;
  origin.set('/prices.csv', { body: body(1) });
  const made = await call('POST', '/v1/sources', { url: `${origin.url}/prices.csv` }, { prefer: 'wait=30' });
  expect(made.status).toBe(201);
  const path = `/v1/sources/${String(made.body['id'])}`;
  const events = async () =>
    (await call('GET', `${path}/delta`)).body['events'] as { number: number; changedCount: number }[];
  await until('the first check is on record', async () => (await events()).length === 1);
  origin.set('/prices.csv', { body: body(2) });
  await until('the next check is accepted', async () => (await call('POST', `${path}/check`)).status < 300);
  await until('the change is on record', async () => (await events()).length === 2);
  expect((await events()).find(({ number }) => number === 2)).toMatchObject({ changedCount: 1 });
});

it.each(['/dashboard/', '/docs', '/docs/errors'])('has %s', async (path) => {
  const answer = await fetch(servers.baseUrl + path, { headers: { accept: 'text/html' } });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
});

it('ends when it is told to, before it would be killed', async () => {
  for (const name of ['api', 'worker'] as const) {
    await engine('stop', '--time', '60', container(name));
    expect(await engine('inspect', '--format', '{{.State.ExitCode}}', container(name))).toBe('0');
  }
});
