// The fleet for comparison: the same workflow code on the same Temporal server, in a namespace of its own and with a worker
// whose activities do nothing.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Connection } from '@temporalio/client';
import { makeNamespace } from '../make-namespace.ts';
import type { System } from '../system.ts';
import type { Answer, Order } from './empty-worker.ts';
import { awaitRest, CHECK_EVERY, CHECK_EVERY_MS, type Fleet, FLEET_SIZE, wakeAll } from './fleet.ts';

const NAMESPACE = 'empty';

export interface EmptyFleet extends Fleet {
  close: () => Promise<void>;
}

export async function openEmptyFleet(
  system: System,
  connection: Connection,
  { size = FLEET_SIZE, checkEveryMs = CHECK_EVERY_MS } = {},
): Promise<EmptyFleet> {
  const temporal = await makeNamespace(connection, NAMESPACE);
  const worker = fork(fileURLToPath(new URL('empty-worker.ts', import.meta.url)), {
    env: {
      PATH: process.env['PATH'],
      TEMPORAL_ADDRESS: system.dev.temporalAddress,
      TEMPORAL_NAMESPACE: NAMESPACE,
      RECORDWATCH_HOME: system.home,
      LOG_LEVEL: 'warn',
      [CHECK_EVERY]: String(checkEveryMs),
    },
  });
  const hear = listen(worker);
  await hear('ready');
  const ids = Array.from({ length: size }, (_, index) => `empty-${index}`);
  const name = 'empty fleet';
  const tell = async (order: Order) => {
    worker.send(order);
    for (let at = 0; at < size; at += FLEET_SIZE) await wakeAll(temporal, ids.slice(at, at + FLEET_SIZE));
  };
  const checksDone = async () => {
    worker.send('count' satisfies Order);
    return (await hear('count')).checksDone;
  };
  return {
    name,
    workerPid: worker.pid ?? 0,
    start: () => tell('start'),
    rest: async () => {
      await tell('rest');
      await awaitRest({ name, checksDone });
    },
    checksDone,
    close: async () => {
      const exited = once(worker, 'exit');
      worker.disconnect();
      await exited;
    },
  };
}

/** Whom an answer of the worker goes to. */
type Hear = <Kind extends Answer['kind']>(kind: Kind) => Promise<Extract<Answer, { kind: Kind }>>;

function listen(worker: ChildProcess): Hear {
  const died = once(worker, 'exit').then(() => {
    throw new Error('The worker with empty activities has ended');
  });
  died.catch(() => undefined);
  return async (kind) => {
    for (;;) {
      // Sent by empty-worker.ts.
      const [answer]: Answer[] = await Promise.race([once(worker, 'message'), died]);
      if (answer?.kind === kind) return answer as Extract<Answer, { kind: typeof kind }>;
    }
  };
}
