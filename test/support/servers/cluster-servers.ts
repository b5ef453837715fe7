// The servers of `npm run cluster` for a drill: both PostgreSQLs, Temporal and the S3 server, started again when they die, and
// the settings with which APIs and workers reach them. The drill starts those itself.
import { randomBytes } from 'node:crypto';
import { startBlobStore } from '../../../cli/cluster/blob-store.ts';
import { keepPostgres } from '../../../cli/cluster/keep-postgres.ts';
import { claimClusterPorts, type ClusterPorts } from '../../../cli/cluster/ports.ts';
import { startTemporalCluster, startTemporalDatabase } from '../../../cli/cluster/temporal.ts';
import { claimPorts } from '../../../cli/start/ports.ts';
import type { Run } from '../../../cli/start/run.ts';
import { CHAOS_SCHEDULE } from '../checks/changing-records.ts';

export const NAMESPACE = 'recordwatch';

export interface ClusterShape {
  apis: number;
  workers: number;
  /** Of Temporal's history. */
  shards: number;
}

export interface ClusterServers {
  ports: ClusterPorts;
  /** The proxy's, which the drill starts. */
  baseUrl: string;
  databaseUrl: string;
  temporalAddress: string;
  /** The S3 server's. */
  blobAddress: string;
  /** Settings of APIs and workers. */
  env: NodeJS.ProcessEnv;
}

/** @param toTemporalDatabase where Temporal finds its PostgreSQL, in place of the server's own address */
export async function startClusterServers(
  run: Run,
  { shards, ...shape }: ClusterShape,
  toTemporalDatabase: (url: string) => Promise<string> | string = (url) => url,
): Promise<ClusterServers> {
  const { home, stack } = run;
  const say = (part: string) => (text: string) => run.say(`${part}: ${text}`);
  const claims = stack.use(new DisposableStack());
  const usual = await claimPorts(home.file('ports.json'), undefined, claims);
  const ports = await claimClusterPorts(
    home.file('cluster-ports.json'),
    { temporal: usual.temporal, ...shape },
    claims,
  );
  const databaseUrl = await keepPostgres(run, {
    dataDir: home.file('postgres'),
    port: usual.postgres,
    logFile: home.logFile('postgres'),
    settings: { max_connections: '200' },
  });
  const temporalDatabase = await startTemporalDatabase(run, ports.temporalPostgres, say('Temporal'));
  const temporal = await startTemporalCluster(
    run,
    { ports, shards, namespace: NAMESPACE, databaseUrl: await toTemporalDatabase(temporalDatabase) },
    say('Temporal'),
  );
  const secret = home.keep('blob-secret', () => randomBytes(24).toString('hex'));
  const blobStore = await startBlobStore(run, { port: ports.blobs, secret }, say('blobs'));
  const baseUrl = `http://127.0.0.1:${usual.api}`;
  const env: NodeJS.ProcessEnv = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    DATABASE_URL: databaseUrl,
    DATABASE_POOL_SIZE: '5',
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: NAMESPACE,
    RECORDWATCH_HOME: home.folder,
    NODE_COMPILE_CACHE: home.file('cache/compiled'),
    BLOB_STORE: blobStore,
    BASE_URL: baseUrl,
    TRUSTED_PROXIES: '127.0.0.1',
    KEY_ENCRYPTION_KEYS: home.keep('key-encryption-keys', () => `k1:${randomBytes(32).toString('base64')}`),
    ALLOW_ADDRESSES: '127.0.0.0/8',
    MIN_CHECK_SECONDS: '0.5',
    HELD_RECHECK_SECONDS: '1',
    DELIVERY_SCHEDULE: CHAOS_SCHEDULE,
    // Many records share an origin, and the load is more than one account may cause.
    ORIGIN_CONCURRENCY: '1000',
    ORIGIN_SPACING_SECONDS: '0',
    RATE_LIMIT_FACTOR: '1000',
  };
  const blobAddress = `127.0.0.1:${ports.blobs}`;
  return { ports, baseUrl, databaseUrl, temporalAddress: temporal.address, blobAddress, env };
}
