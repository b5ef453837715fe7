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
    ['with a tag that the body had not', { 'last-modified': DATES[0] }, { etag: '"2"' }],
    [
      'with another date by RFC 850',
      { 'last-modified': DATES[0] },
      { 'last-modified': 'Wednesday, 04-Feb-26 10:00:00 GMT' },
    ],
    [
      'with another date by asctime',
      { 'last-modified': DATES[0] },
      { 'last-modified': 'Wed Feb  4 10:00:00 2026' },
    ],
    ['with a date that nobody can read', { 'last-modified': DATES[0] }, { 'last-modified': 'today' }],
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
    [
      'with the same date by RFC 850',
      { 'last-modified': DATES[0] },
      { 'last-modified': 'Tuesday, 03-Feb-26 10:00:00 GMT' },
    ],
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
    const id = await watch({ body: FIRST, headers: { etag: '"1"' } });
    now = { body: FIRST, headers: { 'last-modified': DATES[0], etag: '"1"' } };
    isNotModified = isConditional;
    await bench().check(id);
    await bench().check(id);
    expect(asked.at(-1)).not.toHaveProperty('if-modified-since');
    expect(asked.at(-1)).toMatchObject({ 'if-none-match': '"1"' });
  });
});

/** As a file server has it that makes tags from the time in seconds and the size. */
const inThisSecond = (write: (at: Date) => string): Record<string, string> => ({
  etag: '"same"',
  'last-modified': write(new Date()),
});

describe('regression: no condition is sent', () => {
  it.each([
    ['with the tag *, which means any body', () => ({ etag: '*' })],
    ['after a change in this second', () => inThisSecond((at) => at.toUTCString())],
    ['after one in the form of RFC 850', () => inThisSecond(rfc850)],
    ['after one whose time nobody can read', () => inThisSecond((at) => at.toISOString())],
  ])('%s', async (_what, write) => {
    const headers = write();
    const id = await watch({ body: FIRST, headers });
    now = { body: SECOND, headers };
    isNotModified = isConditional;
    await bench().check(id);
    expect(isConditional(asked.at(-1) ?? {})).toBe(false);
    expect(await latest(id)).toMatchObject({ changedKeys: ['2'] });
  });
});

function rfc850(at: Date): string {
  const [day = '', month = '', year = '', time = ''] = at.toUTCString().slice(5).split(' ');
  return `Monday, ${day}-${month}-${year.slice(2)} ${time} GMT`;
}
