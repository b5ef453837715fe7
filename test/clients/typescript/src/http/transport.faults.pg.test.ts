// The client for TypeScript behind a server that breaks on purpose: it repeats what is worth repeating, and nothing twice.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  ConnectionError,
  Recordwatch,
  type RecordwatchOptions,
  ServerError,
  UnreadableAnswerError,
} from '../../../../../clients/typescript/src/main.ts';
import { useListeningApi } from '../../../../support/api/listening-api.ts';
import { collect } from '../collect.ts';
import { commitRows, createTestRecord } from '../../../../support/rows/factories.ts';
import { type FaultyProxy, startFaultyProxy } from '../../../../support/servers/faulty-proxy.ts';

const { api, baseUrl } = await useListeningApi();
let proxy: FaultyProxy;
beforeAll(async () => {
  proxy = await startFaultyProxy(baseUrl);
});
afterAll(() => proxy.close());
beforeEach(() => proxy.forget());

const clientWith = (options: Partial<RecordwatchOptions> = {}) =>
  new Recordwatch({ baseUrl: proxy.url, apiKey: api.fullKey, ...options });

const newRecord = (client: Recordwatch, name: string) =>
  client.records.create({ url: `https://example.com/${randomUUID()}.csv`, name });
const named = (name: string) => clientWith().records.list({ search: name }).toArray();

describe('a request is repeated', () => {
  it('after 429', async () => {
    proxy.next({ status: 429, headers: { 'retry-after': '0' } });
    await clientWith().records.list().page();
    expect(proxy.requests).toHaveLength(2);
  });

  it('after 503, and fails when it stays', async () => {
    proxy.next({ status: 503, headers: { 'retry-after': '0' } });
    await clientWith().records.list().page();
    for (let count = 0; count < 3; count += 1) proxy.next({ status: 503, headers: { 'retry-after': '0' } });
    await expect(clientWith({ maxRetries: 2 }).records.list().page()).rejects.toThrow(ServerError);
  });

  it.each(['[{"message":"x"}]', '["x"]', '{"a":1}', '[null]', '"x"'])(
    'regression: and fails without the errors of a proxy: %s',
    async (errors) => {
      proxy.next({ status: 503, body: `{"errors":${errors}}` });
      const refused = clientWith({ maxRetries: 0 }).records.list().page();
      await expect(refused).rejects.toMatchObject({ name: 'ServerError', errors: [], pointer: undefined });
    },
  );

  it.each(['404', '{}', '[1]', 'true', 'null', '""'])(
    'regression: and fails without the texts of a proxy that are none: %s',
    async (value) => {
      const names = ['title', 'detail', 'code', 'requestId', 'upgradeUrl'];
      const body = `{${names.map((name) => `"${name}":${value}`).join(',')}}`;
      proxy.next({ status: 404, body });
      await expect(clientWith().records.list().page()).rejects.toMatchObject({
        message: 'The server answered 404.',
        code: 'unreadable',
        requestId: undefined,
        upgradeUrl: undefined,
      });
    },
  );

  it('not when Retry-After is longer than the caller waits', async () => {
    proxy.next({ status: 503, headers: { 'retry-after': '3600' } });
    const refused = clientWith().records.list().page();
    await expect(refused).rejects.toMatchObject({ status: 503, retryAfterMs: 3_600_000, code: 'unreadable' });
    expect(proxy.requests).toHaveLength(1);
  });
});

describe('a connection that breaks', () => {
  it.each(['before-request', 'after-request', 'amid-answer'] as const)(
    '%s of a POST creates one record',
    async (fault) => {
      const name = `Broken ${fault}`;
      proxy.next(fault);
      const made = await newRecord(clientWith(), name);
      expect(await named(name)).toMatchObject([{ id: made.id }]);
      const keys = proxy.requests.filter(({ method }) => method === 'POST').map(({ headers }) => headers);
      expect(keys).toHaveLength(2);
      expect(keys[0]?.['idempotency-key']).toBe(keys[1]?.['idempotency-key']);
    },
  );

  it('after a DELETE leaves it deleted, without an error', async () => {
    const { id } = await newRecord(clientWith(), 'Short');
    proxy.next('after-request');
    await clientWith().records.delete(id);
    expect(await named('Short')).toEqual([]);
  });

  it('regression: before a DELETE, then a proxy’s own 404, is no deletion', async () => {
    const { id } = await newRecord(clientWith(), 'Still here');
    proxy.next('before-request');
    proxy.next({ status: 404, body: '404 page not found' });
    await expect(clientWith().records.delete(id)).rejects.toMatchObject({
      name: 'NotFoundError',
      code: 'unreadable',
    });
    expect(await named('Still here')).toMatchObject([{ id }]);
  });

  it('regression: 429 of a DELETE, then 404, is no deletion', async () => {
    proxy.next({ status: 429, headers: { 'retry-after': '0' } });
    const refused = clientWith().records.delete('mistyped');
    await expect(refused).rejects.toMatchObject({ name: 'NotFoundError', code: 'not_found' });
    expect(proxy.requests).toHaveLength(2);
  });

  it('does not start a second anonymous session', async () => {
    proxy.next('after-request');
    const client = clientWith({ apiKey: undefined });
    await expect(client.sessions.create({ url: 'https://example.com/s.csv' })).rejects.toThrow(
      ConnectionError,
    );
    expect(proxy.requests).toHaveLength(1);
  });

  it('ends a download with an error, never as a shorter file', async () => {
    const recordId = await createTestRecord(api.db, api.accountId);
    const rows = Array.from({ length: 50 }, (_, index) => [`k${index}`, `{"id":"k${index}","price":"1"}`]);
    await commitRows(api.db, recordId, Object.fromEntries(rows));
    proxy.next('amid-answer');
    const seen: unknown[] = [];
    const reading = (async () => {
      for await (const row of clientWith().snapshots.export(recordId)) seen.push(row);
    })();
    await expect(reading).rejects.toThrow(ConnectionError);
    expect(seen.length).toBeLessThan(50);
    expect((await collect(clientWith().snapshots.export(recordId))).length).toBe(50);
  });
});

it('a call ends when its signal aborts, also while it waits to repeat', async () => {
  proxy.next({ status: 429, headers: { 'retry-after': '100' } });
  const ending = new AbortController();
  const listing = clientWith().records.list({}, { signal: ending.signal }).page();
  proxy.onAnswer(() => ending.abort(new Error('enough')));
  await expect(listing).rejects.toThrow('enough');
});

it('a silent server is given up', async () => {
  proxy.next('silence');
  const client = clientWith({ timeoutMs: 50, maxRetries: 0 });
  await expect(client.records.list().page()).rejects.toThrow('No answer within 0.05 seconds.');
});

describe('regression: an answer that is not of Recordwatch is named as such', () => {
  const words = /The service.* did not answer as Recordwatch does\./;

  it.each(['{"ok":true}', '{"id":"page"}', '[]', 'null', '', '<html></html>'])('%s', async (body) => {
    for (const call of [
      () => clientWith().records.list().toArray(),
      () => clientWith().events.page(),
      () => clientWith().events.follow().next(),
    ]) {
      proxy.next({ status: 200, body });
      await expect(call()).rejects.toThrow(words);
    }
  });

  it('a page in place of a file', async () => {
    const { snapshots, changes } = clientWith();
    for (const call of [
      () => snapshots.download('prices'),
      () => changes.download('prices', 'latest'),
      () => collect(snapshots.export('prices')),
    ]) {
      proxy.next({ status: 200, headers: { 'content-type': 'application/jsonl' }, body: '{"ok":true}' });
      await expect(call()).rejects.toThrow(UnreadableAnswerError);
    }
  });

  it.each(['{"ok":true}', '[]', ''])('%j for one thing, and for a new key', async (body) => {
    proxy.next({ status: 200, body });
    await expect(clientWith().records.get('prices')).rejects.toMatchObject({
      message: expect.stringContaining(`The service at ${proxy.url} did not`),
      code: 'unreadable',
    });
    proxy.next({ status: 200, body });
    await expect(clientWith().keys.create({ name: 'x', scope: 'read' })).rejects.toThrow(
      UnreadableAnswerError,
    );
    proxy.next({ status: 200, body });
    await expect(clientWith().records.delete('prices')).rejects.toThrow(UnreadableAnswerError);
  });
});
