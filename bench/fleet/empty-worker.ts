// A worker process whose activities do nothing: they return at once what those of an unchanged check return. The parent
// process controls it by messages.
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { NativeConnection } from '@temporalio/worker';
import { join } from 'node:path';
import { parseConfig } from '../../core/config.ts';
import { workflowBundle } from '../../worker/bundle.ts';
import { connectTemporal } from '../../outbound/connect-temporal.ts';
import { createLog } from '../../worker/log.ts';
import { createWorkers, runWorkers, stopWorkers } from '../../worker/run-worker.ts';
import { installRuntime } from '../../worker/telemetry.ts';
import { type CommittedCheck, NOTHING_NEW, type RecordAttributes } from '../../workflows/contract.ts';
import { CHECK_EVERY, CHECK_EVERY_MS } from './fleet.ts';

export type Order = 'start' | 'rest' | 'count';
export type Answer = { kind: 'ready' } | { kind: 'count'; checksDone: number };

const config = parseConfig(process.env);
const log = createLog(config.logLevel);
installRuntime(log);

const checkEveryMs = Number(process.env[CHECK_EVERY] ?? CHECK_EVERY_MS);
let isResting = true;
let checksDone = 0;

const attributes: RecordAttributes = {
  status: 'active',
  accountId: 'acc_0199c1e2f3a47c5d9e8f7a6b5c4d3e2f',
  slug: 'src-0199c1e2f3a47c5d9e8f7a6b5c4d3e2f',
  originHost: '127.0.0.1:40000',
  consecutiveFailures: 0,
};

const plan = (): CommittedCheck['plan'] =>
  isResting ? { kind: 'paused' } : { kind: 'check', inMs: checkEveryMs };

const unused = (): Promise<never> => Promise.reject(new Error('An unchanged check calls no such activity'));

const connection = await connectTemporal(config, (options) => NativeConnection.connect(options), log);
const workers = await createWorkers({
  connection,
  namespace: config.temporalNamespace,
  bundlePath: await workflowBundle(join(config.home, 'cache')),
  activities: {
    planCheck: () => Promise.resolve({ plan: plan(), attributes }),
    fetchSource: () => {
      checksDone += 1;
      const words = 'Unchanged: 200 rows, status 304.';
      return Promise.resolve({ kind: 'committed', plan: plan(), attributes, words, deliver: null });
    },
    pollSource: () => {
      if (isResting) return Promise.resolve({ kind: 'stale' });
      checksDone += 1;
      return Promise.reject(
        ApplicationFailure.create({
          type: NOTHING_NEW,
          message: 'Unchanged: 200 rows, status 304.',
          nextRetryDelay: checkEveryMs,
          category: ApplicationFailureCategory.BENIGN,
        }),
      );
    },
    recordDelta: unused,
    settleRecord: unused,
    previewRecord: unused,
    previewRule: unused,
    recordFailedCheck: unused,
    attemptDeliveries: unused,
    attemptDelivery: unused,
    sendBacklogBatch: unused,
    eraseRecord: unused,
    reconcile: unused,
    pruneHistory: unused,
  },
});

const answer = (message: Answer): void => void process.send?.(message);
process.on('message', (order: Order) => {
  if (order === 'count') answer({ kind: 'count', checksDone });
  else isResting = order === 'rest';
});
process.once('disconnect', () => stopWorkers(workers));
const running = runWorkers(workers, () => stopWorkers(workers));
answer({ kind: 'ready' });
await running;
await connection.close();
