// Makes the worker of `npm start` send first attempts: runs workflows of the bench on a task queue of its own.
import { fileURLToPath } from 'node:url';
import type { Client } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { createLog } from '../../worker/log.ts';
import { installRuntime } from '../../worker/telemetry.ts';
import type { System } from '../system.ts';
import { committed, type driveArrivals, finish } from './drive-workflow.ts';

const TASK_QUEUE = 'bench-deliveries';

export interface Driver {
  /** Comes back when the deliveries of these checks were attempted and recorded. */
  drive: (checkIds: readonly string[]) => Promise<void>;
  /** Workflows that run already and are told of checks one by one, in turn: starting one for each would be measured too. */
  openArrivals: () => Promise<Arrivals>;
  close: () => Promise<void>;
}

interface Arrivals {
  arrive: (checkId: string) => Promise<void>;
  /** Comes back when the deliveries of all were attempted and recorded. */
  end: () => Promise<void>;
}

/** As many as there are events under way at once in the other measurements. */
const ARRIVAL_LANES = 16;

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
    openArrivals: async () => {
      count += 1;
      const lanes = await Promise.all(
        Array.from({ length: ARRIVAL_LANES }, (_, lane) =>
          temporal.workflow.start<typeof driveArrivals>('driveArrivals', {
            workflowId: `arrivals-${count}-${lane}`,
            taskQueue: TASK_QUEUE,
          }),
        ),
      );
      let turn = 0;
      return {
        arrive: async (checkId) => {
          turn += 1;
          await lanes[turn % ARRIVAL_LANES]?.signal(committed, checkId);
        },
        end: async () => {
          await Promise.all(lanes.map((lane) => lane.signal(finish)));
          await Promise.all(lanes.map((lane) => lane.result()));
        },
      };
    },
    close: async () => {
      worker.shutdown();
      await running;
      await connection.close();
    },
  };
}
