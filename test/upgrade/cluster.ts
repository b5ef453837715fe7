// A cluster whose APIs and workers are of any version: the servers of `npm run cluster`, and services that a drill starts, ends
// and replaces one at a time.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { DEFAULT_SHARDS } from '../../cli/cluster/command.ts';
import { startProxy } from '../../cli/cluster/proxy.ts';
import { readLogFrom } from '../../cli/process/log-file.ts';
import { awaitReady, type Child, startChild } from '../../cli/process/start-child.ts';
import { openRun, type Run } from '../../cli/start/run.ts';
import { NODE_ARGS } from '../../cli/start/start-service.ts';
import { findTemporalServer } from '../../cli/temporal/find-server.ts';
import { NAMESPACE, startClusterServers } from '../support/servers/cluster-servers.ts';
import { LIVENESS_MS, until } from '../support/until.ts';
import type { Version } from './version.ts';

const SHAPE = { apis: 2, workers: 3, shards: DEFAULT_SHARDS };

/** A version as it is deployed. */
export interface Deployed {
  version: Version;
  /** Of its workers, for Worker Versioning; undefined: they have no version. */
  buildId?: string;
}

interface Service {
  kind: 'api' | 'worker';
  name: string;
  env: NodeJS.ProcessEnv;
  child: Child;
}

export interface DrillCluster {
  /** The proxy's. */
  baseUrl: string;
  databaseUrl: string;
  temporal: Client;
  /** Runs a command of a version: `migrate`. @returns what it printed */
  command: (version: Version, args: readonly string[]) => string;
  startAll: (deployed: Deployed) => Promise<void>;
  /** Ends and starts each API in turn. */
  replaceApis: (deployed: Deployed) => Promise<void>;
  /** The same for workers. With a version on either side: starts new ones, moves the work, then ends the old ones. */
  replaceWorkers: (deployed: Deployed) => Promise<void>;
  logs: () => string[];
  stop: () => Promise<void>;
}

const DEPLOYMENT = 'recordwatch';

export async function startDrillCluster(): Promise<DrillCluster> {
  const home = mkdtempSync(join(tmpdir(), 'recordwatch-upgrade-'));
  const run = await openRun(home, new AbortController());
  const servers = await startClusterServers(run, SHAPE);
  const { env, ports, baseUrl } = servers;
  const connection = await Connection.connect({ address: servers.temporalAddress });
  run.stack.defer(() => connection.close());
  const { path: cli } = await findTemporalServer();
  const services = new Map<string, Service>();
  let workersStarted = 0;
  let now: Deployed | undefined;

  const start = async (kind: Service['kind'], number: number, deployed: Deployed): Promise<void> => {
    const name = `${kind}-${number}`;
    const own = kind === 'api' ? { PORT: String(ports.apis[number - 1]) } : versionOf(deployed);
    const service = await startService(run, { kind, name, env: { ...env, ...own } }, deployed.version);
    services.set(name, service);
  };
  const startWorker = (deployed: Deployed) => start('worker', (workersStarted += 1), deployed);
  const end = async (name: string): Promise<void> => {
    const { child } = services.get(name) ?? missing(name);
    process.kill(child.pid, 'SIGTERM');
    await child.ended;
    services.delete(name);
  };
  const namesOf = (kind: string) => [...services.keys()].filter((name) => name.startsWith(kind));
  const deployment = (...args: string[]): void => {
    const where = ['--address', servers.temporalAddress, '--namespace', NAMESPACE];
    execFileSync(cli, ['worker', 'deployment', ...args, '--deployment-name', DEPLOYMENT, '--yes', ...where], {
      stdio: 'pipe',
    });
  };

  return {
    baseUrl,
    databaseUrl: servers.databaseUrl,
    temporal: new Client({ connection, namespace: NAMESPACE }),
    command: ({ node, folder }, args) =>
      execFileSync(node, [join(folder, 'cli/main.ts'), ...args], { cwd: folder, env, encoding: 'utf8' }),
    startAll: async (deployed) => {
      for (let number = 1; number <= SHAPE.workers; number += 1) await startWorker(deployed);
      for (let number = 1; number <= SHAPE.apis; number += 1) await start('api', number, deployed);
      now = deployed;
      await startProxy(run, { port: Number(new URL(baseUrl).port), apis: ports.apis }, () => undefined);
    },
    replaceApis: async (deployed) => {
      for (let number = 1; number <= SHAPE.apis; number += 1) {
        await end(`api-${number}`);
        await start('api', number, deployed);
        await until('the API is ready', () => isReady(`http://127.0.0.1:${ports.apis[number - 1]}`));
      }
    },
    replaceWorkers: async (deployed) => {
      const old = namesOf('worker');
      const isVersioned = now?.buildId !== undefined || deployed.buildId !== undefined;
      if (isVersioned) {
        for (const _ of old) await startWorker(deployed);
        await moveWork(deployment, deployed.buildId);
      }
      for (const name of old) {
        await end(name);
        if (!isVersioned) await startWorker(deployed);
      }
      now = deployed;
    },
    logs: () => Array.from({ length: workersStarted }, (_, index) => run.home.logFile(`worker-${index + 1}`)),
    stop: async () => {
      await run.stack.disposeAsync();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** Settings that give a worker its version. Versions of the product that do not know them have none. */
const versionOf = ({ buildId }: Deployed): NodeJS.ProcessEnv =>
  buildId === undefined ? {} : { TEMPORAL_DEPLOYMENT_NAME: DEPLOYMENT, TEMPORAL_WORKER_BUILD_ID: buildId };

/** As docs/operations.md says: some of the work first, then all. */
async function moveWork(deployment: (...args: string[]) => void, buildId: string | undefined): Promise<void> {
  const target = buildId === undefined ? ['--unversioned'] : ['--build-id', buildId];
  const steps = [
    ['set-ramping-version', ...target, '--percentage', '20'],
    ['set-current-version', ...target],
  ];
  for (const step of steps) {
    // Temporal learns of a version when its workers first ask for tasks.
    let words = '';
    const works = (): boolean => {
      try {
        deployment(...step);
        return true;
      } catch (error) {
        words = String(error);
        return false;
      }
    };
    await until(step.join(' '), works, { everyMs: 1_000 }).catch((cause: unknown) => {
      throw new Error(words, { cause });
    });
  }
}

async function startService(
  run: Run,
  service: Omit<Service, 'child'>,
  { node, folder }: Version,
): Promise<Service> {
  const { kind, name, env } = service;
  const child = await startChild({
    name,
    command: node,
    args: [...NODE_ARGS[kind], join(folder, `${kind}/main.ts`)],
    env,
    logFile: run.home.logFile(name),
  });
  run.adopt(child, { mayDie: true });
  const saysReady = () => readLogFrom(child.logFile, child.logStart).includes('"msg":"ready"');
  await awaitReady(child, saysReady, { what: `${name} is ready`, timeoutMs: LIVENESS_MS });
  return { ...service, child };
}

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );

function missing(name: string): never {
  throw new Error(`${name} does not run`);
}
