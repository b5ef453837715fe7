// All failures to connect look the same to the caller, so errors of checks and deliveries cannot reveal a network.
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fetchBody } from '../../../activities/fetch/fetch-body.ts';
import { FetchFailure } from '../../../activities/fetch/fetch-failure.ts';
import type { FailedConnection, OutboundGuard } from '../../../outbound/guard.ts';
import { postJson } from '../../../activities/deliveries/post-json.ts';
import { CHECK_ERRORS } from '../../../core/errors.ts';
import { parseAllowedNetworks } from '../../../core/network/address-policy.ts';
import { type Origin, startOrigin } from '../../support/servers/origin-server.ts';

const PUBLIC = '127.0.0.1';
let origin: Origin;
const servers: Server[] = [];
const ports: Record<string, number> = {};

beforeAll(async () => {
  origin = await startOrigin();
  ports['open'] = origin.port;
  ports['closed'] = await listen(() => undefined);
  await new Promise((resolve) => {
    servers.pop()?.close(resolve);
  });
  ports['hanging up'] = await listen((socket) => socket.destroy());
  ports['resetting'] = await listen((socket) => socket.resetAndDestroy());
  ports['speaking SSH'] = await listen((socket) => socket.end('SSH-2.0-OpenSSH_9.0\r\n'));
  ports['speaking Redis'] = await listen((socket) => socket.end('-ERR unknown command\r\n'));
});

afterAll(async () => {
  await origin.close();
  for (const server of servers) server.close();
});

async function listen(onConnection: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    onConnection(socket);
  });
  servers.push(server);
  await new Promise<void>((resolve) => {
    server.listen(0, PUBLIC, resolve);
  });
  // An address of TCP: the server listens on a port.
  return (server.address() as AddressInfo).port;
}

type Resolve = (asked: number) => readonly string[] | Promise<readonly string[]>;

const fails = (): Promise<never> => Promise.reject(new Error('queryA ESERVFAIL inside.example'));

/** The address of the name, and the port of the URL. Loopback plays the public internet and is the only allowed network. */
const TARGETS: [what: string, resolve: Resolve, port: string, scheme?: string][] = [
  ['a closed port', () => [PUBLIC], 'closed'],
  ['a port that hangs up', () => [PUBLIC], 'hanging up'],
  ['a port that resets', () => [PUBLIC], 'resetting'],
  ['another protocol', () => [PUBLIC], 'speaking SSH'],
  ['a database', () => [PUBLIC], 'speaking Redis'],
  ['no TLS', () => [PUBLIC], 'speaking SSH', 'https'],
  ['a private address, open there', () => ['127.0.0.2'], 'open'],
  ['a private address, closed there', () => ['127.0.0.2'], 'closed'],
  ['a network of ten', () => ['10.0.0.1'], 'open'],
  ['metadata', () => ['169.254.169.254'], 'open'],
  ['mapped metadata', () => ['::ffff:169.254.169.254'], 'open'],
  ['metadata behind NAT64', () => ['64:ff9b::a9fe:a9fe'], 'open'],
  ['private IPv6', () => ['fd00::1'], 'open'],
  ['link-local with a zone', () => ['fe80::1%eth0'], 'open'],
  ['a good and a bad address', () => [PUBLIC, '10.0.0.1'], 'open'],
  ['a bad and a good address', () => ['10.0.0.1', PUBLIC], 'open'],
  ['something that is no address', () => ['evil.example'], 'open'],
  ['rebinding, the second time', (asked) => (asked === 0 ? [PUBLIC] : ['10.0.0.1']), 'open'],
  ['no address', () => [], 'open'],
  ['a resolver that fails', fails, 'open'],
];

function guardOf(
  resolve: Resolve,
  report: (failed: FailedConnection) => void = () => undefined,
): OutboundGuard {
  let asked = 0;
  return {
    allowed: parseAllowedNetworks([PUBLIC]),
    resolve: async () => resolve(asked++),
    report,
  };
}

const urlOf = (port: string, scheme = 'http'): string => `${scheme}://inside.example:${ports[port]}/x?s3cret`;

/** The parts of a failed check that its owner sees. */
async function checkOf(url: string, guard: OutboundGuard): Promise<unknown> {
  const error: unknown = await fetchBody({
    url,
    guard,
    userAgent: 'x',
    folder: tmpdir(),
    maxBytes: 1_000,
  }).catch((reason: unknown) => reason);
  if (!(error instanceof FetchFailure)) throw new Error('The fetch did not fail as it should');
  const { code, message, httpStatus, retryAfterMs, cause } = error;
  return { code, message, httpStatus, retryAfterMs, cause };
}

it.each(TARGETS)(
  '%s: the check says that the origin could not be reached',
  async (what, resolve, port, scheme) => {
    const guard = guardOf(resolve);
    if (what.startsWith('rebinding')) {
      origin.set('/x', { body: 'a' });
      await fetchBody({ url: urlOf(port), guard, userAgent: 'x', folder: tmpdir(), maxBytes: 1_000 });
    }
    expect(await checkOf(urlOf(port, scheme), guard)).toEqual({
      code: 'origin_unreachable',
      message: CHECK_ERRORS.origin_unreachable,
      httpStatus: undefined,
      retryAfterMs: undefined,
      cause: undefined,
    });
  },
);

it.each(TARGETS)('%s: after a redirect too', async (_what, resolve, port, scheme) => {
  // The first name is the origin's. The second one resolves as in a second lookup.
  origin.set('/start', { redirectTo: urlOf(port, scheme) });
  const away = resolve;
  const guard: OutboundGuard = {
    allowed: parseAllowedNetworks([PUBLIC]),
    resolve: async (hostname) => (hostname === 'start.example' ? [PUBLIC] : away(1)),
  };
  expect(await checkOf(`http://start.example:${origin.port}/start`, guard)).toMatchObject({
    code: 'origin_unreachable',
    message: CHECK_ERRORS.origin_unreachable,
    httpStatus: undefined,
  });
});

it.each(TARGETS)(
  '%s: the attempt says that the endpoint could not be reached',
  async (what, resolve, port, scheme) => {
    const reports: FailedConnection[] = [];
    const guard = guardOf(resolve, (failed) => reports.push(failed));
    const post = () => postJson({ url: urlOf(port, scheme), body: '{}', headers: {}, userAgent: 'x', guard });
    if (what.startsWith('rebinding')) await post();
    expect(await post()).toEqual({
      errorCode: 'endpoint_unreachable',
      statusCode: null,
      excerpt: null,
      retryAfterMs: null,
      durationMs: expect.any(Number) as number,
    });
    expect(JSON.stringify(reports)).not.toContain('s3cret');
  },
);

it.each<[string, Resolve, string, Partial<FailedConnection>]>([
  ['a refusal', () => ['10.0.0.1'], 'open', { reason: 'refused', addresses: ['10.0.0.1'] }],
  ['a name without addresses', () => [], 'open', { reason: 'dns', addresses: [] }],
  ['a closed port', () => [PUBLIC], 'closed', { reason: 'unreachable', addresses: [PUBLIC] }],
])('the operator is told of %s', async (_what, resolve, port, failed) => {
  const reports: FailedConnection[] = [];
  const guard = guardOf(resolve, (report) => reports.push(report));
  await postJson({ url: urlOf(port), body: '{}', headers: {}, userAgent: 'x', guard });
  expect(reports).toEqual([{ host: 'inside.example', port: ports[port], ...failed }]);
});
