// A 304 that speaks of another body than the accepted one, from origins and caches that err.
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useWatchedRecords } from '../../support/checks/watched-records.ts';

const { bench, lastCheck, latest, rowsOf } = useWatchedRecords();

interface Version {
  body: string;
  headers: Record<string, string>;
}

let server: Server;
let now: Version;
/** Whether a request gets 304. */
let isNotModified: (asked: IncomingHttpHeaders) => boolean;
const asked: IncomingHttpHeaders[] = [];

beforeAll(async () => {
  server = createServer(({ headers }, response) => {
    asked.push(headers);
    if (isNotModified(headers)) return void response.writeHead(304, now.headers).end();
    return void response.writeHead(200, { 'content-type': 'text/csv', ...now.headers }).end(now.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterAll(() => server.close());

const DATES = ['Tue, 03 Feb 2026 10:00:00 GMT', 'Wed, 04 Feb 2026 10:00:00 GMT'] as const;
const FIRST = 'id,name\n1,Ann\n2,Bob\n';
const SECOND = 'id,name\n1,Ann\n2,Bert\n';
const isConditional = (headers: IncomingHttpHeaders): boolean =>
  'if-none-match' in headers || 'if-modified-since' in headers;

async function watch(version: Version): Promise<string> {
  now = version;
  isNotModified = () => false;
  asked.length = 0;
  const id = await bench().makeRecord({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${Math.random()}`,
  });
  await bench().check(id);
  return id;
}

describe('regression: a 304', () => {
  it.each([
    ['with another tag', { etag: '"1"' }, { etag: '"2"' }],
    ['with another weak tag', { etag: 'W/"1"' }, { etag: 'W/"2"' }],
    ['with another date and no tag', { 'last-modified': DATES[0] }, { 'last-modified': DATES[1] }],
  ])('%s says nothing about the accepted body', async (_what, before, after) => {
    const id = await watch({ body: FIRST, headers: before });
    now = { body: SECOND, headers: after };
    isNotModified = isConditional;
    await bench().check(id);
    expect(await latest(id)).toMatchObject({ changedKeys: ['2'], newCount: 0, deletedCount: 0 });
    expect(await rowsOf(id)).toMatchObject({ '2': '{"id":"2","name":"Bert"}' });
  });

  it('that nothing explains fails the check', async () => {
    const id = await watch({ body: FIRST, headers: { etag: '"1"' } });
    now = { body: SECOND, headers: { etag: '"2"' } };
    isNotModified = () => true;
    await bench().check(id);
    expect(await lastCheck(id)).toMatchObject({
      outcome: 'failed',
      code: 'http_error',
      detail: expect.stringMatching(/ Status 304\.$/),
    });
  });

  it.each([
    ['with the same tag', { etag: '"1"' }, { etag: '"1"' }],
    ['with the same tag, which is weak now', { etag: '"1"' }, { etag: 'W/"1"' }],
    ['without validators', { etag: '"1"' }, {}],
    ['with the same tag and another date', { etag: '"1"', 'last-modified': DATES[0] }, { etag: '"1"', 'last-modified': DATES[1] }], // prettier-ignore
  ])('%s needs no second request', async (_what, before, after) => {
    const id = await watch({ body: FIRST, headers: before });
    now = { body: FIRST, headers: after };
    isNotModified = isConditional;
    await bench().check(id);
    expect(await latest(id)).toMatchObject({ isNoChange: true });
    expect(asked).toHaveLength(2);
  });

  it('brings no validator that the body did not have', async () => {
    const id = await watch({ body: FIRST, headers: { 'last-modified': DATES[0] } });
    now = { body: FIRST, headers: { 'last-modified': DATES[0], etag: '"2"' } };
    isNotModified = isConditional;
    await bench().check(id);
    await bench().check(id);
    expect(asked.at(-1)).not.toHaveProperty('if-none-match');
    expect(asked.at(-1)).toMatchObject({ 'if-modified-since': DATES[0] });
  });
});
