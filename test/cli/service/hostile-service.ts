// A service whose answers have a text that commands a terminal.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** It clears the screen. */
export const HOSTILE = 'a\u001b[2J';
export const ESCAPED = String.raw`a\u001b[2J`;

/** @param answers by the end of the path; an unanswered request stays open @returns the environment of its user */
export async function startHostileService(answers: Record<string, object[]>): Promise<NodeJS.ProcessEnv> {
  const server = createServer(({ url = '' }, response) => {
    const [path = ''] = url.split('?');
    const [, queue] = Object.entries(answers).find(([end]) => path.endsWith(end)) ?? [];
    const answer = queue?.shift();
    if (answer === undefined) return;
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // A server that listens on TCP has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  return { RECORDWATCH_URL: `http://127.0.0.1:${port}`, RECORDWATCH_API_KEY: 'cat_live_1' };
}
