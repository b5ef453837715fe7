// Runs the real workflow code against a real Temporal server, with activities that a test scripts.
import { NativeConnection, type Worker } from '@temporalio/worker';
import type { Activities } from '../../../activities/create-activities.ts';
import { sharedWorkflowBundle } from './workflow-bundle.ts';
import { createWorkers, runWorkers, stopWorkers } from '../../../worker/run-worker.ts';
import { pino } from 'pino';
import { installRuntime } from '../../../worker/telemetry.ts';
import type { TestTemporal } from '../servers/temporal.ts';

export interface ScriptedWorker {
  stop: () => Promise<void>;
}

let isInstalled = false;

/** Turns off the SDK's log lines. Test files share a process, and the SDK keeps these options when it restarts its runtime. */
export function silenceRuntime(): void {
  if (!isInstalled) installRuntime(pino({ level: 'silent' }));
  isInstalled = true;
}

/** A call of an activity that a test does not script fails, and with it the test. */
export async function startScriptedWorker(
  temporal: TestTemporal,
  activities: Partial<Activities>,
): Promise<ScriptedWorker> {
  silenceRuntime();
  const connection = await NativeConnection.connect({ address: temporal.address });
  const bundlePath = await sharedWorkflowBundle();
  const workers: Worker[] = await createWorkers({
    connection,
    namespace: temporal.namespace,
    // A worker needs only the activities that its workflows call, and the test scripts those.
    activities: activities as Activities,
    bundlePath,
  });
  const running = runWorkers(workers, () => stopWorkers(workers));
  return {
    stop: async () => {
      stopWorkers(workers);
      await running;
      await connection.close();
    },
  };
}
