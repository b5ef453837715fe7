// A cluster between whose parts faults can be put: each connection between two of its processes leads through a TCP proxy, some
// of its folders have a small disk of their own, and APIs and workers have clocks that can be set.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { keepRunning } from '../../cli/cluster/keep-running.ts';
import { startProxy } from '../../cli/cluster/proxy.ts';
import { lastLines } from '../../cli/process/log-file.ts';
import { openRun, type Run } from '../../cli/start/run.ts';
import { runScript } from '../../cli/start/run-script.ts';
import { NODE_ARGS, startService } from '../../cli/start/start-service.ts';
import { type Database, openDatabase } from '../../db/driver/knex.ts';
import { type ClusterShape, NAMESPACE, startClusterServers } from '../support/servers/cluster-servers.ts';
import { startTcpProxy, type TcpProxy } from '../support/servers/tcp-proxy.ts';

export interface FaultyCluster {
  baseUrl: string;
  db: Database;
  env: NodeJS.ProcessEnv;
  temporal: Client;
  /** Process ids by name, of those that are killed; they are started again by themselves. */
  pids: () => Record<string, number>;
  /** Connections by their two ends: `worker-1 to postgres`. */
  links: ReadonlyMap<string, TcpProxy>;
  /** Puts a proxy before an address that the cluster's parts call. @returns the proxy's address */
  link: (name: string, address: string) => Promise<string>;
  unlink: (name: string) => Promise<void>;
  /** Folders on small disks; none where this system does not let us mount them. */
  disks: readonly string[];
  /** Files that set the clocks, by process; none without libfaketime. */
  clocks: ReadonlyMap<string, string>;
  stop: () => Promise<void>;
}

const LIBFAKETIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1';
const DISK_MIB = 16;
export const TEMPORAL_TO_DATABASE = 'Temporal to its postgres';

/** It takes ten seconds, or a minute on a loaded machine. */
const START_TIMEOUT_MS = 5 * 60_000;
const END_TIMEOUT_MS = 60_000;

/**
 * Ends what it has started when it fails, or when the controller aborts before it is ready.
 * @param home continues from what an earlier run left there
 * @throws Error with the end of the diary
 */
export async function startFaultyCluster(
  home: string,
  shape: ClusterShape,
  abort = new AbortController(),
): Promise<FaultyCluster> {
  mkdirSync(home, { recursive: true });
  const diary = join(home, 'processes.log');
  const say = (words: string) => appendFileSync(diary, `${new Date().toISOString()} ${words}\n`);
  const run = await openRun(home, abort, { say });
  const timeUp = () => abort.abort(new Error(`Not ready after ${START_TIMEOUT_MS / 60_000} minutes`));
  const timer = setTimeout(timeUp, START_TIMEOUT_MS);
  try {
    const aborted = once(run.signal, 'abort').then(() => Promise.reject(run.signal.reason));
    return await Promise.race([startParts(run, shape), aborted]);
  } catch (error) {
    // A part that does not end must not hide why.
    await Promise.race([run.stack.disposeAsync(), delay(END_TIMEOUT_MS, undefined, { ref: false })]);
    const message = error instanceof Error ? error.message : String(error);
    const lines = lastLines(diary, { count: 40 });
    throw new Error(`The cluster did not start: ${message}. Its diary ends:\n${lines}`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

async function startParts(run: Run, shape: ClusterShape): Promise<FaultyCluster> {
  const links = new Map<string, TcpProxy>();
  const link = async (name: string, address: string): Promise<string> => {
    const proxy = await startTcpProxy(address);
    links.set(name, proxy);
    return proxy.address;
  };
  const unlink = async (name: string): Promise<void> => {
    const proxy = links.get(name);
    links.delete(name);
    await proxy?.close();
  };
  run.stack.defer(async () => void (await Promise.all([...links.keys()].map(unlink))));
  const disks = ['spool', 'blob-store/data'].flatMap((folder) => mountDisk(run, folder));
  const servers = await startClusterServers(run, shape, async (url) => {
    const { host } = new URL(url);
    return url.replace(host, await link(TEMPORAL_TO_DATABASE, host));
  });
  const { ports, baseUrl, databaseUrl, temporalAddress } = servers;
  run.say('migrating');
  await runScript('cli/main.ts', ['migrate'], { env: servers.env, signal: run.signal });
  run.say('connecting to Temporal');
  const db = openDatabase(databaseUrl, { poolSize: 5, statementTimeoutMs: 60_000 });
  run.stack.defer(() => db.destroy());
  const connection = await Connection.connect({ address: temporalAddress });
  run.stack.defer(() => connection.close());

  run.say('starting APIs, workers and the proxy');
  const clocks = new Map<string, string>();
  const startOurs = async (kind: keyof typeof NODE_ARGS, name: string, own: NodeJS.ProcessEnv) => {
    const env = {
      ...(await throughLinks(servers, (target, to) => link(`${name} to ${target}`, to))),
      ...own,
    };
    const service = {
      name,
      entry: `${kind}/main.ts`,
      nodeArgs: NODE_ARGS[kind],
      env: { ...env, ...ownClock(run, name, clocks) },
      logFile: run.home.logFile(name),
      signal: run.signal,
    };
    await keepRunning(run, (onStart) => startService({ ...service, onStart }));
  };
  const apis = await Promise.all(
    ports.apis.map(async (port, index) => {
      await startOurs('api', `api-${index + 1}`, { PORT: String(port) });
      const address = await link(`proxy to api-${index + 1}`, `127.0.0.1:${port}`);
      return Number(address.split(':')[1]);
    }),
  );
  await Promise.all(ports.workerMetrics.map((_, index) => startOurs('worker', `worker-${index + 1}`, {})));
  await startProxy(run, { port: Number(new URL(baseUrl).port), apis }, () => undefined);
  return {
    baseUrl,
    db,
    env: servers.env,
    temporal: new Client({ connection, namespace: NAMESPACE }),
    pids: () => withoutRunner(run.pids()),
    links,
    link,
    unlink,
    disks,
    clocks,
    stop: () => run.stack.disposeAsync(),
  };
}

function withoutRunner({ runner: _ours, ...pids }: Record<string, number>): Record<string, number> {
  return pids;
}

/** Settings of a process that reaches each server through a link of its own. */
async function throughLinks(
  { env, databaseUrl, temporalAddress, blobAddress }: Awaited<ReturnType<typeof startClusterServers>>,
  link: (target: string, address: string) => Promise<string>,
): Promise<NodeJS.ProcessEnv> {
  const { host } = new URL(databaseUrl);
  const blobs = await link('blobs', blobAddress);
  return {
    ...env,
    DATABASE_URL: databaseUrl.replace(host, await link('postgres', host)),
    TEMPORAL_ADDRESS: await link('Temporal', temporalAddress),
    BLOB_STORE: env['BLOB_STORE']?.replace(blobAddress, blobs),
    // Shorter than usual, so that what follows a fault is seen within seconds.
    DATABASE_PATIENCE_SECONDS: '5',
    RECONCILE_GRACE_SECONDS: '2',
    SHUTDOWN_DELAY_SECONDS: '0',
  };
}

/** Puts a folder on a disk that is easy to fill. @returns nothing where we may not mount */
function mountDisk({ home, stack }: Run, folder: string): string[] {
  const path = home.file(folder);
  mkdirSync(path, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MIB}m`, 'tmpfs', path], { stdio: 'pipe' });
  } catch {
    return [];
  }
  stack.defer(() => void execFileSync('umount', ['--lazy', path], { stdio: 'pipe' }));
  return [path];
}

/** @returns settings that make the process read its clock through libfaketime */
function ownClock({ home }: Run, name: string, clocks: Map<string, string>): NodeJS.ProcessEnv {
  if (!existsSync(LIBFAKETIME)) return {};
  const file = home.file(`clock-${name}`);
  rmSync(file, { force: true });
  writeFileSync(file, '+0');
  clocks.set(name, file);
  return {
    LD_PRELOAD: LIBFAKETIME,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_CACHE_DURATION: '1',
    // Timers and the times of files stay true, as when an operator or NTP sets a clock.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
    NO_FAKE_STAT: '1',
  };
}
