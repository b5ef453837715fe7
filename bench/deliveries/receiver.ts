// Controls the receiver's process for a measurement.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ReceiverAnswer, ReceiverMode, ReceiverOrder } from './receiver-process.ts';

export interface Receiver {
  url: string;
  set: (mode: Partial<ReceiverMode>) => void;
  /** What has arrived since this was asked last. */
  read: () => Promise<{ path: string; latencyMs: number }[]>;
  close: () => void;
}

export async function startReceiver(): Promise<Receiver> {
  const child = fork(fileURLToPath(new URL('receiver-process.ts', import.meta.url)));
  const hear = async (): Promise<ReceiverAnswer> => {
    // Sent by receiver-process.ts.
    const [answer]: ReceiverAnswer[] = await once(child, 'message');
    if (answer === undefined) throw new Error('The receiver has nothing to say');
    return answer;
  };
  const first = await hear();
  const tell = (order: ReceiverOrder): void => void child.send(order);
  return {
    url: `http://127.0.0.1:${'port' in first ? first.port : 0}`,
    set: (mode) => tell({ status: 204, hangingPath: null, ...mode }),
    read: async () => {
      const answer = hear();
      tell('read');
      const heard = await answer;
      return 'arrivals' in heard ? heard.arrivals : [];
    },
    close: () => child.disconnect(),
  };
}
