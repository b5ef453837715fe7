// Runs a real PostgreSQL 18 on a data folder of ours: for the one-command runner and for the test suite.
import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import getPort from 'get-port';
import { connectOnce } from '../../db/driver/connect-once.ts';
import type { EndOptions } from '../process/end-process.ts';
import { awaitReady, startChild, type Child } from '../process/start-child.ts';
import { findPostgresBinaries } from './binaries.ts';
import { initialise, keptPassword, POSTGRES_USER } from './initialise.ts';
import { endLeftoverServer } from './leftover.ts';
import { serverUser } from './unprivileged.ts';

export interface PostgresOptions {
  /** Made when missing; the password is kept beside it in `<dataDir>.password`. */
  dataDir: string;
  /** Of the process. Default: `PostgreSQL`. */
  name?: string;
  /** Default: any free one. */
  port?: number;
  /** Server settings beyond ours: `{ fsync: 'off' }`. */
  settings?: Record<string, string>;
  /** Default: `<dataDir>.log`. */
  logFile?: string;
  report?: (text: string) => void;
  /** Called when the process exists, before it answers. */
  onStart?: (child: Child) => void;
  /** Ends the wait for an answer. */
  signal?: AbortSignal;
}

export interface RunningPostgres extends Child {
  /** Connection string of the database `recordwatch`; it holds the password. */
  url: string;
  port: number;
}

/** For one user on one machine: small buffers, and reached through loopback only. */
const SETTINGS: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '64MB',
  max_connections: '60',
  max_wal_size: '256MB',
  log_min_messages: 'warning',
  // Parallel workers and JIT pay on large machines; here they cost memory and start-up time.
  max_parallel_workers: '0',
  jit: 'off',
};

/** Fast shutdown: ends sessions, then writes a clean checkpoint. Its sessions lead groups of their own. */
const END: EndOptions = { signal: 'SIGINT', graceMs: 20_000, isGroup: false };

/**
 * Starts the server, first making the data folder or ending a leftover server on it, and comes back when it
 * answers and its database exists.
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const dataDir = resolve(options.dataDir);
  const report = options.report ?? (() => undefined);
  mkdirSync(dirname(dataDir), { recursive: true });
  const { initdb, postgres } = await findPostgresBinaries();
  const user = serverUser([dataDir, postgres]);
  const password = keptPassword(dataDir);
  report('making the data folder');
  await initialise(dataDir, initdb, user, password);
  if (await endLeftoverServer(dataDir)) report('ended the server that an earlier run left behind');
  const port = options.port ?? (await getPort({ host: '127.0.0.1' }));
  const flags = Object.entries({ ...SETTINGS, ...options.settings, port: String(port) });
  const child = await startChild({
    name: options.name ?? 'PostgreSQL',
    ...user.wrap(postgres, ['-D', dataDir, ...flags.flatMap(([name, value]) => ['-c', `${name}=${value}`])]),
    env: process.env,
    logFile: options.logFile ?? `${dataDir}.log`,
    end: END,
  });
  options.onStart?.(child);
  const url = (database: string) => `postgres://${POSTGRES_USER}:${password}@127.0.0.1:${port}/${database}`;
  report('waiting until it answers');
  await awaitReady(child, () => makeDatabase(url('postgres')), {
    what: 'PostgreSQL answers',
    timeoutMs: 60_000,
    signal: options.signal,
  });
  return { ...child, url: url('recordwatch'), port };
}

/** Makes the product's database unless it is there. False while the server does not answer yet. */
async function makeDatabase(url: string): Promise<boolean> {
  try {
    await connectOnce(url, async (client) => {
      const { rowCount } = await client.query("select from pg_database where datname = 'recordwatch'");
      if (rowCount === 0) await client.query('create database recordwatch');
    });
    return true;
  } catch (error) {
    if (isNotYet(error)) return false;
    throw error;
  }
}

const NOT_YET = new Set<unknown>(['ECONNREFUSED', 'ECONNRESET', '57P03']);

/** Nobody listens, or the server says that it is still starting up (57P03). */
const isNotYet = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && NOT_YET.has(error.code);
