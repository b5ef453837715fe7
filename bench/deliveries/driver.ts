// Has first attempts made by the worker of `npm start`: workflows of this measurement, on a task queue of their own.
import { fileURLToPath } from 'node:url';
import type { Client } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { createLog } from '../../worker/log.ts';
import { installRuntime } from '../../worker/telemetry.ts';
import type { System } from '../system.ts';

const TASK_QUEUE = 'bench-deliveries';

export interface Driver {
  /** Comes back when the deliveries of these checks were attempted and recorded. */
  drive: (checkIds: readonly string[]) => Promise<void>;
  close: () => Promise<void>;
}

export async function openDriver({ dev }: System, temporal: Client): Promise<Driver> {
  installRuntime(createLog('warn'));
  const connection = await NativeConnection.connect({ address: dev.temporalAddress });
  const worker = await Worker.create({
    connection,
    namespace: dev.temporalNamespace,
    taskQueue: TASK_QUEUE,
    workflowsPath: fileURLToPath(new URL('drive-workflow.ts', import.meta.url)),
  });
  const running = worker.run();
  let count = 0;
  return {
    drive: async (checkIds) => {
      count += 1;
      await temporal.workflow.execute('driveDeliveries', {
        workflowId: `drive-${count}`,
        taskQueue: TASK_QUEUE,
        args: [checkIds],
      });
    },
    close: async () => {
      worker.shutdown();
      await running;
      await connection.close();
    },
  };
}
