// `npm start` as a new user runs it: the ready screen, its curl lines, the first real change and its delivery, an orderly
// end, and recovery after a kill.
import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findTemporalServer } from '../../../cli/temporal/find-server.ts';
import { until } from '../../support/until.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const home = mkdtempSync(join(tmpdir(), 'recordwatch-start-'));
const devFile = join(home, 'dev.json');

interface DevFile {
  baseUrl: string;
  dashboardUrl: string | null;
  apiKey: string;
  accountId: string;
  databaseUrl: string;
  temporalAddress: string;
  temporalNamespace: string;
  temporalUiUrl: string;
  demo: { originUrl: string; sourceId: string };
  pids: { [name: string]: number };
}

interface Run {
  output: () => string;
  signal: (signal: NodeJS.Signals) => void;
  ended: Promise<number | null>;
}

let run: Run | undefined;

beforeAll(async () => {
  // Building the server can take ten minutes, and this test covers what comes after.
  await findTemporalServer();
});

afterEach(async () => {
  run?.signal('SIGTERM');
  await run?.ended;
});

afterAll(() => rmSync(home, { recursive: true, force: true }));

/** In a process group of its own, so that a signal reaches npm and the runner together, as Ctrl-C does. */
function npmStart(): Run {
  const child = spawn('npm', ['start'], {
    cwd: ROOT,
    detached: true,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], RECORDWATCH_HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  run = {
    output: () => output,
    ended,
    signal: (signal) => {
      if (child.pid === undefined) return;
      try {
        process.kill(-child.pid, signal);
      } catch {
        // The whole group has ended.
      }
    },
  };
  return run;
}

const untilReady = ({ output }: Run): Promise<unknown> =>
  until('the ready screen', () => output().includes('Changes are shown here')).catch((error: unknown) => {
    throw new Error(output(), { cause: error });
  });

const dev = (): DevFile => JSON.parse(readFileSync(devFile, 'utf8')) as DevFile;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const untilAllGone = (pids: readonly number[]): Promise<unknown> =>
  until('every process is gone', () => !pids.some(isAlive));

/** A web page that the user visits can have the demonstration watched, and can read nothing else of this machine. */
async function refuseStrangers(baseUrl: string, originUrl: string, others: readonly string[]): Promise<void> {
  const begin = (url: string) =>
    fetch(`${baseUrl}/v1/sessions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: 'https://evil.example', prefer: 'wait=20' },
      body: JSON.stringify({ url }),
    });
  for (const url of [...others, originUrl.replace('127.0.0.1', '127.0.0.2')]) {
    expect([url, (await begin(url)).status]).toEqual([url, 422]);
  }
  const begun = await begin(originUrl);
  expect([begun.status, await begun.json()]).toEqual([
    201,
    expect.objectContaining({ source: expect.objectContaining({ totalRows: expect.any(Number) }) }),
  ]);
}

/** The status for a web page that has pointed its own name at this machine. */
function reboundStatus(url: string, path: string): Promise<number | undefined> {
  const { port } = new URL(url);
  return new Promise((resolve, reject) => {
    const headers = { host: `evil.example:${port}` };
    get({ host: '127.0.0.1', port, path, headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).once('error', reject);
  });
}

describe('npm start', () => {
  it('shows curl lines that work, finds a real change and delivers it, and leaves nothing behind', async () => {
    const started = npmStart();
    await untilReady(started);
    const { apiKey, demo, pids, temporalUiUrl, ...rest } = dev();
    expect(statSync(devFile).mode & 0o777).toBe(0o600);
    expect(rest).toMatchObject({ dashboardUrl: `${rest.baseUrl}/dashboard/`, temporalNamespace: 'default' });
    expect(Object.values(pids).every(isAlive)).toBe(true);
    expect(started.output()).toContain(apiKey);

    const lines = started.output().match(/^ *curl .*$/gm) ?? [];
    expect(lines).toHaveLength(3);
    for (const line of lines) {
      const { stdout } = await promisify(execFile)('sh', ['-c', line]);
      expect(JSON.parse(stdout)).not.toHaveProperty('status', 401);
      expect(stdout).toContain(demo.sourceId);
    }
    const workflowUrl = /http\S+\/workflows\/\S+/.exec(started.output())?.[0] ?? '';
    expect(workflowUrl).toBe(`${temporalUiUrl}/namespaces/default/workflows/record%2F${demo.sourceId}`);
    expect((await fetch(workflowUrl)).status).toBe(200);

    await refuseStrangers(rest.baseUrl, demo.originUrl, [temporalUiUrl, rest.baseUrl]);
    expect(await reboundStatus(rest.baseUrl, '/v1/openapi.json')).toBe(421);
    expect(await reboundStatus(temporalUiUrl, '/api/v1/namespaces')).toBe(421);
    await until('a change is found and delivered', () =>
      /check \d+: .*signature valid/.test(started.output()),
    );
    started.signal('SIGINT');
    expect(await started.ended).toBe(0);
    await untilAllGone(Object.values(pids));
    expect(existsSync(devFile)).toBe(false);
  }, 240_000);

  it('recovers after a SIGKILL, with the same data', async () => {
    const first = npmStart();
    await untilReady(first);
    const before = dev();
    process.kill(before.pids['runner'] ?? 0, 'SIGKILL');
    await first.ended;
    const second = npmStart();
    await untilReady(second);
    const after = dev();
    expect(after).toMatchObject({ apiKey: before.apiKey, accountId: before.accountId, demo: before.demo });
    await untilAllGone(Object.values(before.pids).filter((pid) => !Object.values(after.pids).includes(pid)));
    const response = await fetch(`${after.baseUrl}/v1/sources/${after.demo.sourceId}/delta/latest`, {
      headers: { authorization: `Bearer ${after.apiKey}` },
    });
    expect(response.status).toBe(200);
    second.signal('SIGTERM');
    await second.ended;
    await untilAllGone(Object.values(after.pids));
  }, 240_000);
});
