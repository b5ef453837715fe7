// A way to a server that a test can hold up: while it is paused, nothing passes.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface TcpProxy {
  /** host:port */
  address: string;
  pause: () => void;
  /** Breaks every connection: what was held up is lost. New ones pass. */
  sever: () => void;
  close: () => Promise<void>;
}

export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const [host = '', port = ''] = target.split(':');
  const sockets = new Set<Socket>();
  let isPaused = false;
  const server = createServer((inner) => {
    const outer = connect(Number(port), host);
    for (const [from, to] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      sockets.add(from);
      if (isPaused) from.pause();
      from.on('data', (chunk) => to.write(chunk));
      from.on('end', () => to.end());
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
    if (isPaused) for (const socket of [inner, outer]) socket.pause();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    // A listening TCP server has an address of this kind.
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    pause: () => {
      isPaused = true;
      for (const socket of sockets) socket.pause();
    },
    sever: () => {
      isPaused = false;
      for (const socket of sockets) socket.destroy();
    },
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
