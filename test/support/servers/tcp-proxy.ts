// A TCP proxy that a test can pause, slow down, cut or silence.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export interface TcpProxy {
  /** host:port */
  address: string;
  /** Holds all data back. */
  pause: () => void;
  /** Breaks every connection, and the held data are lost. New connections work. */
  sever: () => void;
  /**
   * Drops all data of the existing connections, also their end, so both sides see an open connection that stays silent.
   * With `newOnes`, the same happens to connections that are made until `heal`.
   */
  silence: (options: { newOnes: boolean }) => void;
  /** Delays all data by this long, in each direction. 0: no more. */
  slowDown: (delayMs: number) => void;
  /** New connections work again. */
  heal: () => void;
  close: () => Promise<void>;
}

export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const [host = '', port = ''] = target.split(':');
  const sockets = new Set<Socket>();
  const silent = new WeakSet<Socket>();
  let isPaused = false;
  let isSilent = false;
  let delayMs = 0;
  const server = createServer({ allowHalfOpen: true }, (inner) => {
    const outer = connect({ port: Number(port), host, allowHalfOpen: true });
    for (const [from, to] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      const unlessSilent = (pass: () => void): void => (silent.has(from) ? undefined : pass());
      sockets.add(from);
      if (isSilent) silent.add(from);
      if (isPaused) from.pause();
      const later = inOrder(() => delayMs);
      from.on('data', (chunk) => unlessSilent(() => later(() => void to.write(chunk))));
      from.on('end', () => unlessSilent(() => later(() => to.end())));
      from.on('error', () => unlessSilent(() => to.destroy()));
      from.on('close', () => {
        sockets.delete(from);
        unlessSilent(() => to.destroy());
      });
    }
    if (isPaused) for (const socket of [inner, outer]) socket.pause();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const destroyAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    // A server that listens on TCP has an AddressInfo.
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    pause: () => {
      isPaused = true;
      for (const socket of sockets) socket.pause();
    },
    sever: () => {
      isPaused = false;
      destroyAll();
    },
    silence: ({ newOnes }) => {
      isSilent = newOnes;
      for (const socket of sockets) silent.add(socket);
    },
    slowDown: (ms) => {
      delayMs = ms;
    },
    heal: () => {
      isSilent = false;
    },
    close: async () => {
      server.close();
      destroyAll();
      await once(server, 'close');
    },
  };
}

/** Does things after a delay that may change, and never one before another. */
function inOrder(delayMs: () => number): (act: () => void) => void {
  let waiting = Promise.resolve();
  let count = 0;
  const actAfter = async (before: Promise<void>, dueMs: number, act: () => void): Promise<void> => {
    await before;
    await pause(Math.max(0, dueMs - performance.now()));
    count -= 1;
    act();
  };
  return (act) => {
    // Nothing waits, so no time is lost.
    if (delayMs() === 0 && count === 0) return act();
    count += 1;
    waiting = actAfter(waiting, performance.now() + delayMs(), act);
    return undefined;
  };
}
