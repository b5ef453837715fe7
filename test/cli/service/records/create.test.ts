// What `recordwatch records create` sends for each option.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { Command } from 'commander';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { withReadingOptions } from '../../../../cli/diff/reading-options.ts';
import { runInProcess } from '../../../support/servers/run-in-process.ts';

const URL_OF_PRICES = 'https://example.com/prices.csv';

let sent: unknown;
const server = createServer((request, response) => void refuse(request, response));
async function refuse(request: IncomingMessage, response: ServerResponse): Promise<void> {
  sent = await json(request);
  response.writeHead(422).end('{"code":"validation_failed","detail":"enough"}');
}
let env: NodeJS.ProcessEnv = {};
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on TCP has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  env = { RECORDWATCH_URL: `http://127.0.0.1:${port}`, RECORDWATCH_API_KEY: 'cat_live_1' };
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** An option for reading, with a value, and what it makes of the body. */
const OPTIONS: readonly (readonly [args: readonly string[], body: object])[] = [
  [['--key', 'id,"a,b"'], { keyFields: ['id', 'a,b'] }],
  [['--ignore', 'seen'], { ignoreFields: ['seen'] }],
  [['--input', 'json'], { format: 'json' }],
  [['--delimiter', ';'], { delimiter: ';' }],
  [['--rows-path', 'data.items'], { rowsPath: 'data.items' }],
  [['--header-row', '2'], { headerRow: 2 }],
  [['--quoting', 'none'], { quoting: 'none' }],
  [['--pair'], { pairing: 'similarity' }],
];

it.each(OPTIONS)('regression: no option is ignored: %j', async (args, body) => {
  const { stderr } = await runInProcess(['records', 'create', URL_OF_PRICES, ...args], env);
  expect(stderr).toMatch(/^recordwatch: enough \(validation_failed\)/);
  expect(sent).toEqual({ url: URL_OF_PRICES, ...body });
});

it('regression: leaves it to the service how long an interval may be', async () => {
  await runInProcess(['records', 'create', URL_OF_PRICES, '--every', '30d'], env);
  expect(sent).toEqual({ url: URL_OF_PRICES, checkIntervalMinutes: 43_200 });
});

it('covers each option for reading', () => {
  const names = withReadingOptions(new Command()).options.map(({ long }) => long);
  expect(OPTIONS.map(([[name]]) => name)).toEqual(names);
});
