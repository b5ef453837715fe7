// The client for TypeScript against the running API: resources, lists, errors, and changes that are repeated.
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  AuthenticationError,
  NotFoundError,
  Recordwatch,
  RecordwatchError,
  RequestError,
  SecretNotShownError,
  ValidationError,
} from '../../../../clients/typescript/src/main.ts';
import { createTestRecord } from '../../../support/rows/factories.ts';
import { useListeningApi } from '../../../support/api/listening-api.ts';

const { api, baseUrl } = await useListeningApi();
let client: Recordwatch;
beforeAll(async () => {
  // Keys need a record on a paid tier.
  await createTestRecord(api.db, api.accountId, { tier: 'watch' });
  client = new Recordwatch({ baseUrl: `${baseUrl}/`, apiKey: api.fullKey });
});

const newRecord = (settings: object = {}) =>
  client.records.create({ url: `https://example.com/${randomUUID()}.csv`, ...settings });

describe('records', () => {
  it('are created, read, changed and deleted', async () => {
    const made = await newRecord({ name: 'Prices', labels: { team: 'pricing' } });
    expect(await client.records.update(made.id, { name: 'All prices' })).toMatchObject({
      name: 'All prices',
    });
    expect(await client.records.get(made.slug)).toMatchObject({ id: made.id, name: 'All prices' });
    expect(await client.records.pause(made.id)).toMatchObject({ status: 'paused' });
    expect(await client.records.delete(made.id)).toBeUndefined();
    await expect(client.records.get(made.id)).rejects.toThrow(NotFoundError);
  });

  it('are listed over all pages, each once', async () => {
    const made = await Promise.all(Array.from({ length: 5 }, () => newRecord({ labels: { list: 'five' } })));
    const list = client.records.list({ label: ['list:five'], limit: 2 });
    const seen: string[] = [];
    for await (const { id } of list) seen.push(id);
    expect(seen.sort()).toEqual(made.map(({ id }) => id).sort());
    expect((await list.toArray(3)).length).toBe(3);
    const first = await list.page();
    expect(first).toMatchObject({ hasMore: true, items: { length: 2 } });
    const second = await list.page(first.nextCursor ?? '');
    expect(second.items).not.toContainEqual(first.items[0]);
  });
});

describe('keys', () => {
  it('are shown once', async () => {
    const made = await client.keys.create({ name: 'Reader', scope: 'read' });
    const reader = new Recordwatch({ baseUrl, apiKey: () => Promise.resolve(made.key) });
    await expect(reader.records.list().page()).resolves.toBeDefined();
    await client.keys.revoke(made.id);
    await expect(reader.records.list().page()).rejects.toThrow(AuthenticationError);
  });

  it('say when their secret is lost', async () => {
    const options = { idempotencyKey: randomUUID() };
    const { id } = await client.keys.create({ name: 'Twice', scope: 'read' }, options);
    const again = client.keys.create({ name: 'Twice', scope: 'read' }, options);
    await expect(again).rejects.toThrow(SecretNotShownError);
    await expect(again).rejects.toMatchObject({ id, code: 'secret_not_shown' });
  });
});

describe('webhooks of the account', () => {
  it('are created with their secret, listed, changed and deleted', async () => {
    const { id: record } = await newRecord();
    const made = await client.accountWebhooks.create({
      url: 'https://example.com/hook',
      sources: { ids: [record] },
    });
    expect(made.secret).toMatch(/^whsec_/);
    const update = { sources: { labels: { team: 'pricing' } } };
    expect(await client.accountWebhooks.update(made.id, update)).toMatchObject(update);
    expect((await client.accountWebhooks.list().toArray()).map(({ id }) => id)).toContain(made.id);
    expect(await client.accountWebhooks.deliveries(made.id).toArray()).toEqual([]);
    const rotated = await client.accountWebhooks.rotateSecret(made.id);
    expect(rotated.secret).not.toBe(made.secret);
    await client.accountWebhooks.delete(made.id);
    await expect(client.accountWebhooks.get(made.id)).rejects.toThrow(NotFoundError);
  });
});

describe('errors', () => {
  it('have code, status, request id and pointer', async () => {
    const refused = client.records.create({ url: 'nonsense', checkIntervalMinutes: -1 });
    await expect(refused).rejects.toThrow(ValidationError);
    await expect(refused).rejects.toMatchObject({
      code: 'validation_failed',
      status: 422,
      pointer: '/checkIntervalMinutes',
      requestId: expect.stringMatching(/./),
    });
    await expect(client.records.list({ limit: -1 }).page()).rejects.toThrow(RequestError);
  });

  it('come before a request that could not be written', async () => {
    await expect(client.records.get('')).rejects.toThrow('id must not be empty');
    await expect(client.snapshots.row('self', '..')).rejects.toThrow('cannot be “..”');
    expect(() => new Recordwatch({ baseUrl: 'recordwatch' })).toThrow(RecordwatchError);
    const withPassword = { baseUrl: 'https://user:hunter2@recordwatch.example' };
    expect(() => new Recordwatch(withPassword)).toThrow(/^baseUrl must have no user name and no password/);
  });
});
