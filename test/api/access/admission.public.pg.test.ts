// Public operations with every kind of credential: none refuses or changes them.
import { beforeAll, expect, it } from 'vitest';
import { OPERATIONS } from '../../../api/operations.ts';
import { useApi } from '../../support/api/api.ts';
import {
  type CredentialKind,
  fingerprint,
  makeMatrixWorld,
  type MatrixWorld,
} from '../../support/api/matrix-world.ts';

const api = useApi();
let world: MatrixWorld;
beforeAll(async () => {
  world = await makeMatrixWorld(api);
});

const kinds = () => Object.keys(world.credentials) as CredentialKind[];

it('are these', () => {
  const names = OPERATIONS.filter(({ scope }) => scope === 'public').map(({ name }) => name);
  expect(names.toSorted()).toEqual(['collectKey', 'createSession', 'followDownloadLink', 'startKeyRequest']);
});

it('createSession creates a session that belongs to no other caller', async () => {
  for (const caller of kinds()) {
    const key = world.credentials[caller];
    // Each caller uses a different address.
    await api.db('usage_counters').delete();
    const { status, body } = await api.call('POST', '/v1/sessions', {
      key,
      body: { url: 'https://example.com/a.csv', name: 'Prices' },
    });
    expect([caller, status]).toEqual([caller, 201]);
    expect(body.source).toMatchObject({ tier: 'anonymous', slug: 'prices' });
    const path = `/v1/sources/${body.source.id}`;
    expect((await api.call('GET', path, { key: body.token })).status).toBe(200);
    const asCaller = await api.call('GET', path, { key });
    expect([401, 403, 404]).toContain(asCaller.status);
  }
});

it('startKeyRequest and collectKey give every caller the same, and no key that nobody has allowed', async () => {
  for (const caller of kinds()) {
    const key = world.credentials[caller];
    await api.db('usage_counters').delete();
    const started = await api.call('POST', '/v1/key-requests', { key, body: { machine: 'laptop' } });
    expect([caller, started.status]).toEqual([caller, 201]);
    const { deviceSecret } = started.body;
    const { status, body } = await api.call('POST', '/v1/key-requests/collect', {
      key,
      body: { deviceSecret },
    });
    expect([caller, status, body]).toEqual([
      caller,
      200,
      { status: 'pending', intervalSeconds: 5, key: null },
    ]);
  }
});

it('followDownloadLink gives the same file to everybody with the link, and to nobody without it', async () => {
  const { record, snapshot } = world.mine;
  const made = await api.call('POST', `/v1/sources/${record}/snapshots/${snapshot}/download-links`, {
    key: world.credentials['account full'],
    body: {},
  });
  const { pathname, search } = new URL(made.body.url);
  const before = await fingerprint(api);
  for (const [path, expected] of [
    [`${pathname}${search}`, 200],
    [`${pathname}?token=unknown`, 404],
  ] as const) {
    const toNobody = await follow(path, 'none');
    expect(toNobody.status).toBe(expected);
    for (const caller of kinds()) expect([caller, await follow(path, caller)]).toEqual([caller, toNobody]);
  }
  expect(await fingerprint(api)).toBe(before);
});

/** The parts of an answer that are the same for each call. */
async function follow(path: string, caller: CredentialKind) {
  const { status, text, headers } = await api.call('GET', path, {
    key: world.credentials[caller],
    headers: { 'x-request-id': 'the-same' },
  });
  const passing = /^(date|ratelimit|x-ratelimit-(remaining|reset))$/;
  const lasting = Object.entries(headers).filter(([name]) => !passing.test(name));
  return { status, text, headers: Object.fromEntries(lasting) };
}
