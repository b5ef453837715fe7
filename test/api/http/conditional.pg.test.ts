// ETag and If-None-Match: the comparisons of RFC 9110, and the answers of every read.
import { Type } from 'typebox';
import { beforeAll, describe, expect, it } from 'vitest';
import { entityTagOf, isNotModified } from '../../../api/http/conditional.ts';
import { defineOperation } from '../../../api/contract/operation.ts';
import { OPERATIONS } from '../../../api/operations.ts';
import { useApi } from '../../support/api/api.ts';
import { commitRows, createKey, createTestRecord } from '../../support/rows/factories.ts';

describe('If-None-Match', () => {
  it.each([
    ['"a"', '"a"'],
    ['W/"a"', '"a"'],
    ['"a"', 'W/"a"'],
    ['*', '"a"'],
    [' * ', '"a"'],
    ['"x", "a"', '"a"'],
    ['"x","a","y"', '"a"'],
    ['"x" , W/"a"', '"a"'],
    ['"x,y", "a"', '"a"'],
    ['"a,b"', '"a,b"'],
    [', ,"a",', '"a"'],
    ['"\u00e9"', '"\u00e9"'],
  ])('%s has %s', (header, tag) => {
    expect(isNotModified(header, tag)).toBe(true);
  });

  it.each([
    [undefined, '"a"'],
    ['', '"a"'],
    ['"b"', '"a"'],
    ['a', '"a"'],
    ['"A"', '"a"'],
    ['"ab"', '"a"'],
    ['"x,a"', '"a"'],
    ['w/"b", "c"', '"a"'],
    ['"*"', '"a"'],
    ['*, "b"', '"a"'],
    ['"a', '"a"'],
  ])('%s has not %s', (header, tag) => {
    expect(isNotModified(header, tag)).toBe(false);
  });

  it('is read in time linear in its length', () => {
    for (const hostile of ['"', 'W/', '",', '"a"', '\\"', ' ']) {
      expect(isNotModified(hostile.repeat(16_000 / hostile.length), '"b"')).toBe(false);
    }
  });

  it('compares contents, each of which has its own tag', () => {
    expect(entityTagOf('a')).toBe(entityTagOf('a'));
    expect(entityTagOf('a')).not.toBe(entityTagOf('b'));
    expect(entityTagOf('')).toMatch(/^"[\w-]{43}"$/);
  });
});

const api = useApi();
let id = '';
let otherKey = '';

beforeAll(async () => {
  id = await createTestRecord(api.db, api.accountId);
  for (const price of [1, 2]) {
    await commitRows(api.db, id, { a: `{"p":${price}}`, b: `{"p":${price}}`, c: '{"p":0}' });
  }
  otherKey = (await createKey(api.db, api.accountId, 'read')).value;
});

/** Every read of a record's objects, with a cursor for the next page where there is one. */
async function readsOfRecord(): Promise<string[]> {
  const { body: events } = await api.call('GET', `/v1/sources/${id}/delta`);
  const { body: snapshots } = await api.call('GET', `/v1/sources/${id}/snapshots`);
  const known: Record<string, string> = {
    ':id': id,
    ':deltaEventId': events.events[0].id,
    ':snapshotId': snapshots.snapshots[0].id,
    ':key': 'a',
  };
  return OPERATIONS.filter(({ http }) => http.method === 'GET').flatMap(({ http, query }) => {
    const path = http.path.replaceAll(/:\w+/g, (name) => known[name] ?? name);
    return path.includes(':') ? [] : ['limit' in query.properties ? `${path}?limit=1` : path];
  });
}

describe('every read', () => {
  it('has a strong tag that is the same for every caller, and is 304 for callers that have it', async () => {
    const seen: string[] = [];
    for (const path of await readsOfRecord()) {
      const first = await api.call('GET', path);
      if (first.status !== 200 || !String(first.headers['content-type']).includes('json')) continue;
      seen.push(path);
      const etag = String(first.headers['etag']);
      expect(etag, `of ${path}`).toMatch(/^"[\w-]{43}"$/);
      expect(first.headers['cache-control']).toBe('private, no-cache');
      expect((await api.call('GET', path)).text, `of ${path}`).toBe(first.text);
      const mayOther = (await api.call('GET', path, { key: otherKey })).status === 200;
      const key = mayOther ? otherKey : api.fullKey;
      for (const given of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const headers = { 'if-none-match': given };
        const again = await api.call('GET', path, { headers, key });
        expect([again.status, again.text, again.headers['etag']], `of ${path}`).toEqual([304, '', etag]);
        expect(again.headers['cache-control']).toBe('private, no-cache');
        expect(again.headers['content-type']).toBeUndefined();
        expect(again.headers['x-request-id']).toBeDefined();
      }
      const stale = await api.call('GET', path, { headers: { 'if-none-match': '"other"' } });
      expect([stale.status, stale.text]).toEqual([200, first.text]);
    }
    expect(seen.length).toBeGreaterThanOrEqual(8);
    const cursors = await Promise.all(
      seen.map(async (path) => (await api.call('GET', path)).body.nextCursor),
    );
    expect(cursors.filter((cursor) => typeof cursor === 'string').length).toBeGreaterThanOrEqual(3);
  });

  it('changes its tag with its content', async () => {
    const path = `/v1/sources/${id}`;
    const { headers } = await api.call('GET', path);
    await api.call('PATCH', path, { body: { name: 'Another name' } });
    const after = await api.call('GET', path, { headers: { 'if-none-match': String(headers['etag']) } });
    expect(after.status).toBe(200);
    expect(after.headers['etag']).not.toBe(headers['etag']);
  });

  it('has the same result for HEAD', async () => {
    const path = `/v1/sources/${id}/delta/latest`;
    const got = await api.call('GET', path);
    const head = await api.call('HEAD', path);
    expect([head.status, head.text, head.headers['etag']]).toEqual([200, '', got.headers['etag']]);
    expect(head.headers['content-length']).toBe(String(Buffer.byteLength(got.text)));
    const headers = { 'if-none-match': String(got.headers['etag']) };
    expect((await api.call('HEAD', path, { headers })).status).toBe(304);
  });
});

describe('a call that is not a read', () => {
  it('has no tag and is not cached', async () => {
    const headers = { 'if-none-match': '*' };
    const made = await api.call('POST', '/v1/sources', {
      body: { url: 'https://example.com/x.csv' },
      headers,
    });
    const patched = await api.call('PATCH', `/v1/sources/${made.body.id}`, { body: { name: 'P' }, headers });
    const gone = await api.call('DELETE', `/v1/sources/${made.body.id}`, { headers });
    expect([made, patched, gone].map(({ status }) => status)).toEqual([201, 200, 204]);
    const missing = await api.call('GET', '/v1/sources/none', { headers });
    const stranger = await api.call('GET', '/v1/sources', { headers, key: null });
    expect([missing.status, stranger.status]).toEqual([404, 401]);
    for (const answer of [made, patched, gone, missing, stranger]) {
      expect(answer.headers['etag']).toBeUndefined();
      expect(answer.headers['cache-control']).toBe('no-store');
    }
  });

  it('contains a secret that no cache stores', async () => {
    const body = { name: 'k', scope: 'read' };
    expect((await api.call('POST', '/v1/apikeys', { body })).headers['cache-control']).toBe('no-store');
  });
});

describe('a read that shows a secret', () => {
  const showSecret = defineOperation({
    name: 'showSecret',
    tag: 'Sessions',
    scope: 'read',
    summary: 'Show a secret',
    secrets: ['token'],
    http: { method: 'GET', path: '/v1/secret' },
    output: Type.Object({ token: Type.String() }),
    run: async () => ({ token: 'a secret' }),
  });
  const showing = useApi({}, { operations: [showSecret] });

  it('is not cached', async () => {
    const headers = { authorization: `Bearer ${showing.fullKey}`, 'if-none-match': '*' };
    const answer = await showing.app.inject({ url: '/v1/secret', headers });
    expect([answer.statusCode, answer.headers['etag']]).toEqual([200, undefined]);
    expect(answer.headers['cache-control']).toBe('no-store');
  });
});
