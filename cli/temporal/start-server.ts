// Runs a Temporal server of our own, kept in a SQLite file: for the one-command runner and for the test suite.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { awaitReady, startChild, type Child } from '../process/start-child.ts';
import { isServing } from './health.ts';

export interface ServerOptions {
  /** The program, from findTemporalServer. */
  path: string;
  /** Folder of the server's data. */
  folder: string;
  port: number;
  /** Port of the web UI; none: no UI. */
  uiPort?: number;
  namespace?: string;
  /** Dynamic configuration beyond the product’s own, with values as JSON. */
  dynamicConfig?: Readonly<Record<string, unknown>>;
  /** Above this heap, Go's collector works harder; far above it, it uses half of a core. Default: 256. */
  softHeapMiB?: number;
  logFile?: string;
  signal?: AbortSignal | undefined;
  /** Called when the process exists, before it serves. */
  onStart?: (child: Child) => void;
}

export interface RunningServer extends Child {
  /** host:port for clients. */
  address: string;
}

/** What operators search records by in the UI. */
const SEARCH_ATTRIBUTES = {
  RecordStatus: 'Keyword',
  AccountId: 'Keyword',
  RecordSlug: 'Keyword',
  OriginHost: 'Keyword',
  ConsecutiveFailures: 'Int',
  ErrorCode: 'Keyword',
} as const;

/** Without these a file is several times slower; a power cut may lose the last moment, never more. */
const SQLITE = { journal_mode: 'WAL', synchronous: 'NORMAL' } as const;

/**
 * Bounds what the server caches: one machine, one user. Its one shard would look for new tasks at most 20 times
 * a second, so that each step of a workflow waited up to 50 ms (measured: docs/performance.md).
 */
const DYNAMIC_CONFIG = {
  'history.cacheSizeBasedLimit': true,
  'history.hostLevelCacheMaxSizeBytes': 32 * 1024 * 1024,
  'history.transferProcessorMaxPollRPS': 400,
  'history.timerProcessorMaxPollRPS': 400,
  // A poll that begins goes to the worker whose workflow asked for it, with the answer. Server 1.32 does so by default.
  'system.enableActivityEagerExecution': true,
  // Accounts take turns at the tasks that wait in a queue.
  'matching.enableFairness': true,
  'matching.numTaskqueueReadPartitions': 1,
  'matching.numTaskqueueWritePartitions': 1,
} as const;

/** Starts the server and comes back when its gRPC health says that it serves. */
export async function startTemporalServer(options: ServerOptions): Promise<RunningServer> {
  const { folder, port, softHeapMiB = 256 } = options;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const child = await startChild({
    name: 'Temporal',
    command: options.path,
    args: serverArgs(options),
    env: { ...process.env, GOMEMLIMIT: `${softHeapMiB}MiB` },
    logFile: options.logFile ?? join(folder, 'temporal.log'),
  });
  options.onStart?.(child);
  const address = `127.0.0.1:${port}`;
  await awaitReady(child, () => isServing(address), {
    what: 'the Temporal server serves',
    timeoutMs: 60_000,
    signal: options.signal,
  });
  return { ...child, address };
}

function serverArgs({ folder, port, uiPort, namespace = 'default', dynamicConfig }: ServerOptions): string[] {
  const flags = {
    '--ip': '127.0.0.1',
    '--port': port,
    '--namespace': namespace,
    '--db-filename': join(folder, 'temporal.db'),
    '--log-level': 'warn',
    '--log-format': 'json',
    ...(uiPort === undefined ? {} : { '--ui-port': uiPort }),
  };
  return [
    'server',
    'start-dev',
    ...Object.entries(flags).flatMap(([flag, value]) => [flag, String(value)]),
    ...(uiPort === undefined ? ['--headless'] : ['--ui-disable-news-fetch']),
    ...pairs('--sqlite-pragma', SQLITE),
    ...pairs('--search-attribute', SEARCH_ATTRIBUTES),
    ...pairs('--dynamic-config-value', { ...DYNAMIC_CONFIG, ...dynamicConfig }),
  ];
}

const pairs = (flag: string, values: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(values).flatMap(([key, value]) => [flag, `${key}=${String(value)}`]);
