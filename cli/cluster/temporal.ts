// Temporal as a cluster runs it: frontend, history, matching and worker services as processes, over PostgreSQL.
import { Connection } from '@temporalio/client';
import { writeFileSync } from 'node:fs';
import { runStep } from '../process/run-step.ts';
import { awaitReady, startChild } from '../process/start-child.ts';
import { waitFor } from '../process/wait-for.ts';
import type { Report } from '../process/steps.ts';
import type { Run } from '../start/run.ts';
import type { TemporalServer } from '../start/start-temporal.ts';
import { isServing } from '../temporal/health.ts';
import { connectOnce } from '../../db/driver/connect-once.ts';
import { WITHOUT_PROXY } from '../../outbound/connect-temporal.ts';
import { keepPostgres } from './keep-postgres.ts';
import { keepRunning } from './keep-running.ts';
import type { ClusterPorts } from './ports.ts';
import { clusterProgram, TEMPORAL_SERVER_VERSION } from './programs.ts';
import type { TemporalTls } from './temporal-tls.ts';

const SERVICES = ['frontend', 'history', 'matching', 'worker'] as const;
/** Name of a database to the schema that it holds. */
const DATABASES = { temporal: 'temporal', temporal_visibility: 'visibility' } as const;
const RETENTION_DAYS = 3;
/** Four services with pools of 20 and 10 connections, and what looks at them. */
const CONNECTIONS = 200;

export interface TemporalClusterOptions {
  ports: ClusterPorts;
  /** Fixed for the life of the cluster. */
  shards: number;
  namespace: string;
  /** Default: the frontend takes connections that are not encrypted. */
  tls?: TemporalTls | undefined;
  /** Of the server that startTemporalDatabase started. */
  databaseUrl: string;
}

/** Starts the PostgreSQL server of Temporal. @returns its connection string */
export function startTemporalDatabase(run: Run, port: number, report: Report): Promise<string> {
  report('starting its PostgreSQL');
  return keepPostgres(run, {
    dataDir: run.home.file('temporal-postgres'),
    name: 'Temporal-PostgreSQL',
    port,
    settings: { max_connections: String(CONNECTIONS), shared_buffers: '256MB', max_wal_size: '1GB' },
    logFile: run.home.logFile('temporal-postgres'),
    report,
  });
}

/**
 * Starts Temporal on its PostgreSQL server, and comes back when the namespace exists. The settings are those of
 * docker-compose.yml: the server's configuration template reads both from the environment.
 */
export async function startTemporalCluster(
  run: Run,
  { ports, shards, namespace, tls, databaseUrl }: TemporalClusterOptions,
  report: Report,
): Promise<TemporalServer> {
  const { signal } = run;
  const program = await clusterProgram('temporal-server', { report, signal });
  const sqlTool = await clusterProgram('temporal-sql-tool', { report, signal });
  report('bringing its databases to the schema');
  for (const [database, schema] of Object.entries(DATABASES)) {
    await bringSchema(sqlTool, new URL(databaseUrl), { database, schema, signal });
  }
  report('starting its services');
  await startServices(run, program, new URL(databaseUrl), { ports, shards, tls });
  const address = `127.0.0.1:${ports.temporal}`;
  report('waiting for the namespace');
  await makeNamespace({ address, tls }, namespace, signal);
  return {
    address,
    uiUrl: null,
    databaseUrl: new URL('/temporal', databaseUrl).href,
    words: `server ${TEMPORAL_SERVER_VERSION} at ${address}${tls === undefined ? '' : ' with mTLS'}, four services over PostgreSQL`,
  };
}

/** Creates the database and its schema, or upgrades an earlier version's. */
async function bringSchema(
  sqlTool: string,
  url: URL,
  { database, schema, signal }: { database: string; schema: string; signal: AbortSignal },
): Promise<void> {
  const env = {
    ...process.env,
    SQL_PLUGIN: 'postgres12',
    SQL_HOST: url.hostname,
    SQL_PORT: url.port,
    SQL_USER: url.username,
    SQL_PASSWORD: url.password,
    SQL_DATABASE: database,
  };
  const sql = (...args: string[]) => runStep(sqlTool, args, { env, signal });
  const ask = (name: string, query: string) =>
    connectOnce(new URL(`/${name}`, url).href, async (client) => (await client.query(query)).rowCount === 1);
  if (!(await ask('postgres', `select from pg_database where datname = '${database}'`))) await sql('create');
  const isSetUp = await ask(database, "select from pg_tables where tablename = 'schema_version'");
  if (!isSetUp) await sql('setup-schema', '-v', '0.0');
  await sql('update-schema', '--schema-name', `postgresql/v12/${schema}`);
}

/** Accounts take turns at the tasks that wait in a queue. docker-compose.yml has the same. */
export const DYNAMIC_CONFIG = { 'matching.enableFairness': [{ value: true }] };

/** The settings of the server. docker-compose.yml has the same. */
export function serverSettings(
  database: URL,
  { shards, dynamicConfig }: { shards: number; dynamicConfig: string },
): Record<string, string> {
  return {
    DB: 'postgres12_pgx',
    DB_PORT: database.port,
    POSTGRES_SEEDS: database.hostname,
    POSTGRES_USER: database.username,
    POSTGRES_PWD: database.password,
    BIND_ON_IP: '127.0.0.1',
    NUM_HISTORY_SHARDS: String(shards),
    // Collects garbage at five times the live memory instead of twice: docs/performance.md#cold-checks.
    GOGC: '400',
    DYNAMIC_CONFIG_FILE_PATH: dynamicConfig,
  };
}

/** Keeps the services of one machine apart. Containers have an address each. */
function portSettings(service: (typeof SERVICES)[number], ports: ClusterPorts): Record<string, string> {
  const metrics = {
    frontend: ports.frontendMetrics,
    history: ports.historyMetrics,
    matching: ports.matchingMetrics,
    worker: ports.temporalWorkerMetrics,
  };
  return {
    TEMPORAL_BROADCAST_ADDRESS: '127.0.0.1',
    PROMETHEUS_ENDPOINT: `127.0.0.1:${metrics[service]}`,
    FRONTEND_GRPC_PORT: String(ports.temporal),
    FRONTEND_HTTP_PORT: String(ports.temporalHttp),
    FRONTEND_MEMBERSHIP_PORT: String(ports.frontendMembership),
    HISTORY_GRPC_PORT: String(ports.history),
    HISTORY_MEMBERSHIP_PORT: String(ports.historyMembership),
    MATCHING_GRPC_PORT: String(ports.matching),
    MATCHING_MEMBERSHIP_PORT: String(ports.matchingMembership),
    WORKER_GRPC_PORT: String(ports.temporalWorker),
    WORKER_MEMBERSHIP_PORT: String(ports.temporalWorkerMembership),
  };
}

/** Starts a process for each service, the frontend first. They find each other through the database. */
async function startServices(
  run: Run,
  program: string,
  database: URL,
  { ports, shards, tls }: Omit<TemporalClusterOptions, 'namespace' | 'databaseUrl'>,
): Promise<void> {
  const dynamicConfig = run.home.file('temporal-dynamic.yaml');
  // JSON is YAML.
  writeFileSync(dynamicConfig, JSON.stringify(DYNAMIC_CONFIG));
  const settings = { ...serverSettings(database, { shards, dynamicConfig }), ...tls?.serverSettings };
  const serves = () => isServing(`127.0.0.1:${ports.temporal}`, tls?.client);
  for (const service of SERVICES) {
    const name = `Temporal-${service}`;
    await keepRunning(run, async (onStart) => {
      const child = await startChild({
        name,
        command: program,
        args: ['start', '--service', service],
        env: { PATH: process.env['PATH'], LOG_LEVEL: 'warn', ...settings, ...portSettings(service, ports) },
        logFile: run.home.logFile(name.toLowerCase()),
      });
      onStart(child);
      const patience = { what: 'Temporal serves', timeoutMs: 60_000, signal: run.signal };
      await awaitReady(child, serves, patience);
      return child;
    });
  }
}

const NAMESPACE_PATIENCE_MS = 60_000;
const GRPC_ALREADY_EXISTS = 6;

/** Comes back when the namespace can be used. The services learn of a new one one after the other, within ten seconds. */
async function makeNamespace(
  { address, tls }: { address: string; tls: TemporalTls | undefined },
  namespace: string,
  signal: AbortSignal,
): Promise<void> {
  const connection = await Connection.connect({
    ...WITHOUT_PROXY,
    address,
    ...(tls && { tls: sdkTls(tls) }),
  });
  const { workflowService } = connection;
  try {
    const make = async (): Promise<true | undefined> => {
      try {
        await workflowService.registerNamespace({
          namespace,
          // The type wants a Long; a number is encoded like it.
          workflowExecutionRetentionPeriod: { seconds: (RETENTION_DAYS * 86_400) as never },
        });
        return true;
      } catch (error) {
        return isCode(error, GRPC_ALREADY_EXISTS) || undefined;
      }
    };
    const patience = { timeoutMs: NAMESPACE_PATIENCE_MS, intervalMs: 200, signal };
    await waitFor(make, { ...patience, what: 'Temporal makes the namespace' });
    const isUsable = () =>
      workflowService.countWorkflowExecutions({ namespace }).then(
        () => true as const,
        () => undefined,
      );
    await waitFor(isUsable, { ...patience, what: 'the namespace can be used' });
  } finally {
    await connection.close();
  }
}

/** In the form of Temporal's SDK. */
const sdkTls = ({ client: { ca, cert, key, servername } }: TemporalTls) => ({
  serverNameOverride: servername,
  serverRootCACertificate: ca,
  clientCertPair: { crt: cert, key },
});

const isCode = (error: unknown, code: number): boolean =>
  error instanceof Error && 'code' in error && error.code === code;
