// Requests that the HTTP parser refuses: they get a problem document like other errors, and the connection closes.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { API_ERRORS } from '../../../core/errors.ts';
import { useApi } from '../../support/api/api.ts';
import { until } from '../../support/until.ts';

const api = useApi();
const secret = 'cat_live_000000000000000000000000000000000000';
let port = 0;

beforeAll(async () => {
  port = Number(new URL(await api.app.listen({ host: '127.0.0.1', port: 0 })).port);
});

async function readToEnd(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  // A reset after the answer counts as the end too.
  socket.on('error', () => undefined);
  await once(socket, 'close');
  return Buffer.concat(chunks).toString();
}

function send(text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(text);
  return readToEnd(socket);
}

interface Refusal {
  status: number;
  headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read answers untyped
  body: any;
}

function parse(message: string): Refusal {
  const [head = '', body = ''] = message.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = new Headers(lines.map((line) => line.split(': ') as [string, string]));
  expect(Number(headers.get('content-length'))).toBe(Buffer.byteLength(body));
  return { status: Number(statusLine.split(' ')[1]), headers, body: JSON.parse(body) };
}

describe('a refusal', () => {
  it.each([
    ['no HTTP', 'NONSENSE\r\n\r\n', 'bad_request'],
    ['another protocol', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 'bad_request'],
    ['a bad version', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n', 'bad_request'],
    ['a space in a name', 'GET / HTTP/1.1\r\nHost: x\r\nBad Header: 1\r\n\r\n', 'bad_request'],
    ['a folded header', 'GET / HTTP/1.1\r\nHost: x\r\nA: 1\r\n b\rc\r\n\r\n', 'bad_request'],
    [
      'two lengths',
      'POST /v1/sources HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}',
      'bad_request',
    ],
    [
      'a length beside chunks',
      'POST /v1/sources HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      'bad_request',
    ],
    [
      'chunks that are not the last coding',
      'POST /v1/sources HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n',
      'bad_request',
    ],
    ['a large header', `GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`, 'headers_too_large'],
    ['a long path', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 'headers_too_large'],
    ['many headers', `GET / HTTP/1.1\r\nHost: x\r\n${'A: 1\r\n'.repeat(4_000)}\r\n`, 'headers_too_large'],
  ] as const)('of %s is a problem document', async (_, text, code) => {
    const { status, headers, body } = parse(await send(text));
    expect(status).toBe(API_ERRORS[code].status);
    expect(body).toMatchObject({ code, status, title: API_ERRORS[code].title });
    expect(body.requestId).toBe(headers.get('x-request-id'));
    expect(headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(headers.get('connection')).toBe('close');
    expect(headers.get('cache-control')).toBe('no-store');
    const line = await until('it is logged', () =>
      api.logLines.find((each) => each.includes(body.requestId)),
    );
    expect(JSON.parse(line)).toMatchObject({ status, msg: 'refused below HTTP' });
  });

  it('repeats and logs no part of the request', async () => {
    api.logLines.length = 0;
    const answer = await send(
      `GET /v1/mcp?token=${secret} HTTP/9.9\r\nAuthorization: Bearer ${secret}\r\n\r\n`,
    );
    expect(parse(answer).body.code).toBe('bad_request');
    expect(answer).not.toContain(secret);
    expect(api.logLines.join('')).not.toContain(secret);
    expect(api.logLines.join('')).not.toContain('rawPacket');
  });

  it('follows a response on the same connection, and closes it', async () => {
    const text = await send('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nNONSENSE\r\n\r\n');
    expect(text.match(/HTTP\/1\.1 \d+/g)?.at(-1)).toBe('HTTP/1.1 400');
  });
});

it('a body that is too large is refused without being read', async () => {
  const head =
    `POST /v1/sources HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.fullKey}\r\n` +
    'Content-Type: application/json\r\nContent-Length: 100000000\r\n\r\n';
  const socket = connect(port, '127.0.0.1');
  socket.write(head);
  const [answer] = await once(socket, 'data');
  expect(parse(String(answer)).body).toMatchObject({ status: 413, code: 'body_too_large' });
  socket.destroy();
});

it('a body without end is refused when it becomes too large', async () => {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(
    `POST /v1/sources HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.fullKey}\r\n` +
      'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
  );
  for (let sent = 0; sent < 5; sent += 1) socket.write(`10000\r\n${' '.repeat(65_536)}\r\n`);
  const [answer] = await once(socket, 'data');
  expect(parse(String(answer)).body).toMatchObject({ status: 413, code: 'body_too_large' });
  socket.destroy();
});

it('a request id that would split a header is never parsed', async () => {
  const text = await send(
    'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Request-Id: a\\r\\nX-Bad: 1\r\n\r\n',
  );
  expect(text).toMatch(/^x-request-id: [0-9a-f-]{36}\r$/im);
  expect(text).not.toMatch(/^x-bad/im);
});
