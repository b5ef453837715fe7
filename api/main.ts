// The API process: reads the settings, connects, listens, and drains on SIGTERM or SIGINT.
import { Client, Connection } from '@temporalio/client';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseConfig } from '../core/config.ts';
import { createCursorCodec } from '../core/crypto/cursor.ts';
import { readReach } from '../core/network/reach.ts';
import { closedDataKeys, countDataKeys } from '../db/accounts/data-keys.ts';
import { type Database, openDatabase } from '../db/driver/knex.ts';
import { assertMigrated } from '../db/migrate.ts';
import { openRateCounts } from '../db/usage/rate-counts.ts';
import { connectTemporal } from '../outbound/connect-temporal.ts';
import { containFaults } from '../outbound/contain-faults.ts';
import { takeOverConsole } from '../outbound/log-output.ts';
import { sealingOptions } from '../outbound/payload-codec.ts';
import { observePools } from '../telemetry/pools.ts';
import { startMetrics } from '../telemetry/start-metrics.ts';
import { startTraces } from '../telemetry/start-traces.ts';
import { tracedClient } from '../telemetry/trace-temporal.ts';
import { buildApp } from './app.ts';
import { createLogger } from './http/logger.ts';
import { addressSaltOf, createRateLimits, WINDOW_SECONDS } from './access/rate-limits.ts';
import { shareCounts } from './access/shared-counts.ts';
import { startCodecServer } from './codec/codec-server.ts';
import { openWorkflowClient } from './temporal/workflows.ts';

const STATEMENT_TIMEOUT_MS = 10_000;
/** Longer searches and counts are refused, before they affect other callers. */
const HEAVY_STATEMENT_TIMEOUT_MS = 8_000;
const HEAVY_POOL_SIZE = 4;
const CLOSE_WITHIN_MS = 3_000;

const log = createLogger('info');
takeOverConsole(log);
containFaults(log);
const config = parseConfig(process.env);
log.level = config.logLevel;

async function main(): Promise<void> {
  const metrics = await startMetrics({ serviceName: 'recordwatch-api', config });
  const traces = await startTraces({ serviceName: 'recordwatch-api', config });
  const { db, heavyDb } = openDatabases();
  await assertMigrated(db);
  const connection = await connectTemporal(config, (options) => Connection.connect(options), log);
  const services = {
    db,
    heavyDb,
    temporal: openWorkflowClient(
      new Client({
        connection,
        namespace: config.temporalNamespace,
        ...sealingOptions(config),
        ...(traces.isOn ? { interceptors: tracedClient } : {}),
      }),
    ),
    clock: Date.now,
    log,
    config,
    cursors: createCursorCodec(config.keyEncryptionKeys),
    reach: readReach(config),
  };
  const rateLimits = createRateLimits({
    multiplier: config.rateLimitFactor,
    shared: shareCounts(openRateCounts(db, WINDOW_SECONDS), (err) =>
      log.warn({ err }, 'rate limits are counted by this process alone for now'),
    ),
    addressSalt: addressSaltOf(config.keyEncryptionKeys),
  });
  const codecServer = await startCodecServer(config, log);
  const draining = new AbortController();
  const app = buildApp(services, { rateLimits, draining: draining.signal, isTraced: traces.isOn });
  const end = async (): Promise<void> => {
    draining.abort();
    await sleep(config.shutdownDelaySeconds * 1_000);
    await app.close();
    const isClosed = Promise.allSettled([
      connection.close(),
      db.destroy(),
      heavyDb.destroy(),
      codecServer?.close(),
      metrics.shutdown(),
      traces.shutdown(),
    ]);
    // All responses are sent. A silent database does not delay the exit.
    await Promise.race([isClosed, sleep(CLOSE_WITHIN_MS)]);
    process.exit();
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void end().catch(fail));
  const url = await app.listen({ host: config.host, port: config.port });
  log.info({ url }, 'ready');
  await reportClosedKeys(heavyDb);
}

/** An API with an old KEY_ENCRYPTION_KEYS serves most calls, so nobody would notice. */
async function reportClosedKeys(db: Database): Promise<void> {
  try {
    const closed = closedDataKeys(config.keyEncryptionKeys, await countDataKeys(db));
    if (closed !== undefined) log.error(`${closed} Add the missing keys to every API and worker.`);
  } catch (err) {
    log.warn({ err }, 'the data keys could not be counted');
  }
}

/** The second is for reads that may be slow. */
function openDatabases(): { db: Database; heavyDb: Database } {
  const common = {
    patienceMs: config.databasePatienceSeconds * 1_000,
    report: (words: string) => log.warn(words),
  };
  const db = openDatabase(config.databaseUrl, {
    ...common,
    poolSize: config.databasePoolSize,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    applicationName: 'api',
  });
  const heavyDb = openDatabase(config.databaseUrl, {
    ...common,
    poolSize: HEAVY_POOL_SIZE,
    statementTimeoutMs: HEAVY_STATEMENT_TIMEOUT_MS,
    applicationName: 'api, heavy reads',
  });
  observePools({ api: db, 'api, heavy reads': heavyDb });
  return { db, heavyDb };
}

function fail(error: unknown): never {
  const isPortTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
  const words = isPortTaken
    ? `port ${config.port} of ${config.host} is taken: set PORT to another port`
    : 'the API cannot start';
  log.fatal({ err: error }, words);
  process.exit(1);
}

await main().catch(fail);
