// Origins that try to crash the worker that fetches from them. Each may fail its own check and nothing else.
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Origin, startOrigin } from '../../support/servers/origin-server.ts';
import { checkAndWait, createRecord, startSystem, type System } from '../../support/servers/system.ts';
import { until } from '../../support/until.ts';

const OK = 'HTTP/1.1 200 OK\r\ncontent-type: text/csv\r\n';
const CSV = `id,name\n${Array.from({ length: 5_000 }, (_, i) => `${i},row ${i}\n`).join('')}`;
const GZIP = gzipSync(CSV);

type Answer = (socket: Socket, write: (text: string | Buffer) => void) => void;

function forever(socket: Socket, text: string | Buffer): void {
  const timer = setInterval(() => socket.writable && socket.write(text), 1);
  socket.on('close', () => clearInterval(timer));
}

const withLength = (more: string, body: string | Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${OK}${more}content-length: ${body.length}\r\n\r\n`), Buffer.from(body)]);

const closing = (socket: Socket, body: string | Buffer): void => void socket.end(body);

/** The behaviour of an origin, and the result of the check: an error code or `good`. */
const ORIGINS: Record<string, [answer: Answer, outcome: string]> = {
  'closes before its headers': [(socket) => socket.end(), 'origin_unreachable'],
  'closes amid its headers': [(socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-'), 'origin_unreachable'],
  'resets before its headers': [(socket) => socket.resetAndDestroy(), 'origin_unreachable'],
  'closes amid its body': [
    (socket) => closing(socket, withLength('', CSV).subarray(0, 20_000)),
    'body_truncated',
  ],
  'resets amid its body': [
    (socket) => socket.write(withLength('', CSV).subarray(0, 20_000), () => socket.resetAndDestroy()),
    'body_truncated',
  ],
  'closes amid its chunks': [
    (socket) => socket.end(`${OK}transfer-encoding: chunked\r\n\r\n5\r\nid,na`),
    'body_truncated',
  ],
  'sends invalid chunks': [
    (_socket, write) => write(`${OK}transfer-encoding: chunked\r\n\r\nxyz\r\nid,na`),
    'body_truncated',
  ],
  'sends a chunk of -1 bytes': [
    (_socket, write) => write(`${OK}transfer-encoding: chunked\r\n\r\n-1\r\nid,na`),
    'body_truncated',
  ],
  'gives two lengths': [
    (_socket, write) => write(`${OK}content-length: 2\r\ncontent-length: 5\r\n\r\nhello`),
    'origin_unreachable',
  ],
  'gives a length and chunks': [
    (_socket, write) => write(`${OK}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`),
    'origin_unreachable',
  ],
  'gives a length that is too short': [
    (socket) => socket.end(`${OK}content-length: 3\r\n\r\nid,name\n1,Ann\n`),
    'good',
  ],
  'sends a damaged gzip': [
    (_socket, write) => write(withLength('content-encoding: gzip\r\n', GZIP.fill(0xff, 20, 40))),
    'unsupported_encoding',
  ],
  'sends text as gzip': [
    (_socket, write) => write(withLength('content-encoding: gzip\r\n', CSV)),
    'unsupported_encoding',
  ],
  'sends text as brotli': [
    (_socket, write) => write(withLength('content-encoding: br\r\n', CSV)),
    'unsupported_encoding',
  ],
  'sends text as zstd, and closes': [
    (socket) => closing(socket, withLength('connection: close\r\ncontent-encoding: zstd\r\n', CSV)),
    'unsupported_encoding',
  ],
  'sends early hints by the thousand': [
    (socket, write) => {
      write('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'.repeat(10_000));
      closing(socket, withLength('connection: close\r\n', CSV));
    },
    'good',
  ],
  'answers 100 that nobody asked for': [
    (_socket, write) => write('HTTP/1.1 100 Continue\r\n\r\n'),
    'origin_unreachable',
  ],
  'switches protocols': [
    (_socket, write) =>
      write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n'),
    'origin_unreachable',
  ],
  'asks for an upgrade in its answer': [
    (socket) => closing(socket, withLength('connection: upgrade, close\r\nupgrade: h2c\r\n', CSV)),
    'good',
  ],
  'speaks HTTP/2': [
    (_socket, write) => write(Buffer.from('000012040000000000000300000064000400010000000500004000', 'hex')),
    'origin_unreachable',
  ],
  'repeats the preface of HTTP/2': [
    (_socket, write) => write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    'origin_unreachable',
  ],
  'speaks TLS': [(_socket, write) => write(Buffer.from('1503010002020a', 'hex')), 'origin_unreachable'],
  'sends headers without end': [
    (socket, write) => {
      write(OK);
      forever(socket, 'x-flood: xxxxxxxxxxxxxxxxxxxxxxxx\r\n'.repeat(100));
    },
    'origin_unreachable',
  ],
  'sends trailers without end': [
    (socket, write) => {
      write(`${OK}transfer-encoding: chunked\r\n\r\ne\r\nid,name\n1,Ann\n\r\n0\r\n`);
      forever(socket, 'x-trailer: xxxxxxxxxxxxxxxx\r\n'.repeat(100));
    },
    'body_truncated',
  ],
  'sends a second answer behind the first': [
    (_socket, write) => write(Buffer.concat([withLength('', CSV), withLength('', 'id,name\n6,Eve\n')])),
    'good',
  ],
  'closes at once, with a length': [
    (socket) => closing(socket, withLength('connection: close\r\n', CSV)),
    'good',
  ],
  'closes at once, without a length': [
    (socket) => closing(socket, `${OK}connection: close\r\n\r\n${CSV}`),
    'good',
  ],
  'closes at once, after 10 MB': [
    (socket) => closing(socket, withLength('connection: close\r\n', CSV.repeat(160))),
    'too_many_rows',
  ],
  'resets amid 10 MB': [
    (socket) => {
      socket.write(withLength('connection: close\r\n', CSV.repeat(160)).subarray(0, 5_000_000), () =>
        socket.resetAndDestroy(),
      );
    },
    'body_truncated',
  ],
  ...Object.fromEntries(
    ['end', 'close', 'readable', 'close rejection'].map((event) => [
      `makes a listener of its connection throw: ${event}`,
      [
        (socket: Socket) => closing(socket, withLength(`x-fault: ${event}\r\nconnection: close\r\n`, CSV)),
        'body_truncated',
      ],
    ]),
  ),
};

let system: System;
let server: Server;
let good: Origin;
const asked = new Map<string, number>();

beforeAll(async () => {
  server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (data) => {
      const [, path = ''] = /^GET \/(\S+)\.csv /.exec(data.toString('latin1')) ?? [];
      asked.set(path, (asked.get(path) ?? 0) + 1);
      ORIGINS[decodeURIComponent(path)]?.[0](socket, (text) => socket.writable && socket.write(text));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  good = await startOrigin();
  const preload = fileURLToPath(new URL('../../support/servers/break-sockets.mjs', import.meta.url));
  // Reconciling would have a record that has never been read checked again at once.
  system = await startSystem({ NODE_OPTIONS: `--import=${preload}`, RECONCILE_GRACE_SECONDS: '3600' });
});

afterAll(async () => {
  await system.stop();
  await good.close();
  server.close();
});

it('regression: a faulty origin fails its own check, and the worker continues', async () => {
  const pid = system.pidOf('worker');
  good.set('/good.csv', { body: 'id,name\n1,Ann\n' });
  const watched = await createRecord(system, { url: `${good.url}/good.csv` });
  const { port } = server.address() as AddressInfo;
  const names = Object.keys(ORIGINS);
  const records = await Promise.all(
    names.map(async (name) => {
      const url = `http://127.0.0.1:${port}/${encodeURIComponent(name)}.csv`;
      const { status, body } = await system.call('POST', '/v1/sources', {
        url,
        checkIntervalMinutes: 1_000,
      });
      expect(status).toBe(201);
      return { name, id: String(body['id']) };
    }),
  );
  const outcomes: Record<string, string> = {};
  for (const { name, id } of records) {
    const check = await until(
      `${name}: checked`,
      () =>
        system.database
          .db('checks')
          .where({ recordId: id })
          .first<{ outcome: string; errorCode: string | null } | undefined>('outcome', 'errorCode'),
      { everyMs: 100 },
    );
    outcomes[name] = check.errorCode ?? 'good';
  }
  // The body may have been complete before the connection's end threw.
  const late = 'makes a listener of its connection throw: end';
  expect(['good', 'body_truncated']).toContain(outcomes[late]);
  const expected = Object.fromEntries(names.map((name) => [name, ORIGINS[name]?.[1]]));
  expect({ ...outcomes, [late]: expected[late] }).toEqual(expected);
  expect(system.isRunning('worker')).toBe(true);
  expect(system.pidOf('worker')).toBe(pid);
  // No origin was asked twice: no fetch was repeated.
  expect([...asked].filter(([, times]) => times > 1)).toEqual([]);
  good.set('/good.csv', { body: 'id,name\n1,Bob\n' });
  expect(await checkAndWait(system, watched.id)).toMatchObject({ outcome: 'changed' });
});
