// A service that takes a connection and says nothing.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { ENDLESS, openClient } from '../../../../cli/service/calls/open-client.ts';
import { until } from '../../../support/until.ts';

const sockets: Socket[] = [];
const server = createServer((socket) => void sockets.push(socket.on('error', () => undefined)));
let url = '';
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on TCP has an AddressInfo.
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
});

const said: string[] = [];
beforeEach(() => {
  said.length = 0;
  vi.spyOn(console, 'error').mockImplementation((words: string) => void said.push(words));
});
afterEach(() => vi.restoreAllMocks());

it('regression: is told after the first attempt, and given up after the last', async () => {
  const onOutage = vi.fn<(why: unknown) => void>();
  const client = openClient({ url }, { maxRetries: 1, timeoutMs: 50, onOutage });
  await expect(client.records.list().page()).rejects.toThrow('No answer within 0.05 seconds.');
  expect(onOutage.mock.calls).toEqual([[{ words: 'No answer within 0.05 seconds.', isSilence: true }]]);
});

it('regression: is told while a command follows the feed, and an end by the user is no outage', async () => {
  const ended = new AbortController();
  const client = openClient({ url }, { ...ENDLESS, timeoutMs: 50 });
  const listed = client.records.list({}, { signal: ended.signal }).page();
  await until('it is told', () => said.length > 0);
  ended.abort(new Error('enough'));
  await expect(listed).rejects.toThrow('enough');
  expect(said).toEqual(['No answer within 0.05 seconds. Trying again.']);
});
