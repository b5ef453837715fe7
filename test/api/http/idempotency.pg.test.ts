// Idempotency-Key: which requests run once, which answers are repeated, and which requests may be retried.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildApp } from '../../../api/app.ts';
import { createRateLimits } from '../../../api/access/rate-limits.ts';
import { rawRows } from '../../../db/driver/knex.ts';
import { deleteOldKeys } from '../../../db/usage/idempotency-keys.ts';
import { type Answer, type TestApi, useApi } from '../../support/api/api.ts';
import { createAccount, createKey, createTestRecord } from '../../support/rows/factories.ts';
import { createGate } from '../../support/gate.ts';

const api = useApi();
const url = 'https://example.com/data.csv';
let other: ReturnType<typeof buildApp>;
let nextKey = 0;
let key = '';

beforeAll(() => {
  other = buildApp(api.services, { rateLimits: createRateLimits({ multiplier: 1_000 }) });
});
afterAll(() => other.close());
beforeEach(() => {
  key = `key ${(nextKey += 1)} "~"`;
});

const post = (
  path: string,
  body: unknown,
  more: { key?: string; auth?: string; prefer?: string } = {},
): Promise<Answer> =>
  api.call('POST', path, {
    body,
    headers: { 'idempotency-key': more.key ?? key, ...(more.prefer && { prefer: more.prefer }) },
    ...(more.auth === undefined ? {} : { key: more.auth }),
  });

async function countRecords(): Promise<number> {
  const [row] = await rawRows<{ n: number }>(api.db, 'select count(*) as n from records');
  return row?.n ?? 0;
}

interface StoredKey {
  status: number | null;
  answer: string | null;
}

/** Keys are stored as hashes, because callers may put a secret into them. */
const stored = (name: string): string => createHash('sha256').update(name).digest('base64url');

const storedUnder = (name: string): Promise<StoredKey[]> =>
  rawRows<StoredKey>(api.db, 'select status, answer from idempotency_keys where key = ?', [stored(name)]);

/** Holds the next creation of a record before it finishes, until the gate opens. */
function holdCreation(target: TestApi): { open: () => void; reached: Promise<void> } {
  const gate = createGate();
  const { promise: reached, resolve } = Promise.withResolvers<void>();
  const { startWatching } = target.workflows;
  target.workflows.startWatching = async (...args) => {
    target.workflows.startWatching = startWatching;
    resolve();
    await gate.wait();
    await startWatching(...args);
  };
  return { reached, open: gate.open };
}

describe('a repeated request', () => {
  it('runs once, and gets the same status and body', async () => {
    const before = await countRecords();
    const first = await post('/v1/sources', { url, name: 'Once' });
    const second = await post('/v1/sources', { url, name: 'Once' });
    expect(first.status).toBe(201);
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect([second.status, second.text]).toEqual([first.status, first.text]);
    expect(second.headers['content-type']).toBe(first.headers['content-type']);
    expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
    expect(await countRecords()).toBe(before + 1);
  });

  it('may have its members in another order', async () => {
    const first = await post('/v1/sources', { url, name: 'Order' });
    const second = await post('/v1/sources', { name: 'Order', url });
    expect(second.body.id).toBe(first.body.id);
  });

  it('counts as another request with another body, path or query', async () => {
    const id = await createTestRecord(api.db, api.accountId);
    expect((await post(`/v1/sources/${id}/check`, undefined)).status).toBe(202);
    for (const path of ['/v1/sources', `/v1/sources/${id}/apikeys`, `/v1/sources/${id}/webhooks`]) {
      const body = path.endsWith('apikeys') ? { name: 'x', scope: 'read' } : { url };
      expect((await post(path, body)).body).toMatchObject({ status: 422, code: 'idempotency_key_reused' });
    }
    const sibling = await createTestRecord(api.db, api.accountId);
    const elsewhere = await post(`/v1/sources/${sibling}/check`, undefined);
    expect(elsewhere.body.code, 'the same operation on another record').toBe('idempotency_key_reused');
    const withBody = `${key} body`;
    expect((await post('/v1/sources', { url, name: 'a' }, { key: withBody })).status).toBe(201);
    for (const body of [{ url }, { url, name: 'b' }, { url, name: 'a', format: 'csv' }]) {
      const { body: problem } = await post('/v1/sources', body, { key: withBody });
      expect(problem.code).toBe('idempotency_key_reused');
    }
  });

  it('belongs to the credential', async () => {
    const { value: sibling } = await createKey(api.db, api.accountId, 'full');
    const { value: stranger } = await createKey(api.db, await createAccount(api.db), 'full');
    const ids = await Promise.all(
      [api.fullKey, sibling, stranger].map(async (auth) => {
        const { status, body } = await post('/v1/sources', { url, name: 'Mine' }, { auth });
        expect(status).toBe(201);
        return body.id;
      }),
    );
    expect(new Set(ids).size).toBe(3);
  });

  it('runs once on two processes that get it at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const before = await countRecords();
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          (index % 2 === 0 ? api.app : other).inject({
            method: 'POST',
            url: '/v1/sources',
            headers: { authorization: `Bearer ${api.fullKey}`, 'idempotency-key': `${key} ${round}` },
            payload: { url, name: 'Race' },
          }),
        ),
      );
      const made = answers.filter(({ statusCode }) => statusCode === 201);
      expect(made.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(1);
      expect(new Set(made.map((answer) => answer.json().id)).size).toBe(1);
      for (const refused of answers.filter(({ statusCode }) => statusCode !== 201)) {
        expect(refused.json().code).toBe('idempotency_in_progress');
      }
      expect(await countRecords()).toBe(before + 1);
    }
  });

  it('is told to retry while the first one runs', async () => {
    const held = holdCreation(api);
    const first = post('/v1/sources', { url, name: 'Slow' });
    await held.reached;
    const meanwhile = await post('/v1/sources', { url, name: 'Slow' });
    expect(meanwhile.body).toMatchObject({ status: 409, code: 'idempotency_in_progress' });
    expect(meanwhile.headers['retry-after']).toBe('2');
    const otherBody = await post('/v1/sources', { url, name: 'Other' });
    expect(otherBody.body.code).toBe('idempotency_key_reused');
    held.open();
    const { body } = await first;
    expect((await post('/v1/sources', { url, name: 'Slow' })).body.id).toBe(body.id);
  });
});

describe('the stored answer', () => {
  it.each([
    [
      'webhooks',
      { url: 'https://example.com/hook', secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}` },
    ],
    ['webhooks', { url: 'https://example.com/hook' }],
    ['apikeys', { name: 'k', scope: 'read' }],
  ])('contains no secret: %s %j', async (collection, body) => {
    const id = await createTestRecord(api.db, api.accountId);
    const path = `/v1/sources/${id}/${collection}`;
    const first = await post(path, body);
    expect(first.status).toBe(201);
    const secret = String(first.body.secret ?? first.body.key);
    expect(secret.length).toBeGreaterThan(20);
    const second = await post(path, body);
    expect(second.status).toBe(201);
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(second.body.id).toBe(first.body.id);
    expect(second.text).not.toContain(secret);
    const [stored] = await storedUnder(key);
    expect(stored?.answer).not.toContain(secret);
    expect(JSON.parse(stored?.answer ?? '')).toMatchObject({ id: first.body.id });
  });

  it('reveals nothing about the body that could be guessed', async () => {
    const body = { url, authType: 'bearer', authToken: 'guess-me' };
    expect((await post('/v1/sources', body)).status).toBe(201);
    const { services } = api;
    const [row] = await rawRows<{ hash: Buffer }>(
      api.db,
      'select request_hash as hash from idempotency_keys where key = ?',
      [stored(key)],
    );
    const keks = new Map([['other', Buffer.alloc(32, 1)]]);
    const elsewhere = buildApp({ ...services, config: { ...services.config, keyEncryptionKeys: keks } });
    const sameRequest = { authorization: `Bearer ${api.fullKey}`, 'idempotency-key': key };
    const answer = await elsewhere.inject({
      method: 'POST',
      url: '/v1/sources',
      headers: sameRequest,
      payload: body,
    });
    await elsewhere.close();
    expect(row?.hash).toHaveLength(32);
    expect(await rawRows(api.db, 'select from idempotency_keys where position(? in key) > 0', [key])).toEqual(
      [],
    );
    expect(answer.json().code, 'another key gives another hash').toBe('idempotency_key_reused');
  });

  it('outlives a rotation of the key-encryption keys', async () => {
    const first = await post('/v1/sources', { url, name: 'Rotated' });
    const { services } = api;
    const keks = new Map([['new', Buffer.alloc(32, 2)], ...services.config.keyEncryptionKeys]);
    const rotated = buildApp({ ...services, config: { ...services.config, keyEncryptionKeys: keks } });
    const answer = await rotated.inject({
      method: 'POST',
      url: '/v1/sources',
      headers: { authorization: `Bearer ${api.fullKey}`, 'idempotency-key': key },
      payload: { url, name: 'Rotated' },
    });
    await rotated.close();
    expect(answer.json().id).toBe(first.body.id);
  });

  it('is stored for 24 hours', async () => {
    const first = await post('/v1/sources', { url, name: 'Day' });
    const age = (interval: string): Promise<unknown> =>
      rawRows(api.db, 'update idempotency_keys set created_at = now() - ?::interval where key = ?', [
        interval,
        stored(key),
      ]);
    await age('23 hours 59 minutes');
    expect((await post('/v1/sources', { url, name: 'Day' })).body.id).toBe(first.body.id);
    expect(await deleteOldKeys(api.db, 100)).toBe(0);
    await age('24 hours');
    const again = await post('/v1/sources', { url, name: 'Next day' });
    expect(again.status).toBe(201);
    expect(again.body.id).not.toBe(first.body.id);
    await age('24 hours');
    expect(await deleteOldKeys(api.db, 100)).toBe(1);
    expect(await storedUnder(key)).toEqual([]);
  });

  it('is absent after a refusal, so the same key works for the corrected request', async () => {
    const { value: reader } = await createKey(api.db, api.accountId, 'read');
    const slug = `taken-${nextKey}`;
    await createTestRecord(api.db, api.accountId, { slug });
    for (const [body, status, auth] of [
      ['{', 400, api.fullKey],
      [{ url: 5 }, 422, api.fullKey],
      [{ url: 'http://127.0.0.1/' }, 422, api.fullKey],
      [{ url }, 403, reader],
      [{ url, slug }, 409, api.fullKey],
    ] as const) {
      expect((await post('/v1/sources', body, { auth })).status).toBe(status);
      expect(await storedUnder(key)).toEqual([]);
    }
    expect((await post('/v1/sources/none/check', undefined)).status).toBe(404);
    expect((await post('/v1/sources', { url })).status).toBe(201);
  });

  it('is absent after a failure, so the request can be retried', async () => {
    const id = await createTestRecord(api.db, api.accountId);
    const path = `/v1/sources/${id}/check`;
    api.workflows.failure = new Error('down');
    expect((await post(path, undefined)).status).toBe(500);
    api.workflows.failure = null;
    expect(await storedUnder(key)).toEqual([]);
    const retried = await post(path, undefined);
    expect(retried.status).toBe(202);
    expect(retried.headers['idempotent-replayed']).toBeUndefined();
    expect((await post(path, undefined)).headers['idempotent-replayed']).toBe('true');
  });
});

describe('regression: a record that was created', () => {
  const rename = (from: string, to: string) => rawRows(api.db, `alter table ${from} rename to ${to}`);

  it.each([
    {
      name: 'is deleted while the request waits for its first check',
      meanwhile: async () => {
        await rawRows(api.db, `update records set deleted_at = now() where name = ?`, [key]);
      },
      afterwards: async () => {},
    },
    {
      name: 'cannot be read while the request waits for its first check',
      meanwhile: async () => {
        await rename('record_heads', 'away');
      },
      afterwards: async () => {
        await rename('away', 'record_heads');
      },
    },
  ])('is not created again by a repeat when it $name', async ({ meanwhile, afterwards }) => {
    const held = holdCreation(api);
    const before = await countRecords();
    const waiting = post('/v1/sources', { url, name: key }, { prefer: 'wait=2' });
    await held.reached;
    await meanwhile();
    held.open();
    await waiting;
    await afterwards();
    const again = await post('/v1/sources', { url, name: key }, { prefer: 'wait=2' });
    expect(again.status).toBe(201);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(await countRecords()).toBe(before + 1);
  });
});

describe('a claim', () => {
  it('of a killed process is taken over, but not that of a running one', async () => {
    const held = holdCreation(api);
    const dying = post('/v1/sources', { url, name: 'Dead' });
    await held.reached;
    const age = (seconds: number): Promise<unknown> =>
      rawRows(
        api.db,
        `update idempotency_keys set created_at = now() - ? * interval '1 second' where key = ? and status is null`,
        [seconds, stored(key)],
      );
    await age(110);
    expect((await post('/v1/sources', { url, name: 'Dead' })).status).toBe(409);
    await age(120);
    const heir = await post('/v1/sources', { url, name: 'Heir' });
    expect(heir.body.name).toBe('Heir');
    held.open();
    expect((await dying).body.name).toBe('Dead');
    // A process that was wrongly believed dead does not overwrite the response of its successor.
    expect((await post('/v1/sources', { url, name: 'Heir' })).body.id).toBe(heir.body.id);
  });

  it('that cannot be stored does not turn success into failure', async () => {
    const held = holdCreation(api);
    api.logLines.length = 0;
    const running = post('/v1/sources', { url, name: 'No disk' });
    await held.reached;
    await rawRows(api.db, 'alter table idempotency_keys rename to away');
    held.open();
    const { status } = await running;
    await rawRows(api.db, 'alter table away rename to idempotency_keys');
    expect(status).toBe(201);
    expect(api.logLines.join('')).toContain('an Idempotency-Key could not be written');
  });
});

describe('a key', () => {
  it.each([[''], ['x'.repeat(256)], ['naïve'], ['tab\there'], ['\u0001']])('%j is refused', async (bad) => {
    const before = await countRecords();
    const { body } = await post('/v1/sources', { url }, { key: bad });
    expect(body).toMatchObject({
      code: 'invalid_parameter',
      errors: [{ pointer: 'Idempotency-Key', code: 'invalid_value' }],
    });
    expect(await countRecords()).toBe(before);
  });

  it.each([['x'], ['k'.repeat(255)], ['"quoted"'], ["'; drop table records; --"]])(
    '%j is accepted',
    async (good) => {
      expect((await post('/v1/sources', { url }, { key: good })).status).toBe(201);
      expect((await post('/v1/sources', { url }, { key: good })).headers['idempotent-replayed']).toBe('true');
    },
  );

  it('regression: that is malformed is refused before a missing permission', async () => {
    const accountId = await createAccount(api.db);
    const { value: auth } = await createKey(api.db, accountId, 'full');
    const body = { name: 'reader', scope: 'read' };
    expect((await post('/v1/apikeys', body, { auth })).status).toBe(402);
    expect(await post('/v1/apikeys', body, { auth, key: 'naïve' })).toMatchObject({
      status: 400,
      body: { code: 'invalid_parameter', errors: [{ pointer: 'Idempotency-Key' }] },
    });
  });

  it('has no effect on reads and other methods', async () => {
    const headers = { 'idempotency-key': key };
    const id = await createTestRecord(api.db, api.accountId);
    expect((await api.call('GET', '/v1/sources', { headers })).status).toBe(200);
    expect((await api.call('PATCH', `/v1/sources/${id}`, { headers, body: { name: 'N' } })).status).toBe(200);
    expect((await api.call('DELETE', `/v1/sources/${id}`, { headers })).status).toBe(204);
    expect(await storedUnder(key)).toEqual([]);
  });

  it('has no effect without a credential: two requests create two sessions', async () => {
    const headers = { 'idempotency-key': key };
    const start = (): Promise<Answer> =>
      api.call('POST', '/v1/sessions', { key: null, headers, body: { url } });
    const [first, second] = [await start(), await start()];
    expect(first.status).toBe(201);
    expect(second.body.token).not.toBe(first.body.token);
    expect(await storedUnder(key)).toEqual([]);
  });
});
