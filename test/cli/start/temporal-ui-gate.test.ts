// The gate before Temporal's UI, with a server in its place.
import { createServer, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { openUiGate } from '../../../cli/start/temporal-ui-gate.ts';
import { close, listen } from '../../../demo/http-server.ts';
import { freePort } from '../../support/servers/free-port.ts';

const asked: string[] = [];

/** A UI that answers every Host. @returns the gate's port */
async function openGate(): Promise<string> {
  asked.length = 0;
  const ui = createServer((incoming, answer) => {
    asked.push(`${incoming.method} ${incoming.url}`);
    void text(incoming).then((body) =>
      answer.writeHead(201, { 'set-cookie': ['_csrf=1', 'b=2'] }).end(`said ${body}`),
    );
  });
  const gate = await openUiGate(0, await listen(ui, 0));
  onTestFinished(async () => {
    await gate.close();
    await close(ui);
  });
  return new URL(gate.url).port;
}

interface Answer {
  status: number | undefined;
  cookies: string[] | undefined;
  body: string;
}

const send = (port: string | number, host: string): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path: '/api/v1/namespaces?a=%2F', method: 'POST' };
    request({ ...options, headers: { host } }, (response) => {
      const { statusCode: status, headers } = response;
      void text(response).then((body) => resolve({ status, cookies: headers['set-cookie'], body }));
    })
      .once('error', reject)
      .end('hello');
  });

it.each(['127.0.0.1', 'localhost', 'LOCALHOST', 'temporal.localhost', '[::1]'])(
  'passes a request to %s on, on any port, and its answer back',
  async (name) => {
    const port = await openGate();
    const answer = { status: 201, cookies: ['_csrf=1', 'b=2'], body: 'said hello' };
    expect(await send(port, `${name}:${port}`)).toEqual(answer);
    // Through a tunnel.
    expect(await send(port, `${name}:9000`)).toEqual(answer);
    expect(asked).toEqual(Array.from({ length: 2 }, () => 'POST /api/v1/namespaces?a=%2F'));
  },
);

it.each(['evil.example', '127.0.0.1.evil.example', 'localhost.evil.example', '10.0.0.1', '['])(
  'regression: refuses a request to the host “%s”, which a web page may have pointed at this machine',
  async (name) => {
    const port = await openGate();
    expect(await send(port, name)).toMatchObject({ status: 421 });
    expect(asked).toEqual([]);
  },
);

it('says that the UI does not answer', async () => {
  const gate = await openUiGate(0, await freePort());
  onTestFinished(gate.close);
  expect(await send(new URL(gate.url).port, 'localhost')).toMatchObject({ status: 502 });
});
