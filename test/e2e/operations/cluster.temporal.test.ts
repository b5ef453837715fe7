// `npm run cluster`: the production shape, which continues when any of its processes is killed.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { clusterProgram } from '../../../cli/cluster/programs.ts';
import type { DevFile } from '../../../cli/process/dev-file.ts';
import { type Child, startChild } from '../../../cli/process/start-child.ts';
import { pathInCheckout } from '../../../cli/start/run-script.ts';
import { until } from '../../support/until.ts';

/** Making the servers can take ten minutes. */
const BUILD_TIMEOUT_MS = 30 * 60_000;
const folder = mkdtempSync(join(tmpdir(), 'recordwatch-cluster-'));
const home = join(folder, 'home');
let cluster: Child;
/** As it was when the cluster was ready. */
let dev: DevFile;
const devFile = join(home, 'dev.json');
const readDevFile = () => JSON.parse(readFileSync(devFile, 'utf8')) as DevFile;

beforeAll(async () => {
  for (const name of ['temporal-server', 'temporal-sql-tool', 'caddy', 'versitygw'] as const) {
    await clusterProgram(name, { report: () => undefined });
  }
  cluster = await startChild({
    name: 'npm run cluster',
    command: process.execPath,
    args: [pathInCheckout('cli/main.ts'), 'cluster', '--workers', '2'],
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], RECORDWATCH_HOME: home },
    logFile: join(folder, 'cluster.log'),
    end: { graceMs: 60_000, isGroup: false },
  });
  await until('the cluster is ready', () => existsSync(devFile), { deadlineMs: 300_000, everyMs: 200 });
  dev = readDevFile();
}, BUILD_TIMEOUT_MS);

afterAll(async () => {
  await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function readRecord(): Promise<Record<string, unknown>> {
  const response = await fetch(`${dev.baseUrl}/v1/sources/${dev.demo.sourceId}`, {
    headers: { authorization: `Bearer ${dev.apiKey}` },
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as Record<string, unknown>;
}

/** Waits for a check that began after now. */
async function untilChecked(): Promise<void> {
  const now = Date.now();
  await until(
    'a new check is there',
    async () => Date.parse(String((await readRecord())['lastCheckedAt'])) > now,
  );
}

it('starts each part as a process, and keeps bodies in the S3 server', async () => {
  const temporal = [
    'temporal-postgresql',
    'temporal-frontend',
    'temporal-history',
    'temporal-matching',
    'temporal-worker',
  ];
  const ours = ['api-1', 'api-2', 'worker-1', 'worker-2', 'proxy', 'blobs', 'postgresql', 'runner'];
  expect(Object.keys(dev.pids).sort()).toEqual([...ours, ...temporal].sort());
  await untilChecked();
  const bucket = join(home, 'blob-store', 'data', 'recordwatch');
  await until('a body is in the bucket', () => readdirSync(bucket, { recursive: true }).length > 1);
  expect(existsSync(join(home, 'blobs'))).toBe(false);
});

it.each(['api-1', 'worker-1', 'temporal-frontend', 'temporal-history', 'temporal-matching', 'blobs'])(
  'continues after SIGKILL of %s, starts it again, and says where it is',
  { timeout: 400_000 },
  async (name) => {
    process.kill(dev.pids[name] ?? 0, 'SIGKILL');
    // Each request goes through the proxy; one that fails ends the wait.
    await untilChecked();
    // Its first start has a duration in parentheses.
    const isBack = () =>
      new RegExp(`✓ ${name}: process \\d+$`, 'im').test(readFileSync(cluster.logFile, 'utf8'));
    await until(`${name} is back`, isBack);
    const { [name]: pid = 0 } = readDevFile().pids;
    expect([pid === dev.pids[name], isAlive(pid)]).toEqual([false, true]);
  },
);

it('ends all its processes when it is asked to', async () => {
  const { pids } = readDevFile();
  await cluster.stop();
  const alive = Object.entries(pids).filter(([, pid]) => isAlive(pid));
  expect(alive).toEqual([]);
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
