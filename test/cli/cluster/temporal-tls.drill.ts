// Temporal's own server with TLS that asks for client certificates, and the product on it: `npm run tls-drill`. It builds the server
// from Go modules where it is not cached, and makes certificates with openssl.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { claimClusterPorts } from '../../../cli/cluster/ports.ts';
import { startTemporalCluster, startTemporalDatabase } from '../../../cli/cluster/temporal.ts';
import { readTemporalTls } from '../../../cli/cluster/temporal-tls.ts';
import { startPostgres } from '../../../cli/postgres/start-postgres.ts';
import { readLogFrom } from '../../../cli/process/log-file.ts';
import { startChild } from '../../../cli/process/start-child.ts';
import { claimPorts } from '../../../cli/start/ports.ts';
import { openRun, type Run } from '../../../cli/start/run.ts';
import { parseConfig } from '../../../core/config.ts';
import { openDatabase } from '../../../db/driver/knex.ts';
import { migrate } from '../../../db/migrate.ts';
import { temporalConnectionOptions } from '../../../outbound/connect-temporal.ts';
import { freePort } from '../../support/servers/free-port.ts';
import { type Origin, startOrigin } from '../../support/servers/origin-server.ts';
import { PROGRAMS } from '../../support/servers/programs.ts';
import { checkAndWait, createRecord, startSystem, type System } from '../../support/servers/system.ts';
import { until } from '../../support/until.ts';

const MINUTE_MS = 60_000;
const NAMESPACE = 'recordwatch';
const SHARDS = 4;

let home: string;
let run: Run;
let address: string;
let clientSettings: Record<string, string>;

const openssl = (...args: string[]): void => void execFileSync('openssl', args, { cwd: home, stdio: 'pipe' });

/** An authority, and certificates that it signed. */
function makeCertificates(folder: string): void {
  mkdirSync(join(home, folder), { recursive: true });
  const at = (name: string): string => join(folder, name);
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl(
    'req',
    '-x509',
    ...key,
    '-keyout',
    at('ca.key'),
    '-out',
    at('ca.pem'),
    '-days',
    '2',
    '-subj',
    `/CN=${folder}`,
  );
  for (const [name, extensions] of [
    ['server', 'subjectAltName=DNS:localhost,IP:127.0.0.1\nextendedKeyUsage=serverAuth,clientAuth\n'],
    ['client', 'extendedKeyUsage=clientAuth\n'],
  ] as const) {
    writeFileSync(join(home, at(`${name}.ext`)), extensions);
    openssl('req', ...key, '-keyout', at(`${name}.key`), '-out', at(`${name}.csr`), '-subj', `/CN=${name}`);
    const signed = [
      '-CA',
      at('ca.pem'),
      '-CAkey',
      at('ca.key'),
      '-CAcreateserial',
      '-extfile',
      at(`${name}.ext`),
    ];
    openssl('x509', '-req', '-in', at(`${name}.csr`), '-out', at(`${name}.pem`), '-days', '2', ...signed);
  }
}

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'recordwatch-tls-'));
  makeCertificates('ours');
  makeCertificates('foreign');
  run = await openRun(join(home, 'run'), new AbortController());
  const claims = run.stack.use(new DisposableStack());
  const usual = await claimPorts(run.home.file('ports.json'), undefined, claims);
  const sizes = { temporal: usual.temporal, apis: 1, workers: 1 };
  const ports = await claimClusterPorts(run.home.file('cluster-ports.json'), sizes, claims);
  const tls = readTemporalTls(join(home, 'ours'));
  ({ clientSettings } = tls);
  const databaseUrl = await startTemporalDatabase(run, ports.temporalPostgres, () => undefined);
  const options = { ports, shards: SHARDS, namespace: NAMESPACE, tls, databaseUrl };
  ({ address } = await startTemporalCluster(run, options, () => undefined));
}, 30 * MINUTE_MS);

afterAll(async () => {
  await run?.stack.disposeAsync();
  rmSync(home, { recursive: true, force: true });
}, MINUTE_MS);

const settingsOf = (change: Record<string, string> = {}): Record<string, string> => ({
  TEMPORAL_ADDRESS: address,
  TEMPORAL_NAMESPACE: NAMESPACE,
  ...clientSettings,
  ...change,
});

/** @returns 'connected', or why not */
async function outcomeOf(env: Record<string, string>): Promise<string> {
  try {
    const options = temporalConnectionOptions(parseConfig(env));
    const connection = await Connection.connect({ ...options, connectTimeout: 5_000 });
    await connection.close();
    return 'connected';
  } catch (error) {
    return String(error);
  }
}

const foreign = (name: string): string => join(home, 'foreign', name);

/** What differs, the settings, and what the log of a worker says. */
const REFUSED: [string, () => Record<string, string>, string][] = [
  [
    'another authority for its certificate',
    () => ({ TEMPORAL_TLS_SERVER_CA_CERT_PATH: foreign('ca.pem') }),
    'of another authority than',
  ],
  [
    'no client certificate',
    () => ({ TEMPORAL_TLS_CLIENT_CERT_PATH: '', TEMPORAL_TLS_CLIENT_KEY_PATH: '' }),
    'asks for a client certificate',
  ],
  [
    'a client certificate of another authority',
    () => ({
      TEMPORAL_TLS_CLIENT_CERT_PATH: foreign('client.pem'),
      TEMPORAL_TLS_CLIENT_KEY_PATH: foreign('client.key'),
    }),
    'or one of another authority',
  ],
  ['another name', () => ({ TEMPORAL_TLS_SERVER_NAME: 'elsewhere.test' }), 'another name'],
  ['TLS turned off', () => ({ TEMPORAL_TLS: 'false' }), 'it wants TLS'],
];

describe('temporal-server that asks for client certificates', () => {
  it('accepts ours', async () => {
    expect(await outcomeOf(settingsOf())).toBe('connected');
  });

  it.each(REFUSED)('is not connected to with %s', async (_name, change) => {
    expect(await outcomeOf(settingsOf(change()))).not.toBe('connected');
  });

  it.each(REFUSED)('a worker with %s says in its log what to do', async (name, change, words) => {
    const logFile = join(home, `worker ${name}.log`);
    const child = await startChild({
      name: 'worker',
      command: process.execPath,
      args: [PROGRAMS.worker.path],
      env: {
        PATH: process.env['PATH'],
        DATABASE_URL: database.url,
        RECORDWATCH_HOME: home,
        ...settingsOf(change()),
      },
      logFile,
    });
    onTestFinished(child.stop);
    // How a connection ends that the server refuses is a race, so the first attempts may say less.
    await until('it says why', () =>
      readLogFrom(logFile, child.logStart)
        .split('\n')
        .filter((line) => line.includes('waiting for Temporal'))
        .some((line) => String(JSON.parse(line)['advice']).includes(words)),
    );
  });
});

let database: { url: string };

beforeAll(async () => {
  const postgres = await startPostgres({
    dataDir: join(home, 'postgres'),
    port: await freePort(),
    onStart: run.adopt,
  });
  await migrate(postgres.url);
  database = { url: postgres.url };
}, MINUTE_MS);

describe('the product on it', () => {
  let system: System;
  let origin: Origin;

  beforeAll(async () => {
    origin = await startOrigin();
    const connection = await Connection.connect(temporalConnectionOptions(parseConfig(settingsOf())));
    const client = new Client({ connection, namespace: NAMESPACE });
    const db = openDatabase(database.url, { poolSize: 3, statementTimeoutMs: MINUTE_MS });
    const temporal = { address, namespace: NAMESPACE, connection, client };
    system = await startSystem(clientSettings, {
      temporal,
      database: { db, url: database.url, drop: () => db.destroy() },
    });
  }, 5 * MINUTE_MS);

  afterAll(async () => {
    await system?.stop();
    await origin?.close();
  });

  it('checks a record', async () => {
    origin.set('/list.csv', { body: 'id\n1\n' });
    const record = await createRecord(system, { url: `${origin.url}/list.csv` });
    origin.set('/list.csv', { body: 'id\n1\n2\n' });
    expect(await checkAndWait(system, record.id)).toMatchObject({ outcome: 'changed' });
  });
});
