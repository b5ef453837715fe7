// A public origin that redirects into networks which the operator allows. The connections lead to this machine; what is
// replaced is the address that a socket says it reached.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as Undici from 'undici';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { fetchBody } from '../../../activities/fetch/fetch-body.ts';
import { parseAllowedNetworks } from '../../../core/network/address-policy.ts';
import { type Origin, startOrigin } from '../../support/servers/origin-server.ts';

const ADDRESSES: Record<string, string> = { 'public.example': '8.8.8.8', 'inside.example': '127.0.0.1' };

vi.mock('undici', async (load) => {
  const undici = await load<typeof Undici>();
  const connectHere = (settings: Undici.buildConnector.BuildOptions): Undici.buildConnector.connector => {
    const connect = undici.buildConnector({ ...settings, lookup: undefined });
    return (options, callback) =>
      connect({ ...options, hostname: '127.0.0.1' }, (error, socket) => {
        if (error !== null) return callback(error, null);
        const value = ADDRESSES[options.hostname] ?? options.hostname;
        return callback(null, Object.defineProperty(socket, 'remoteAddress', { value }));
      });
  };
  return { ...undici, buildConnector: connectHere };
});

let origin: Origin;
let other: Origin;
let folder: string;

beforeAll(async () => {
  [origin, other] = await Promise.all([startOrigin(), startOrigin()]);
  other.set('/end', { body: 'a,b\n3,4\n' });
  folder = await mkdtemp(join(tmpdir(), 'public-origins-'));
});
afterAll(async () => {
  await Promise.all([origin.close(), other.close()]);
  await rm(folder, { recursive: true });
});

const portOf = ({ url }: Origin): string => new URL(url).port;

const fetchFrom = (host: string) =>
  fetchBody({
    url: `http://${host}:${portOf(origin)}/start`,
    guard: {
      allowed: parseAllowedNetworks(['127.0.0.0/8']),
      resolve: (name) => Promise.resolve([ADDRESSES[name] ?? '']),
    },
    userAgent: 'Recordwatch/1',
    folder,
    maxBytes: 1e6,
  });

it.each([
  ['an address', '127.0.0.1', 'redirect_not_allowed'],
  ['a name', 'inside.example', 'origin_unreachable'],
])(
  'regression: a public origin leads to no private network that the operator allows, by %s',
  async (_, host, code) => {
    other.requests.length = 0;
    origin.set('/start', { redirectTo: `http://${host}:${portOf(other)}/end` });
    await expect(fetchFrom('public.example')).rejects.toMatchObject({ code });
    expect(other.requests).toEqual([]);
  },
);

it('leads to other public origins', async () => {
  origin.set('/start', { redirectTo: `http://public.example:${portOf(other)}/end` });
  await expect(fetchFrom('public.example')).resolves.toMatchObject({ status: 'ok' });
});

it.each(['127.0.0.1', 'inside.example'])(
  'a record within those networks keeps its reach: %s',
  async (host) => {
    origin.set('/start', { redirectTo: `http://127.0.0.1:${portOf(other)}/end` });
    await expect(fetchFrom(host)).resolves.toMatchObject({ status: 'ok' });
  },
);

it('regression: a redirect leads back to no connection that is still open within those networks', async () => {
  origin.requests.length = 0;
  origin.set('/start', { redirectTo: `http://public.example:${portOf(other)}/back` });
  other.set('/back', { redirectTo: `http://inside.example:${portOf(origin)}/end` });
  origin.set('/end', { body: 'a,b\n1,2\n' });
  await expect(fetchFrom('inside.example')).rejects.toMatchObject({ code: 'origin_unreachable' });
  expect(origin.requests.map(({ path }) => path)).toEqual(['/start']);
});
