// `npm run cluster`: the production shape on one machine. Each part is a process, as in docker-compose.yml.
import { randomBytes } from 'node:crypto';
import { SETTINGS } from '../../core/config.ts';
import type { Report, Steps } from '../process/steps.ts';
import { writeWhole } from '../process/write-whole.ts';
import type { Run } from '../start/run.ts';
import type { ProcessPlan } from '../start/start.ts';
import { startDatabase } from '../start/start-database.ts';
import { NODE_ARGS, startService } from '../start/start-service.ts';
import type { TemporalServer } from '../start/start-temporal.ts';
import { startBlobStore } from './blob-store.ts';
import { keepPostgres } from './keep-postgres.ts';
import { keepRunning } from './keep-running.ts';
import { claimClusterPorts, type ClusterPorts } from './ports.ts';
import { startProxy } from './proxy.ts';
import { startTemporalCluster, startTemporalDatabase, type TemporalClusterOptions } from './temporal.ts';
import { readTemporalTls } from './temporal-tls.ts';

export interface ClusterOptions {
  apis: number;
  workers: number;
  /** Of Temporal's history; fixed when the cluster is first started. */
  shards: number;
  /** A folder of certificates for Temporal; undefined: no TLS. */
  tls?: string | undefined;
}

/** The parts of a cluster. A run of it uses the shape once. */
export function clusterPlan({ apis, workers, shards, tls: folder }: ClusterOptions): ProcessPlan {
  const tls = folder === undefined ? undefined : readTemporalTls(folder);
  let ports: ClusterPorts;
  return {
    startServers: async (run, config, usual, steps) => {
      const claims = run.stack.use(new DisposableStack());
      const file = run.home.file('cluster-ports.json');
      ports = await claimClusterPorts(file, { temporal: usual.temporal, apis, workers }, claims);
      writeTargets(run.home.file('metrics-targets.json'), ports);
      const secret = run.home.keep('blob-secret', () => randomBytes(24).toString('hex'));
      const databaseUrl = steps.run(
        'PostgreSQL',
        (report) =>
          startDatabase(run, { given: config.databaseUrl, port: usual.postgres }, report, (own) =>
            keepPostgres(run, own),
          ),
        () => `127.0.0.1:${usual.postgres}, migrated`,
      );
      const temporal = steps.run(
        'Temporal',
        (report) => startTemporal(run, { ports, shards, namespace: config.temporalNamespace, tls }, report),
        ({ words }) => words,
      );
      const blobStore = steps.run(
        'Blobs',
        (report) => startBlobStore(run, { port: ports.blobs, secret }, report),
        () => `S3 at 127.0.0.1:${ports.blobs}`,
      );
      await run.all([databaseUrl, temporal, blobStore]);
      return {
        databaseUrl: await databaseUrl,
        temporal: await temporal,
        settings: {
          [SETTINGS.blobStore.name]: await blobStore,
          [SETTINGS.trustedProxies.name]: '127.0.0.1',
          // Time for the proxy to turn elsewhere.
          [SETTINGS.shutdownDelaySeconds.name]: SETTINGS.shutdownDelaySeconds.fallback,
          ...tls?.clientSettings,
        },
      };
    },
    startServices: async (run, settings, steps) => {
      const starting = startOurs(run, steps, ports, settings);
      const port = Number(settings[SETTINGS.port.name]);
      const proxy = steps.run(
        'Proxy',
        (report: Report) => startProxy(run, { port, apis: ports.apis }, report),
        () => `Caddy at 127.0.0.1:${port}`,
      );
      await run.all([...starting, proxy]);
    },
  };
}

/** Temporal with a PostgreSQL of its own. */
async function startTemporal(
  run: Run,
  options: Omit<TemporalClusterOptions, 'databaseUrl'>,
  report: Report,
): Promise<TemporalServer> {
  const databaseUrl = await startTemporalDatabase(run, options.ports.temporalPostgres, report);
  return startTemporalCluster(run, { ...options, databaseUrl }, report);
}

function startOurs(
  run: Run,
  steps: Steps,
  { apis, apiMetrics, workerMetrics }: ClusterPorts,
  settings: NodeJS.ProcessEnv,
): Promise<unknown>[] {
  return [
    ...workerMetrics.map(({ own, temporal }, index) =>
      startOne(run, steps, 'worker', index + 1, {
        ...settings,
        [SETTINGS.metricsAddress.name]: onLoopback(own),
        [SETTINGS.temporalMetricsAddress.name]: onLoopback(temporal),
      }),
    ),
    ...apis.map((port, index) =>
      startOne(run, steps, 'api', index + 1, {
        ...settings,
        [SETTINGS.port.name]: String(port),
        [SETTINGS.metricsAddress.name]: onLoopback(apiMetrics[index] ?? 0),
      }),
    ),
  ];
}

const onLoopback = (port: number): string => `127.0.0.1:${port}`;

/** Tells Prometheus where the metrics of all processes are: https://prometheus.io/docs/guides/file-sd/ */
function writeTargets(path: string, { apiMetrics, workerMetrics }: ClusterPorts): void {
  const group = (job: string, targets: readonly number[]) => ({
    targets: targets.map(onLoopback),
    labels: { job },
  });
  const groups = [
    group('recordwatch-api', apiMetrics),
    group(
      'recordwatch-worker',
      workerMetrics.map(({ own }) => own),
    ),
    group(
      'recordwatch-worker-sdk',
      workerMetrics.map(({ temporal }) => temporal),
    ),
  ];
  writeWhole(path, `${JSON.stringify(groups, null, 2)}\n`, { mode: 0o644 });
}

/** Starts one API or worker: `api-2`. */
function startOne(
  run: Run,
  steps: Steps,
  kind: keyof typeof NODE_ARGS,
  number: number,
  env: NodeJS.ProcessEnv,
): Promise<unknown> {
  const name = `${kind === 'api' ? 'API' : 'Worker'}-${number}`;
  return steps.run(
    name,
    (report) => {
      report('waiting until it is ready');
      const service = {
        name,
        entry: `${kind}/main.ts`,
        nodeArgs: NODE_ARGS[kind],
        env: { NODE_COMPILE_CACHE: run.home.file('cache/compiled'), ...env },
        logFile: run.home.logFile(name.toLowerCase()),
        signal: run.signal,
      };
      return keepRunning(run, (onStart) => startService({ ...service, onStart }));
    },
    ({ pid }) => `process ${pid}`,
  );
}
