// `recordwatch login` through the browser at a service that loses its answers.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { askInBrowser } from '../../../../cli/service/access/ask-in-browser.ts';

const LIFE_MS = 600_000;

/** A service that starts logins, and answers their collections in turn. */
async function startService(
  collections: ((request: IncomingMessage, response: ServerResponse) => void)[],
): Promise<string> {
  const server = createServer((request, response) => {
    if (request.url !== '/v1/key-requests') return collections.shift()?.(request, response);
    const started = {
      deviceSecret: 's',
      userCode: 'AAAA-BBBB',
      verificationUrl: 'http://127.0.0.1/',
      expiresAt: '',
    };
    const times = { expiresInSeconds: LIFE_MS / 1_000, intervalSeconds: 0 };
    return response
      .writeHead(201, { 'content-type': 'application/json' })
      .end(JSON.stringify({ ...started, ...times }));
  }).listen(0, '127.0.0.1');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeEach(() => void vi.spyOn(console, 'error').mockReturnValue());
afterEach(() => vi.restoreAllMocks());

const ADVICE =
  /^If the dashboard shows a new key “recordwatch on [\w.-]+” under Developer, revoke it\. Then run “recordwatch login”/;

it('regression: does not say that nobody allowed a login whose key was made and got lost', async () => {
  const problem = {
    type: 'about:blank',
    title: 'Not found',
    status: 404,
    code: 'not_found',
    detail: 'No request.',
  };
  const collections = [
    (request: IncomingMessage) => void request.socket.destroy(),
    (_request: IncomingMessage, response: ServerResponse) =>
      void response
        .writeHead(404, { 'content-type': 'application/problem+json' })
        .end(JSON.stringify(problem)),
  ];
  await expect(askInBrowser(await startService(collections), { browser: false })).rejects.toMatchObject({
    message: expect.stringMatching(/^The service has no such login any more\. Its key may have been made/),
    advice: expect.stringMatching(ADVICE),
  });
  expect(collections).toEqual([]);
});

it('regression: says at the end of its time that a key may have been made whose answer is missing', async () => {
  const time = new AbortController();
  const other = new AbortController();
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => (ms === LIFE_MS ? time : other).signal);
  const url = await startService([() => time.abort()]);
  await expect(askInBrowser(url, { browser: false })).rejects.toMatchObject({
    message: expect.stringMatching(/^The service did not answer in the time.* Its key may have been made/),
    advice: expect.stringMatching(ADVICE),
  });
});

it('regression: goes on after a proxy’s own 404', async () => {
  const collected = { status: 'allowed', key: 'cat_live_1', intervalSeconds: 0, expiresAt: '' };
  const collections = [
    (_request: IncomingMessage, response: ServerResponse) =>
      void response.writeHead(404).end('404 page not found'),
    (_request: IncomingMessage, response: ServerResponse) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(collected)),
  ];
  expect(await askInBrowser(await startService(collections), { browser: false })).toBe('cat_live_1');
  expect(vi.mocked(console.error).mock.calls.flat().slice(1)).toEqual([
    'No answer (another server’s answer, status 404). Trying again.',
    'The service answers again.',
  ]);
});
