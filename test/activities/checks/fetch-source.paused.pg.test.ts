// A worker that was stopped during a fetch, as by SIGSTOP or on a machine without memory, and blames no origin.
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { useWatchedRecords } from '../../support/checks/watched-records.ts';

const { bench, lastCheck } = useWatchedRecords();

let server: Server;
let answer: (response: ServerResponse) => unknown;

beforeAll(async () => {
  server = createServer((_request, response) => answer(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterEach(() => void vi.restoreAllMocks());
afterAll(() => server.close());

async function watch(): Promise<string> {
  answer = (response) => response.end('id,name\n1,Ann\n');
  const id = await bench().makeRecord({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${Math.random()}`,
  });
  await bench().check(id);
  return id;
}

/** As if nothing had run for so long. */
function pause(ms: number): void {
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + ms);
}

it.each([
  ['a connection that is closed', (response: ServerResponse) => response.destroy()],
  ['a body that ends early', (response: ServerResponse) => cutOff(response)],
])('regression: %s meanwhile is no failure of the origin', async (_what, act) => {
  const id = await watch();
  const before = await lastCheck(id);
  answer = (response) => {
    pause(60_000);
    act(response);
  };
  const input = bench().newCheck(id);
  const checking = bench().run(({ fetchSource }) => fetchSource(input));
  await expect(checking).rejects.toThrow('The process was stopped during the fetch');
  expect(await lastCheck(id)).toEqual(before);
});

it('an answer of the origin counts, however late it is read', async () => {
  const id = await watch();
  answer = (response) => {
    pause(60_000);
    response.writeHead(500).end();
  };
  await bench().check(id);
  expect(await lastCheck(id)).toMatchObject({ outcome: 'failed', code: 'http_error' });
});

it('without a pause, a closed connection is a failure of the origin', async () => {
  const id = await watch();
  answer = (response) => response.destroy();
  await bench().check(id);
  expect(await lastCheck(id)).toMatchObject({ outcome: 'failed', code: 'origin_unreachable' });
});

function cutOff(response: ServerResponse): void {
  response.writeHead(200, { 'content-length': '1000' });
  response.write('id,name\n1,Ann\n', () => response.destroy());
}
