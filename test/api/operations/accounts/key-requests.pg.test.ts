// Logging in a program: it asks, a person answers under its code, and it collects a key.
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { buildApp } from '../../../../api/app.ts';
import {
  KEY_REQUESTS_PER_HOUR,
  takeKeyRequest,
  USER_CODES_PER_HOUR,
} from '../../../../api/access/usage-limits.ts';
import { SITE_FACTOR } from '../../../../core/network/caller-address.ts';
import { MAX_WORKING_KEYS } from '../../../../api/keys/new-api-keys.ts';
import { hashApiKey } from '../../../../core/crypto/api-key.ts';
import { newDeviceSecret, newUserCode } from '../../../../core/crypto/key-request-codes.ts';
import { endLoginSession, pruneLogins } from '../../../../db/access/login-sessions.ts';
import { useApi } from '../../../support/api/api.ts';
import { createAccount, createKey, createTestRecord } from '../../../support/rows/factories.ts';
import { newDashboardToken } from '../../../support/rows/new-dashboard-token.ts';

const api = useApi({ baseUrl: 'https://recordwatch.example' });

beforeEach(async () => {
  await api.db('usage_counters').delete();
});

const start = async (machine = 'ada-laptop') =>
  (await api.call('POST', '/v1/key-requests', { key: null, body: { machine } })).body;
const collect = (deviceSecret: string) =>
  api.call('POST', '/v1/key-requests/collect', { key: null, body: { deviceSecret } });
const look = (userCode: string, key: string) =>
  api.call('GET', `/v1/key-requests?userCode=${userCode}`, { key });
const answer = (key: string, body: object) => api.call('POST', '/v1/key-requests/answer', { key, body });

/** A person who is signed in to an account of their own that may make keys. */
async function newPerson() {
  const accountId = await createAccount(api.db);
  await createTestRecord(api.db, accountId);
  return { accountId, ...(await newDashboardToken(api.db, accountId)) };
}

const entriesOf = (accountId: string) =>
  api.db('audit_entries').where({ accountId }).orderBy('id').select('action', 'targetId', 'targetName', 'actorId', 'door', 'changes'); // prettier-ignore

it('gives the program a key of the person’s account, with the scope that they choose', async () => {
  const { accountId, userId, token } = await newPerson();
  const started = await start();
  expect(started).toEqual({
    deviceSecret: expect.stringMatching(/^[\w-]{43}$/),
    userCode: expect.stringMatching(/^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/),
    verificationUrl: `https://recordwatch.example/dashboard/allow-login?code=${started.userCode}`,
    expiresAt: expect.any(String),
    expiresInSeconds: 600,
    intervalSeconds: 5,
  });
  const { deviceSecret, userCode } = started;
  expect((await collect(deviceSecret)).body).toEqual({ status: 'pending', intervalSeconds: 5, key: null });
  const { body: seen } = await look(userCode, token);
  expect(seen).toEqual({
    userCode,
    machine: 'ada-laptop',
    address: '127.0.0.1',
    createdAt: expect.any(String),
    expiresAt: started.expiresAt,
  });
  expect((await answer(token, { userCode, answer: 'allow', scope: 'read' })).status).toBe(204);
  // The key is made when it is collected, so nothing can read it before.
  expect(await api.db('api_keys').where({ accountId })).toEqual([]);
  const { status, body } = await collect(deviceSecret);
  expect([status, body]).toEqual([
    200,
    { status: 'issued', intervalSeconds: expect.any(Number), key: expect.stringMatching(/^cat_live_/) },
  ]);
  const keys = await api.db('api_keys').where({ accountId });
  expect(keys).toMatchObject([
    {
      name: 'recordwatch on ada-laptop',
      scope: 'read',
      recordId: null,
      expiresAt: null,
      hash: hashApiKey(body.key),
    },
  ]);
  const request = expect.stringMatching(/^krq_/);
  const shared = { actorId: userId };
  expect(await entriesOf(accountId)).toMatchObject([
    { ...shared, action: 'key_request.answer', targetId: request, targetName: 'ada-laptop', door: 'dashboard', changes: [{ field: 'answer', after: 'allow' }, { field: 'scope', after: 'read' }] }, // prettier-ignore
    { ...shared, action: 'api_key.create', targetId: keys[0].id, targetName: keys[0].name, door: 'api' },
  ]);
  expect((await api.call('GET', '/v1/usage', { key: body.key })).status).toBe(200);
  expect((await api.call('DELETE', '/v1/sources/x', { key: body.key })).status).toBe(403);
});

it('stores only the hash of the secret, and logs neither it nor the code nor the key', async () => {
  const { token } = await newPerson();
  const { deviceSecret, userCode } = await start();
  const [row] = await api.db('key_requests').where({ userCode });
  expect(row.secretHash).toEqual(hashApiKey(deviceSecret));
  await look(userCode, token);
  await answer(token, { userCode, answer: 'allow' });
  const { key } = (await collect(deviceSecret)).body;
  expect(JSON.stringify(row)).not.toContain(deviceSecret);
  const log = api.logLines.join('');
  expect(log).toContain('/v1/key-requests');
  for (const secret of [deviceSecret, userCode, key]) expect(log).not.toContain(secret);
});

describe('a key is collected once', () => {
  it('and the secret is unknown afterwards', async () => {
    const { accountId, token } = await newPerson();
    const { deviceSecret, userCode } = await start();
    await answer(token, { userCode, answer: 'allow' });
    expect((await collect(deviceSecret)).body.status).toBe('issued');
    const again = await collect(deviceSecret);
    expect([again.status, again.body.code]).toEqual([404, 'not_found']);
    expect((await collect(newDeviceSecret())).text.replace(/"requestId":".*?"/, '')).toBe(again.text.replace(/"requestId":".*?"/, '')); // prettier-ignore
    expect(await api.db('api_keys').where({ accountId })).toHaveLength(1);
  });

  it('by two processes at the same time', async () => {
    const { accountId, token } = await newPerson();
    const other = buildApp(api.services);
    onTestFinished(() => other.close());
    const { deviceSecret, userCode } = await start();
    await answer(token, { userCode, answer: 'allow' });
    const ask = (app: typeof other) =>
      app.inject({ method: 'POST', url: '/v1/key-requests/collect', payload: { deviceSecret } });
    const answers = await Promise.all([api.app, other, api.app, other].map(ask));
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([
      200, 404, 404, 404,
    ]);
    expect(await api.db('api_keys').where({ accountId })).toHaveLength(1);
  });

  it('and not at all when the account has as many keys as allowed', async () => {
    const { accountId, token } = await newPerson();
    for (let made = 0; made < MAX_WORKING_KEYS.account; made += 1) await createKey(api.db, accountId, 'feed');
    const { deviceSecret, userCode } = await start();
    await answer(token, { userCode, answer: 'allow' });
    expect((await collect(deviceSecret)).body).toMatchObject({ code: 'conflict', detail: expect.stringContaining('at most 100') }); // prettier-ignore
    await api.db('api_keys').where({ accountId }).delete();
    expect((await collect(deviceSecret)).body.status).toBe('issued');
  });
});

describe('no key is made', () => {
  const later = (userCode: string) =>
    api
      .db('key_requests')
      .where({ userCode })
      .update({ expiresAt: new Date(Date.now() - 1_000) });

  it('after a refusal, which the program learns and the audit log has', async () => {
    const { accountId, token } = await newPerson();
    const { deviceSecret, userCode } = await start();
    expect((await answer(token, { userCode, answer: 'refuse' })).status).toBe(204);
    expect((await collect(deviceSecret)).body).toMatchObject({ status: 'refused', key: null });
    expect((await answer(token, { userCode, answer: 'allow' })).status).toBe(404);
    expect((await collect(deviceSecret)).body).toMatchObject({ status: 'refused', key: null });
    expect(await entriesOf(accountId)).toMatchObject([
      { action: 'key_request.answer', changes: [{ field: 'answer', after: 'refuse' }] },
    ]);
  });

  it('after ten minutes, whether it was allowed or not', async () => {
    const { accountId, token } = await newPerson();
    const [open, allowed] = [await start(), await start()];
    const minutes = (Date.parse(open.expiresAt) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(8);
    expect(minutes).toBeLessThanOrEqual(10.1);
    await answer(token, { userCode: allowed.userCode, answer: 'allow' });
    for (const { userCode, deviceSecret } of [open, allowed]) {
      await later(userCode);
      expect((await look(userCode, token)).status).toBe(404);
      expect((await answer(token, { userCode, answer: 'allow' })).status).toBe(404);
      expect((await collect(deviceSecret)).body).toMatchObject({ status: 'expired', key: null });
    }
    expect(await api.db('api_keys').where({ accountId })).toEqual([]);
    await pruneLogins(api.db, 100);
    expect((await collect(open.deviceSecret)).status).toBe(404);
  });

  it('under a wrong code, and only the first answer counts', async () => {
    const [ada, eve] = [await newPerson(), await newPerson()];
    const { deviceSecret, userCode } = await start();
    const wrong = newUserCode();
    expect((await look(wrong, ada.token)).body).toMatchObject({ code: 'not_found', detail: expect.stringContaining('mistyped') }); // prettier-ignore
    expect((await answer(ada.token, { userCode: wrong, answer: 'allow' })).status).toBe(404);
    expect((await look('nonsense', ada.token)).body.code).toBe('invalid_parameter');
    expect((await answer(ada.token, { userCode, answer: 'allow' })).status).toBe(204);
    expect((await answer(eve.token, { userCode, answer: 'allow', scope: 'full' })).status).toBe(404);
    expect((await look(userCode, eve.token)).status).toBe(404);
    const { key } = (await collect(deviceSecret)).body;
    const { hash } = await api.db('api_keys').where({ accountId: ada.accountId }).first();
    expect(hash).toEqual(hashApiKey(key));
  });

  it('by a person who signed in more than 15 minutes ago, who may still refuse', async () => {
    const { token, sessionId } = await newPerson();
    const signedInAgo = (minutes: number) =>
      api.db('loginSessions').where({ id: sessionId }).update({ createdAt: new Date(Date.now() - minutes * 60_000) }); // prettier-ignore
    const [first, second] = [await start(), await start()];
    await signedInAgo(16);
    const refused = await answer(token, { userCode: first.userCode, answer: 'allow' });
    expect(refused.body).toMatchObject({ code: 'recent_sign_in_required', detail: expect.stringContaining('allow the login') }); // prettier-ignore
    expect((await answer(token, { userCode: second.userCode, answer: 'refuse' })).status).toBe(204);
    await signedInAgo(14);
    expect((await answer(token, { userCode: first.userCode, answer: 'allow' })).status).toBe(204);
    // The program may collect it later than that.
    await signedInAgo(20);
    expect((await collect(first.deviceSecret)).body.status).toBe('issued');
  });

  it('after the sign-in that allowed it has ended', async () => {
    const { accountId, token, sessionId, userId } = await newPerson();
    const { deviceSecret, userCode } = await start();
    await answer(token, { userCode, answer: 'allow', scope: 'full' });
    await endLoginSession(api.db, userId, sessionId);
    expect((await collect(deviceSecret)).body).toMatchObject({ code: 'conflict', detail: expect.stringContaining('has ended') }); // prettier-ignore
    expect(await api.db('api_keys').where({ accountId })).toEqual([]);
  });

  it('by a key that expires', async () => {
    const { accountId } = await newPerson();
    const { id, value } = await createKey(api.db, accountId, 'full');
    await api
      .db('api_keys')
      .where({ id })
      .update({ expiresAt: new Date(Date.now() + 3_600_000) });
    const { userCode } = await start();
    expect((await answer(value, { userCode, answer: 'allow' })).body).toMatchObject({ code: 'insufficient_scope', detail: expect.stringContaining('outlive') }); // prettier-ignore
    expect((await answer(value, { userCode, answer: 'refuse' })).status).toBe(204);
  });
});

describe('is limited', () => {
  it('a program that asks too often has to wait longer each time', async () => {
    const { deviceSecret, userCode } = await start();
    const intervals = [];
    for (let asked = 0; asked < 4; asked += 1) {
      intervals.push((await collect(deviceSecret)).body.intervalSeconds);
    }
    expect(intervals).toEqual([5, 10, 15, 20]);
    await api
      .db('key_requests')
      .where({ userCode })
      .update({ askedAt: new Date(Date.now() - 21_000) });
    expect((await collect(deviceSecret)).body.intervalSeconds).toBe(20);
  });

  it('by address for programs that start', async () => {
    for (let started = 0; started < KEY_REQUESTS_PER_HOUR; started += 1) await start();
    const refused = await api.call('POST', '/v1/key-requests', { key: null, body: { machine: 'one-more' } });
    expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('regression: by the /48 of IPv6 addresses, with twenty times as many', async () => {
    const take = (site: string, network: number) =>
      takeKeyRequest(api.db, `2001:db8:${site}:${network}::/64`);
    for (let taken = 0; taken < SITE_FACTOR * KEY_REQUESTS_PER_HOUR; taken += 1) await take('ac', taken);
    await expect(take('ac', 1_000)).rejects.toThrow('keys an hour');
    await take('ad', 0);
  });

  it('by account for codes, right or wrong', async () => {
    const { token } = await newPerson();
    const { userCode } = await start();
    for (let tried = 0; tried < USER_CODES_PER_HOUR; tried += 1) await look(newUserCode(), token);
    expect((await look(userCode, token)).status).toBe(429);
    expect((await answer(token, { userCode, answer: 'allow' })).status).toBe(429);
    const { token: ofOther } = await newPerson();
    expect((await look(userCode, ofOther)).status).toBe(200);
  });

  it.each(['', '-a', 'Support: please allow', 'a\nb', 'a'.repeat(64)])(
    'to names of machines: %j is refused',
    async (machine) => {
      const { body } = await api.call('POST', '/v1/key-requests', { key: null, body: { machine } });
      expect(body).toMatchObject({ code: 'validation_failed', errors: [{ pointer: '/machine' }] });
    },
  );
});
