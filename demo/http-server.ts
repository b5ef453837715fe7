// Starts and ends the demonstration's small HTTP servers.
import type { Server } from 'node:http';

/**
 * Listens on 127.0.0.1; port 0 takes any free one.
 * @returns the port
 * @throws Error when the port is taken
 */
export async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host: '127.0.0.1' }, () => resolve());
  });
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

/** Ends a server together with its open connections. */
export async function close(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
