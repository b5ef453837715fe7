// The clients for Python, sync and async, against the running API, and behind a server that breaks on purpose.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useListeningApi } from '../../support/api/listening-api.ts';
import { commitRows, createTestRecord } from '../../support/rows/factories.ts';
import { type FaultyProxy, startFaultyProxy } from '../../support/servers/faulty-proxy.ts';
import { INSTALL_MS } from '../../support/servers/python-packages.ts';
import { type Python, startPython } from './python.ts';

const ROWS = 230;

const { api, baseUrl } = await useListeningApi();
const folder = mkdtempSync(join(tmpdir(), 'recordwatch-python-'));
let python: Python;
let proxy: FaultyProxy;
let table: string;
beforeAll(async () => {
  proxy = await startFaultyProxy(baseUrl);
  python = await startPython();
  table = await createTestRecord(api.db, api.accountId, { keyFields: ['id'] });
  const rows = (price: string) =>
    Object.fromEntries(
      Array.from({ length: ROWS }, (_, index) => {
        const id = `k/${String(index).padStart(4, '0')}`;
        const mixed = index % 2 === 0 ? '1' : '{"a":"é"}';
        return [
          id,
          `{"id":"${id}","price":${index === 7 ? price : index},"note":"é\u2028","mixed":${mixed}}`,
        ];
      }),
    );
  for (const price of ['1', '2.5'])
    await commitRows(api.db, table, rows(price), ['id', 'price', 'note', 'mixed']);
}, INSTALL_MS);
afterAll(async () => {
  await python.kill();
  await proxy.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => proxy.forget());

describe.each(['sync', 'async'])('%s', (kind) => {
  beforeAll(async () => {
    const options = { base_url: `${proxy.url}/`, api_key: api.fullKey };
    await python.run('client', { kind, name: 'c', ...options });
    await python.run('client', { kind, name: 'stranger', ...options, api_key: 'cat_live_unknown' });
    await python.run('client', { kind, name: 'hasty', ...options, timeout: 0.05, max_retries: 0 });
  });
  const call = (path: string, args: unknown[] = [], kwargs: object = {}, name = 'c') =>
    python.run('call', { name, path, args, kwargs });
  const newRecord = (kwargs: object = {}) =>
    call('records.create', [], { url: `https://example.com/${randomUUID()}.csv`, ...kwargs });

  it('has a feed that takes a condition', async () => {
    const page = (condition: string) => call('events.page', [], { sourceId: table, condition });
    expect((await page('{">":[{"var":"changedCount"},9]}')).value.events).toEqual([]);
    const { events } = (await page('{"==":[{"var":"changedCount"},1]}')).value;
    expect(events).toMatchObject([{ sourceId: table, condition: 'met' }]);
  });

  it('has webhooks of the account', async () => {
    const { value: made } = await call('account_webhooks.create', [], { url: 'https://example.com/hook' });
    expect(made.secret).toMatch(/^whsec_/);
    const sources = { labels: { team: 'pricing' } };
    expect((await call('account_webhooks.update', [made.id], { sources })).value.sources).toEqual(sources);
    expect((await call('account_webhooks.deliveries', [made.id])).value).toEqual([]);
    await call('account_webhooks.delete', [made.id]);
    expect((await call('account_webhooks.list')).value).toEqual([]);
  });

  describe('records', () => {
    it('are created, read, changed and deleted', async () => {
      const { value: made } = await newRecord({ name: 'Prices', checkIntervalMinutes: 60 });
      expect((await call('records.update', [made.id], { name: 'All' })).value.name).toBe('All');
      expect((await call('records.get', [made.slug])).value).toMatchObject({ id: made.id, name: 'All' });
      expect((await call('records.pause', [made.id])).value.status).toBe('paused');
      expect(await call('records.delete', [made.id])).toEqual({ value: null });
      expect(await call('records.get', [made.id])).toMatchObject({ error: 'NotFoundError', status: 404 });
    });

    it('are listed over all pages, each once', async () => {
      const label = `five-${kind}`;
      const made: string[] = [];
      while (made.length < 5) made.push((await newRecord({ labels: { list: label } })).value.id);
      const kwargs = { label: [`list:${label}`], limit: 2 };
      const { value } = await call('records.list', [], kwargs);
      expect(value.map(({ id }: { id: string }) => id).sort()).toEqual(made.sort());
      const list = { name: 'c', path: 'records.list', args: [], kwargs };
      const first = (await python.run('page', { ...list, cursor: null })).value;
      expect(first).toMatchObject({ has_more: true, items: { length: 2 } });
      const second = (await python.run('page', { ...list, cursor: first.next_cursor })).value;
      expect(second.items).not.toContainEqual(first.items[0]);
    });
  });

  describe('errors', () => {
    it('have code, status, request id and pointer', async () => {
      expect(
        await call('records.create', [], { url: 'https://example.com/a.csv', checkIntervalMinutes: -1 }),
      ).toMatchObject({
        error: 'ValidationError',
        code: 'validation_failed',
        status: 422,
        pointer: '/checkIntervalMinutes',
        request_id: expect.stringMatching(/./),
      });
      expect(await call('records.list', [], { limit: -1 })).toMatchObject({ error: 'RequestError' });
      expect(await call('records.list', [], {}, 'stranger')).toMatchObject({ error: 'AuthenticationError' });
      expect(await call('records.get', ['..'])).toMatchObject({ error: 'RecordwatchError' });
      const withPassword = { kind, name: 'password', base_url: 'https://user:hunter2@recordwatch.example' };
      expect(await python.run('client', withPassword)).toMatchObject({
        error: 'RecordwatchError',
        message: expect.stringMatching(/^base_url must have no user name and no password/),
      });
    });

    it.each(['', 'hunter2\nhunter2', 'hunter2 hunter2', 'hunter2é', 'hunter2\0'])(
      'regression: refuse the key %j when the client is made, and do not repeat it',
      async (api_key) => {
        expect(await python.run('client', { kind, name: 'odd', base_url: proxy.url, api_key })).toEqual({
          error: 'RecordwatchError',
          code: 'client',
          message: expect.stringMatching(/^api_key must be one API key and nothing else: [A-Z a-z.]+$/),
        });
      },
    );

    it('regression: know a key with a line end, and no connection that a header has broken', async () => {
      const api_key = ` ${api.fullKey}\r\n`;
      await python.run('client', { kind, name: 'lines', base_url: proxy.url, api_key });
      expect((await call('records.list', [], {}, 'lines')).value).toBeDefined();
      const odd = { name: 'x', scope: 'read', idempotency_key: 'a\nb' };
      expect(await call('keys.create', [], odd)).toMatchObject({
        error: 'RecordwatchError',
        message: 'The request cannot be sent.',
      });
    });

    it('say when a secret is lost', async () => {
      const kwargs = { name: 'Twice', scope: 'read', idempotency_key: randomUUID() };
      const { value } = await call('keys.create', [], kwargs);
      expect(value.key).toMatch(/^cat_live_/);
      const again = await call('keys.create', [], kwargs);
      expect(again).toMatchObject({ error: 'SecretNotShownError', id: value.id });
    });
  });

  describe('rows', () => {
    it('are read over all pages, and in one request', async () => {
      const row = { id: 'k/0007', price: 2.5, note: 'é\u2028', mixed: { a: 'é' } };
      const { value: rows } = await call('snapshots.rows', [table]);
      expect(rows).toHaveLength(ROWS);
      expect(rows[7]).toEqual({ key: 'k/0007', data: row });
      const { value: exported } = await call('snapshots.export', [table]);
      expect(exported).toHaveLength(ROWS);
      expect(exported[7]).toEqual(row);
      expect((await call('snapshots.row', [table, 'k/0007'])).value.data).toEqual(row);
    });

    it('are chosen by filters', async () => {
      const filter = { price: { gte: '226', exists: true }, id: { in: ['k/0227', 'k/0228', 'k/0001'] } };
      const { value } = await call('snapshots.export', [table], { filter });
      expect(value.map(({ id }: { id: string }) => id)).toEqual(['k/0227', 'k/0228']);
    });

    it('are files, too', async () => {
      const { value } = await python.run('download', { name: 'c', args: [table], kwargs: { format: 'csv' } });
      expect(value[0]).toMatch(/\.csv$/);
      expect(value[1].split('\n')[8]).toContain('k/0007');
    });

    it.each([
      ['pandas', { id: 'str', price: 'float64', note: 'str', mixed: 'str' }],
      ['polars', { id: 'String', price: 'Float64', note: 'String', mixed: 'String' }],
      ['arrow', { id: 'string', price: 'double', note: 'string', mixed: 'string' }],
    ])('are a table of %s', async (library, types) => {
      const { value } = await python.run('table', { name: 'c', kind: library, record: table });
      expect(value.types).toEqual(types);
      expect(value.rows).toHaveLength(ROWS);
      expect(value.rows[7]).toEqual({ id: 'k/0007', price: 2.5, note: 'é\u2028', mixed: '{"a": "\\u00e9"}' });
    });

    it('regression: have integers of any length', async () => {
      const digits = '7'.repeat(5_000);
      const headers = { 'content-type': 'application/jsonl', 'content-disposition': 'x; filename="a.jsonl"' };
      proxy.next({ status: 200, headers, body: `{"n":${digits},"m":{"a":[${digits},"é"]}}\n` });
      const { value } = await python.run('table', { name: 'c', kind: 'polars', record: table });
      expect(value.rows).toEqual([{ n: digits, m: `{"a": [${digits}, "\\u00e9"]}` }]);
      proxy.next({ status: 200, body: `{"id":"src_1","n":${digits}}` });
      expect((await call('records.get', ['prices'])).value.n).toBe(digits);
    });

    it('of changes and comparisons', async () => {
      const { value: events } = await call('changes.list', [table], { order: 'asc' });
      const { value: rows } = await call('changes.rows', [table, 'latest']);
      expect(rows).toMatchObject([{ key: 'k/0007', before: { price: 1 }, after: { price: 2.5 } }]);
      const [from, to] = events.map(({ snapshotId }: { snapshotId: string }) => snapshotId);
      expect((await call('changes.compare_rows', [table, from, to])).value).toMatchObject([
        { key: 'k/0007' },
      ]);
    });
  });

  describe('a fault', () => {
    it('that passes is waited for: 429 and 503', async () => {
      proxy.next({ status: 429, headers: { 'retry-after': '0' } });
      proxy.next({ status: 503, headers: { 'retry-after': '0' } });
      expect((await call('records.list')).value).toBeDefined();
      expect(proxy.requests).toHaveLength(3);
    });

    it('that stays is an error', async () => {
      proxy.next({ status: 503, headers: { 'retry-after': '3600' } });
      const stays = { error: 'ServerError', code: 'unreadable', retry_after: 3600 };
      expect(await call('records.list')).toMatchObject(stays);
      proxy.next('silence');
      expect(await call('records.list', [], {}, 'hasty')).toMatchObject({
        error: 'ApiConnectionError',
        message: 'No answer within 0.05 seconds.',
      });
    });

    it.each(['404', '{}', '[1]', 'true', 'null', '""'])(
      'regression: is told without the texts of a proxy that are none: %s',
      async (value) => {
        proxy.next({ status: 404, body: `{"detail":${value},"code":${value},"requestId":${value}}` });
        const foreign = { error: 'NotFoundError', message: 'The server answered 404.', code: 'unreadable' };
        const told = await call('records.list');
        expect(told).toMatchObject(foreign);
        expect(told.request_id ?? '').toBe('');
      },
    );

    it.each(['{"ok":true}', '{"id":"page"}', '[]', 'null', '', '<html></html>'])(
      'regression: an answer that is not of Recordwatch is named as such: %j',
      async (body) => {
        const foreign = {
          error: 'UnreadableAnswerError',
          code: 'unreadable',
          message: expect.stringContaining(`${proxy.url} did not answer as Recordwatch does.`),
        };
        for (const path of ['records.list', 'events.page']) {
          proxy.next({ status: 200, body });
          expect(await call(path)).toMatchObject(foreign);
        }
        await python.run('follow', { name: 'c', handle: 'feed' });
        proxy.next({ status: 200, body });
        expect(await python.run('next_of', { handle: 'feed' })).toMatchObject(foreign);
      },
    );

    it('regression: a page is no file', async () => {
      const page = { status: 200, headers: { 'content-type': 'application/jsonl' }, body: '{"ok":true}' };
      proxy.next(page);
      const args = [table];
      expect(await python.run('download', { name: 'c', args, kwargs: {} })).toMatchObject({
        error: 'UnreadableAnswerError',
      });
      proxy.next(page);
      expect(await call('snapshots.export', args)).toMatchObject({ error: 'UnreadableAnswerError' });
    });

    it.each(['{"ok":true}', '[]', ''])(
      'regression: %j is no record, no key and no deletion',
      async (body) => {
        for (const [path, args, kwargs] of [
          ['records.get', ['prices'], {}],
          ['keys.create', [], { name: 'x', scope: 'read' }],
          ['records.delete', ['prices'], {}],
        ] as const) {
          proxy.next({ status: 200, body });
          expect(await call(path, [...args], kwargs)).toMatchObject({ error: 'UnreadableAnswerError' });
        }
      },
    );

    it.each(['before-request', 'after-request', 'amid-answer'] as const)(
      '%s of a POST creates one record',
      async (fault) => {
        const name = `Broken ${fault} ${kind}`;
        proxy.next(fault);
        const { value: made } = await newRecord({ name });
        const posts = proxy.requests.filter(({ method }) => method === 'POST');
        expect(posts).toHaveLength(2);
        expect(new Set(posts.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
        expect((await call('records.list', [], { search: name })).value).toMatchObject([{ id: made.id }]);
      },
    );

    it('after a DELETE leaves it deleted, and after a session’s POST starts no second one', async () => {
      const { value } = await newRecord();
      proxy.next('after-request');
      expect(await call('records.delete', [value.id])).toEqual({ value: null });
      proxy.forget();
      proxy.next('after-request');
      const session = await call('sessions.create', [], { url: 'https://example.com/s.csv' });
      expect(session).toMatchObject({ error: 'ApiConnectionError' });
      expect(proxy.requests).toHaveLength(1);
    });

    it('regression: before a DELETE, then a proxy’s own 404, is no deletion', async () => {
      const { value } = await newRecord();
      proxy.next('before-request');
      proxy.next({ status: 404, body: '404 page not found' });
      expect(await call('records.delete', [value.id])).toMatchObject({
        error: 'NotFoundError',
        code: 'unreadable',
      });
      expect((await call('records.get', [value.id])).value).toMatchObject({ id: value.id });
    });

    it('regression: 429 of a DELETE, then 404, is no deletion', async () => {
      proxy.next({ status: 429, headers: { 'retry-after': '0' } });
      const refused = await call('records.delete', ['mistyped']);
      expect(refused).toMatchObject({ error: 'NotFoundError', code: 'not_found' });
      expect(proxy.requests).toHaveLength(2);
    });

    it('amid a download is an error, never a shorter file', async () => {
      proxy.next('amid-answer');
      const brokeOff = { error: 'ApiConnectionError', message: 'The download broke off.' };
      expect(await call('snapshots.export', [table])).toMatchObject(brokeOff);
      proxy.next('amid-answer');
      expect(await python.run('download', { name: 'c', args: [table], kwargs: {} })).toMatchObject(brokeOff);
    });

    it('regression: of the caller’s own request amid a download stays what it is', async () => {
      const failed = await python.run('fail_amid_download', { name: 'c', args: [table] });
      expect(failed).toMatchObject({ error: 'ConnectError', message: 'elsewhere' });
    });
  });

  describe('the feed', () => {
    let record: string;
    let version = 0;
    const change = async (): Promise<string> => {
      version += 1;
      await commitRows(api.db, record, { A: `{"id":"A","price":"${version}"}` });
      return (await call('changes.latest', [record])).value.id;
    };
    beforeEach(async () => {
      record = await createTestRecord(api.db, api.accountId);
      await change();
      proxy.forget();
    });
    const follow = (options: object, to = python) =>
      to.run('follow', { name: 'c', handle: 'feed', sourceId: record, ...options });
    const next = async (to = python) => (await to.run('next_of', { handle: 'feed' })).value.deltaEventId;

    it('neither loses nor repeats an event when connections break', async () => {
      const made = [await change(), await change(), await change(), await change()];
      await follow({ limit: 1 });
      const seen = [await next()];
      for (const fault of ['before-request', 'after-request', 'amid-answer'] as const) {
        proxy.next(fault);
        proxy.next({ status: 503, headers: { 'retry-after': '0' } });
        seen.push(await next());
      }
      expect(seen).toEqual(made);
    });

    it.each(['[{"message":"x"}]', '["x"]', '{"a":1}', '[null]', '"x"'])(
      'regression: goes on after a proxy’s answer with errors of its own: %s',
      async (errors) => {
        const made = await change();
        await follow({});
        proxy.next({ status: 503, headers: { 'retry-after': '0' }, body: `{"errors":${errors}}` });
        expect(await next()).toBe(made);
      },
    );

    it.each([
      { status: 404, body: '404 page not found' },
      { status: 410 },
      { status: 530 },
      { status: 200, body: '<h1>Maintenance</h1>' },
      { status: 503, headers: { 'retry-after': '300' } },
      { status: 404, headers: { 'retry-after': '300' } },
    ])('regression: goes on after the answer of a proxy: %j', async (answer) => {
      const made = [await change(), await change()];
      const options = { base_url: proxy.url, api_key: api.fullKey, max_retry_wait: 0.001 };
      await python.run('client', { kind, name: 'impatient', ...options });
      await follow({ limit: 1, name: 'impatient' });
      const first = await next();
      proxy.next(answer);
      proxy.next(answer);
      expect([first, await next()]).toEqual(made);
    });

    it('regression: takes a proxy’s 410 as its first answer for what it is', async () => {
      await follow({});
      proxy.next({ status: 410 });
      const refused = await python.run('next_of', { handle: 'feed' });
      expect(refused).toMatchObject({ error: 'GoneError', code: 'unreadable' });
    });

    it('waits for what happens next', async () => {
      await follow({ since: 'now' });
      const waiting = next();
      await expect.poll(() => proxy.requests.at(-1)?.headers['prefer']).toBe('wait=30');
      await commitRows(api.db, record, { A: '{"id":"A","price":"new"}' });
      expect(await waiting).toBe((await call('changes.latest', [record])).value.id);
    });

    it('gives an event again whose handling was killed, and no event before it', async () => {
      const place = join(folder, `killed-${kind}`);
      const made = [await change(), await change(), await change()];
      const killed = await startPython();
      const options = { base_url: baseUrl, api_key: api.fullKey };
      await killed.run('client', { kind, name: 'c', ...options });
      await follow({ place }, killed);
      expect([await next(killed), await next(killed)]).toEqual(made.slice(0, 2));
      await killed.kill();
      await follow({ place });
      expect([await next(), await next()]).toEqual(made.slice(1));
    });

    it('says what to do when the place is gone', async () => {
      await follow({ since: 'made-up' });
      expect(await python.run('next_of', { handle: 'feed' })).toMatchObject({
        error: 'FeedGoneError',
        code: 'gone',
        message: expect.stringContaining('Clear the stored place, and follow again.'),
      });
    });
  });
});
