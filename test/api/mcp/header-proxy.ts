// A proxy that adds a credential to every request, for clients that drop the query and cannot set headers.
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HeaderProxy {
  url: string;
  close: () => void;
}

/** @param target base URL */
export async function startHeaderProxy(target: string, authorization: string): Promise<HeaderProxy> {
  const server = createServer((request, response) => {
    const headers = { ...request.headers, authorization };
    const onward = forward(
      new URL(request.url ?? '/', target),
      { method: request.method, headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  // It listens on a port.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
