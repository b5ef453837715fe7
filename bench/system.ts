// Runs the system under measurement: `npm start` in a folder of its own, with the measurement's settings.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openApi, type ApiClient } from '../cli/start/api-client.ts';
import type { DevFile } from '../cli/process/dev-file.ts';
import { endProcess } from '../cli/process/end-process.ts';
import { awaitReady, startChild } from '../cli/process/start-child.ts';
import { openDatabase, type Database } from '../db/driver/knex.ts';
import { processTree } from './processes.ts';

export interface System {
  dev: DevFile;
  home: string;
  api: ApiClient;
  db: Database;
  /** Process ids by name, with all that belong to each: `npm` is the program that was told to start. */
  processes: () => Record<string, number[]>;
  stop: () => Promise<void>;
}

/** This checkout. */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** The Temporal server may have to be built first. */
const START_TIMEOUT_MS = 20 * 60_000;
const STOP_GRACE_MS = 60_000;
/** The only inherited variables. An inherited DATABASE_URL would select another system. */
const PASSED_ON = ['PATH', 'HOME', 'XDG_CACHE_HOME', 'GOPROXY', 'HTTPS_PROXY', 'NO_PROXY'];

/**
 * Runs `npm start` on a folder, new or used before, and comes back at its ready screen.
 * @param script with its arguments; another one of package.json that starts a system
 * @param root the checkout that it runs from
 */
export async function startSystem(
  home: string,
  settings: Record<string, string> = {},
  [script, ...args]: readonly [string, ...string[]] = ['start'],
  root = ROOT,
): Promise<System> {
  const passed = Object.fromEntries(PASSED_ON.map((name) => [name, process.env[name]]));
  const npm = await startChild({
    name: `npm run ${script}`,
    command: 'npm',
    args: ['run', script, '--prefix', root, '--', ...args],
    env: { ...passed, ...settings, RECORDWATCH_HOME: home },
    logFile: `${home}.log`,
  });
  // However this process ends, also while the system starts: npm and what it runs are a process group of their own.
  const abandon = (): void => {
    try {
      process.kill(-npm.pid, 'SIGTERM');
    } catch {
      // They have ended.
    }
  };
  process.once('exit', abandon);
  const devFile = join(home, 'dev.json');
  const readDev = () => read(devFile);
  await awaitReady(npm, () => readDev() !== undefined, { what: 'it is ready', timeoutMs: START_TIMEOUT_MS });
  const dev = readDev();
  if (dev === undefined) throw new Error(`${devFile} vanished`);
  const db = openDatabase(dev.databaseUrl, { poolSize: 2, applicationName: 'bench' });
  return {
    dev,
    home,
    db,
    api: openApi(dev.baseUrl, dev.apiKey),
    processes: () => processesOf(npm.pid, dev),
    stop: async () => {
      process.off('exit', abandon);
      await db.destroy();
      await endProcess(dev.pids['runner'] ?? npm.pid, { graceMs: STOP_GRACE_MS });
      await npm.stop();
    },
  };
}

function processesOf(npm: number, { pids }: DevFile): Record<string, number[]> {
  const { runner = npm, ...services } = pids;
  const owned = Object.entries(services).map(([name, pid]) => [name, processTree(pid)] as const);
  return { npm: [npm], runner: [runner], ...Object.fromEntries(owned) };
}

function read(devFile: string): DevFile | undefined {
  try {
    // Written whole by the runner when everything is ready.
    const dev: DevFile = JSON.parse(readFileSync(devFile, 'utf8'));
    return dev;
  } catch {
    return undefined;
  }
}
