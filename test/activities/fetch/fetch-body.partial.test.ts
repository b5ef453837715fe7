// Whether a body is whole: by Content-Range in an answer with status 200, and by what says where it ends.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fetchBody } from '../../../activities/fetch/fetch-body.ts';
import { parseAllowedNetworks } from '../../../core/network/address-policy.ts';
import { type Origin, type OriginBehaviour, startOrigin } from '../../support/servers/origin-server.ts';

let origin: Origin;
let folder: string;

beforeAll(async () => {
  origin = await startOrigin();
  folder = await mkdtemp(join(tmpdir(), 'fetch-body-'));
});

afterAll(async () => {
  await origin.close();
  await rm(folder, { recursive: true });
});

const fetchWith = (behaviour: OriginBehaviour) => {
  origin.set('/feed', { body: 'id,name\n1,Ann\n', ...behaviour });
  return fetchBody({
    url: `${origin.url}/feed`,
    guard: { allowed: parseAllowedNetworks(['127.0.0.1']), resolve: () => Promise.resolve(['127.0.0.1']) },
    userAgent: 'Recordwatch/1',
    folder,
    maxBytes: 1_000,
  });
};

it.each(['bytes 0-99/200', 'bytes 10-199/200', 'bytes 10-199/*', 'bytes 0-199/*'])(
  'regression: %s is only a part',
  async (range) => {
    await expect(fetchWith({ headers: { 'content-range': range } })).rejects.toThrow(
      'Status 200: only a part of the body.',
    );
  },
);

it.each(['bytes 0-199/200', 'rows 0-9/20', 'nonsense'])('%s is no part', async (range) => {
  await expect(fetchWith({ headers: { 'content-range': range } })).resolves.toMatchObject({ status: 'ok' });
});

it.each([
  ['a length', {}, false],
  ['chunks', { chunked: true }, false],
  ['the end of the connection', { closeDelimited: true }, true],
  ['that of its compression', { closeDelimited: true, encoding: 'gzip' }, false],
  [
    'the end of the connection, in spite of an encoding that changes nothing (regression)',
    { closeDelimited: true, headers: { 'content-encoding': 'Identity' } },
    true,
  ],
  [
    'the end of the connection, in spite of an encoding without a name (regression)',
    { closeDelimited: true, headers: { 'content-encoding': '' } },
    true,
  ],
  [
    'the end of the connection, in spite of a transfer coding',
    { closeDelimited: true, headers: { 'transfer-encoding': 'identity' } },
    true,
  ],
] as const)('a body may end with %s', async (_by, behaviour, isCloseDelimited) => {
  await expect(fetchWith(behaviour)).resolves.toMatchObject({ status: 'ok', isCloseDelimited });
});
