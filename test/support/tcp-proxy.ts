// A TCP proxy that a test can pause, cut or silence.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface TcpProxy {
  /** host:port */
  address: string;
  /** Holds all data back. */
  pause: () => void;
  /** Breaks every connection, and the held data are lost. New connections work. */
  sever: () => void;
  /**
   * Drops all data of the existing connections, also their end, so both sides see an open connection that is silent for ever.
   * With `newOnes`, the same happens to connections that are made until `heal`.
   */
  silence: (options: { newOnes: boolean }) => void;
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
      from.on('data', (chunk) => unlessSilent(() => void to.write(chunk)));
      from.on('end', () => unlessSilent(() => to.end()));
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
