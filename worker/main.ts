// The worker process: reads settings, connects, runs both workers, and drains on SIGTERM or SIGINT.
import { Client, Connection } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createActivities } from '../activities/create-activities.ts';
import { createAttemptsUnderWay } from '../activities/deliveries/attempts-under-way.ts';
import { openBlobStore } from '../activities/blobs/open-blob-store.ts';
import { timedBlobs } from '../activities/blobs/timed-blobs.ts';
import { connectTemporal, temporalConnectionOptions } from '../outbound/connect-temporal.ts';
import { containFaults } from '../outbound/contain-faults.ts';
import { takeOverConsole } from '../outbound/log-output.ts';
import { createGuard } from '../outbound/guard.ts';
import { sealingOptions } from '../outbound/payload-codec.ts';
import { createOriginTurns } from '../activities/fetch/origin-turns.ts';
import { parseConfig } from '../core/config.ts';
import type { AllowedNetworks } from '../core/network/address-policy.ts';
import { parseNat64Prefixes } from '../core/network/nat64.ts';
import { readReach } from '../core/network/reach.ts';
import { openDatabase } from '../db/driver/knex.ts';
import { assertMigrated } from '../db/migrate.ts';
import { watchFleet } from '../db/upkeep/fleet-state.ts';
import { joinWorkers } from '../db/upkeep/present-workers.ts';
import { beginCounters } from '../telemetry/checks.ts';
import { observeFleet } from '../telemetry/fleet.ts';
import { observePools } from '../telemetry/pools.ts';
import { startMetrics } from '../telemetry/start-metrics.ts';
import { startTraces } from '../telemetry/start-traces.ts';
import { tracedClient } from '../telemetry/trace-temporal.ts';
import { workflowBundle } from './bundle.ts';
import { keepSpoolClear } from './clear-spool.ts';
import { deploymentOptions } from './deployment.ts';
import { createLog } from './log.ts';
import { ensureSchedules, registerSearchAttributes } from './prepare-namespace.ts';
import { createWorkers, runWorkers, SHUTDOWN_GRACE_MS, stopWorkers } from './run-worker.ts';
import { installRuntime } from './telemetry.ts';

/** Committing the largest bodies takes minutes. */
const STATEMENT_TIMEOUT_MS = 30 * 60_000;
/** The process exits this long after a signal, even if something hangs. */
const END_WITHIN_MS = 25_000;

const log = createLog('info');
takeOverConsole(log);
containFaults(log);
const config = parseConfig(process.env);
log.level = config.logLevel;
const deployment = deploymentOptions(config);
const metrics = await startMetrics({ serviceName: 'recordwatch-worker', config });
beginCounters();
const traces = await startTraces({ serviceName: 'recordwatch-worker', config });
installRuntime(log, config);

const db = openDatabase(config.databaseUrl, {
  poolSize: config.databasePoolSize,
  statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  applicationName: 'worker',
  patienceMs: config.databasePatienceSeconds * 1_000,
  report: (words) => log.warn(words),
});
await assertMigrated(db);
observePools({ worker: db });
const fleet = metrics.isOn
  ? watchFleet(db, {
      everyMs: config.fleetMetricsSeconds * 1_000,
      onError: (err) => log.warn({ err }, 'the state of the fleet could not be read'),
    })
  : undefined;
observeFleet(() => fleet?.latest());
const spoolDir = join(config.home, 'spool');
await mkdir(spoolDir, { recursive: true });
keepSpoolClear(spoolDir, (err) => log.warn({ err }, 'the spool folder could not be cleared'));

const connection = await connectTemporal(config, (options) => NativeConnection.connect(options), log);
const clientConnection = await Connection.connect(temporalConnectionOptions(config));
await registerSearchAttributes(clientConnection, config.temporalNamespace);
const sealing = sealingOptions(config);
const temporal = new Client({
  connection: clientConnection,
  namespace: config.temporalNamespace,
  ...sealing,
  ...(traces.isOn ? { interceptors: tracedClient } : {}),
});

const ending = new AbortController();
const reach = readReach(config);
const guardOf = (allowed: AllowedNetworks) =>
  createGuard(allowed, {
    nat64: parseNat64Prefixes(config.nat64Prefixes),
    report: (failed) => log.warn(failed, 'no connection was made'),
  });
const present = await joinWorkers(db, (err) => log.warn({ err }, 'the number of workers could not be read'));
const underWay = createAttemptsUnderWay({ db, log });
const activities = createActivities({
  db,
  underWay,
  blobs: timedBlobs(openBlobStore(config.blobStore, config.home)),
  guard: guardOf(reach.account),
  anonymousGuard: guardOf(reach.anonymous),
  turns: createOriginTurns({
    spacingMs: config.originSpacingSeconds * 1_000,
    atOnce: config.originConcurrency,
    workers: present.count,
  }),
  config,
  log,
  temporal,
  spoolDir,
  ending: ending.signal,
});
const workers = await createWorkers({
  connection,
  namespace: config.temporalNamespace,
  activities,
  bundlePath: await workflowBundle(join(config.home, 'cache'), sealing.dataConverter !== undefined),
  deployment,
  isTraced: traces.isOn,
  isFair: config.temporalFairness,
  ...sealing,
});
await ensureSchedules(temporal);

function end(): void {
  underWay.close();
  stopWorkers(workers);
  setTimeout(() => ending.abort(new Error('This worker ends')), SHUTDOWN_GRACE_MS).unref();
  setTimeout(() => {
    log.fatal('not everything ended in time; another worker repeats the rest');
    process.exit(1);
  }, END_WITHIN_MS).unref();
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, end);
const running = runWorkers(workers, (err) => {
  log.fatal({ err }, 'a worker failed');
  end();
});
log.info('ready');
try {
  await running;
} finally {
  // Attempts that are under way are recorded, also after a worker has failed.
  await underWay.ended();
  await present.leave();
  fleet?.close();
  await Promise.allSettled([
    connection.close(),
    clientConnection.close(),
    db.destroy(),
    metrics.shutdown(),
    traces.shutdown(),
  ]);
}
