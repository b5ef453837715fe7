import { connect } from 'node:net';
import { once } from 'node:events';
import { beforeAll, describe, expect, it } from 'vitest';
import { ApiError } from '../../core/errors.ts';
import { useApi } from '../support/api/api.ts';
import { createTestRecord } from '../support/rows/factories.ts';

const api = useApi();
const url = 'https://example.com/data.csv';

describe('bodies', () => {
  it.each([['{'], ['{"url":'], ['nope'], ["{'url':1}"], ['{"a":1}{"b":2}'], ['\ufeff{']])(
    '%j is malformed',
    async (body) => {
      const answer = await api.call('POST', '/v1/sources', { body });
      expect(answer.body).toMatchObject({ status: 400, code: 'malformed_json' });
    },
  );

  it('that are not UTF-8 are malformed', async () => {
    const response = await api.app.inject({
      method: 'POST',
      url: '/v1/sources',
      headers: { authorization: `Bearer ${api.fullKey}`, 'content-type': 'application/json' },
      payload: Buffer.from([0x22, 0xff, 0x22]),
    });
    expect(response.json()).toMatchObject({ code: 'malformed_json' });
  });

  it.each([['[]'], ['5'], ['null'], ['"text"']])('%j is not an object', async (body) => {
    const answer = await api.call('POST', '/v1/sources', { body });
    expect(answer.body).toMatchObject({ status: 422, errors: [{ pointer: '', code: 'invalid_type' }] });
  });

  it.each([['text/plain'], ['application/xml'], ['application/jsonp'], ['nonsense']])(
    'of type %s are refused',
    async (type) => {
      const answer = await api.call('POST', '/v1/sources', { body: '{}', headers: { 'content-type': type } });
      expect(answer.body).toMatchObject({ status: 415, code: 'unsupported_media_type' });
    },
  );

  it('may name their charset', async () => {
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    expect((await api.call('POST', '/v1/sources', { body: { url }, headers })).status).toBe(201);
  });

  it('above 256 kB are refused', async () => {
    const answer = await api.call('POST', '/v1/sources', { body: { url, name: 'x'.repeat(256 * 1024) } });
    expect(answer.body).toMatchObject({ status: 413, code: 'body_too_large' });
  });
});

describe('paths and methods', () => {
  it('that do not exist are 404', async () => {
    for (const path of ['/v1', '/v1/nothing', '/v2/sources', '/v1/sources/', `/v1/${'x'.repeat(500)}`]) {
      const { body } = await api.call('GET', path);
      expect(body).toMatchObject({ status: 404, code: 'not_found' });
    }
  });

  it('that cannot be decoded are 404', async () => {
    expect((await api.call('GET', '/v1/sources/%zz')).status).toBe(404);
    expect((await api.call('GET', `/v1/sources/${'x'.repeat(101)}`)).status).toBe(404);
  });

  it('with another method are 405 and name the right ones', async () => {
    const { status, headers, body } = await api.call('PUT', '/v1/sources/abc', { key: null, body: {} });
    expect(status).toBe(405);
    expect(headers['allow']).toBe('GET, HEAD, PATCH, DELETE');
    expect(body.code).toBe('method_not_allowed');
  });

  it('answer HEAD as GET, without the body', async () => {
    const { status, text } = await api.call('HEAD', '/v1/sources');
    expect(status).toBe(200);
    expect(text).toBe('');
  });
});

describe('request ids', () => {
  it('are taken from the caller when sane', async () => {
    const { headers, body } = await api.call('GET', '/v1/sources/none', {
      headers: { 'x-request-id': 'my-id.1' },
    });
    expect(headers['x-request-id']).toBe('my-id.1');
    expect(body.requestId).toBe('my-id.1');
  });

  it.each([['a b'], [''], ['x'.repeat(65)], ['a"b'], ['<script>']])(
    'are made here instead of %j',
    async (given) => {
      const { headers } = await api.call('GET', '/v1/sources', { headers: { 'x-request-id': given } });
      expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    },
  );
});

describe('the log', () => {
  it('holds one line per request, without queries, bodies or keys', async () => {
    api.logLines.length = 0;
    const key = api.fullKey;
    await api.call('GET', `/v1/sources?token=${key}&limit=5`);
    await api.call('GET', `/v1/sources/${key}`, { headers: { 'x-request-id': key } });
    await api.call('GET', `/v1/${key}`);
    await api.call('GET', '/v1/sources/canary-slug/rows/canary-key');
    await api.call('POST', '/v1/sources', { body: { url: `https://example.com/x?q=canary-query` } });
    const lines = api.logLines.map((line) => JSON.parse(line));
    expect(lines.map(({ msg }) => msg)).toEqual(Array.from({ length: 5 }, () => 'answered'));
    expect(lines[3].path).toBe('/v1/sources/:id/rows/:key');
    expect(lines[0]).toMatchObject({ method: 'GET', path: '/v1/sources', status: 400 });
    expect(lines[0].credentialId).toMatch(/^key_/);
    expect(api.logLines.join('')).not.toContain(key);
    expect(api.logLines.join('')).not.toContain('canary');
  });

  it('has the cause of an internal error, which the caller is not told', async () => {
    api.logLines.length = 0;
    const id = await createTestRecord(api.db, api.accountId);
    const { requestCheck } = api.workflows;
    api.workflows.requestCheck = () => Promise.reject(new Error(`canary cause ${api.fullKey}`));
    const { status, text, body } = await api.call('POST', `/v1/sources/${id}/check`);
    api.workflows.requestCheck = requestCheck;
    expect(status).toBe(500);
    expect(text).not.toContain('canary');
    const line = api.logLines.find((each) => each.includes('canary cause cat_live_[hidden]'));
    expect(JSON.parse(line ?? '{}')).toMatchObject({ requestId: body.requestId, level: 50 });
    expect(api.logLines.join('')).not.toContain(api.fullKey);
  });
});

describe('health', () => {
  it('is reported without a credential', async () => {
    const alive = await api.app.inject({ url: '/healthz' });
    expect(alive.json()).toEqual({ status: 'ok' });
    const ready = await api.app.inject({ url: '/readyz' });
    expect(ready.statusCode).toBe(200);
    expect(ready.json()).toEqual({ status: 'ready', database: true, migrations: true, temporal: true });
  });

  it('is probed once for all concurrent callers', async () => {
    let pings = 0;
    const { ping } = api.workflows;
    api.workflows.ping = async () => void (pings += 1);
    await Promise.all(Array.from({ length: 50 }, () => api.app.inject({ url: '/readyz' })));
    expect(pings).toBe(1);
    await api.app.inject({ url: '/readyz' });
    api.workflows.ping = ping;
    expect(pings).toBe(2);
  });

  it('leaves out what a proxy excludes', async () => {
    const statusOf = async (query: string) => (await api.app.inject({ url: `/readyz${query}` })).statusCode;
    api.workflows.failure = new ApiError('unavailable', 'down');
    expect(await statusOf('?exclude=temporal')).toBe(200);
    expect(await statusOf('?exclude=database&exclude=temporal')).toBe(200);
    expect(await statusOf('?exclude=database')).toBe(503);
    api.workflows.failure = null;
  });

  it('names the dependency that does not respond', async () => {
    api.workflows.failure = new ApiError('unavailable', 'down');
    const { statusCode, body } = await api.app.inject({ url: '/readyz' });
    api.workflows.failure = null;
    expect(statusCode).toBe(503);
    expect(JSON.parse(body)).toMatchObject({ status: 'not_ready', temporal: false, database: true });
  });
});

describe('over a socket', () => {
  let address = '';
  beforeAll(async () => {
    address = await api.app.listen({ host: '127.0.0.1', port: 0 });
  });

  it('serves requests, and refuses other protocols', async () => {
    const headers = { authorization: `Bearer ${api.fullKey}` };
    const response = await fetch(`${address}/v1/sources?limit=1`, { headers });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await response.json()).toMatchObject({ count: 1, hasMore: true });

    const socket = connect(Number(new URL(address).port), '127.0.0.1');
    socket.end('NONSENSE\r\n\r\n');
    const [chunk] = await once(socket, 'data');
    expect(String(chunk)).toMatch(/^HTTP\/1\.1 400 /);
    socket.destroy();
  });

  it('stops waiting for a check when the caller disconnects', async () => {
    const id = await createTestRecord(api.db, api.accountId);
    const abort = new AbortController();
    let queries = 0;
    api.logLines.length = 0;
    api.workflows.onCheck = () => {
      api.db.on('query', () => {
        queries += 1;
        if (queries === 2) abort.abort();
      });
    };
    const waiting = fetch(`${address}/v1/sources/${id}/check`, {
      method: 'POST',
      headers: { authorization: `Bearer ${api.fullKey}`, prefer: 'wait=60' },
      signal: abort.signal,
    });
    await expect(waiting).rejects.toThrow('aborted');
    api.workflows.onCheck = () => undefined;
    await expect.poll(() => api.logLines.join('')).toContain('the caller disconnected');
    let before = -1;
    const hasStopped = (): boolean => before === (before = queries);
    // Waiting polls every 100 ms, so it has ended when the count does not change for longer.
    await expect.poll(hasStopped, { interval: 350 }).toBe(true);
  });
});

it('the page to which the type of a problem links is served', async () => {
  const { body } = await api.call('GET', '/v1/nothing', { key: null });
  const page = await api.app.inject({ url: new URL(body.type).pathname });
  expect(page.statusCode).toBe(200);
  expect(page.body).toContain(`### ${new URL(body.type).hash.slice(1)}\n`);
});
