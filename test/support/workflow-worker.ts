// Runs the real workflow code against a real Temporal server, with activities that a test scripts.
import { NativeConnection, type Worker } from '@temporalio/worker';
import type { Activities } from '../../activities/create-activities.ts';
import { sharedWorkflowBundle } from './workflow-bundle.ts';
import { createWorkers, runWorkers, stopWorkers } from '../../worker/run-worker.ts';
import { pino } from 'pino';
import { installRuntime } from '../../worker/telemetry.ts';
import type { TestTemporal } from './temporal.ts';

export interface ScriptedWorker {
  stop: () => Promise<void>;
}

// Vitest runs each file in a process of its own, so this happens once. The SDK's log lines are not a test's result.
installRuntime(pino({ level: 'silent' }));

/** Activities that a test does not script fail the workflow task's attempt, and so the test, loudly. */
export async function startScriptedWorker(
  temporal: TestTemporal,
  activities: Partial<Activities>,
): Promise<ScriptedWorker> {
  const connection = await NativeConnection.connect({ address: temporal.address });
  const bundlePath = await sharedWorkflowBundle();
  const workers: Worker[] = await createWorkers({
    connection,
    namespace: temporal.namespace,
    // A worker runs the activities it has; the test scripts those that its workflows call.
    activities: activities as Activities,
    bundlePath,
  });
  const running = runWorkers(workers);
  return {
    stop: async () => {
      stopWorkers(workers);
      await running;
      await connection.close();
    },
  };
}
