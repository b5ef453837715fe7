// The feed as server-sent events, read over real connections.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { beforeEach, describe, expect, it } from 'vitest';
import { buildApp } from '../../../api/app.ts';
import { revokeApiKey } from '../../../db/access/api-keys.ts';
import { useListeningApi } from '../../support/api/listening-api.ts';
import { commitRows, createAccount, createKey, createTestRecord } from '../../support/rows/factories.ts';
import { until } from '../../support/until.ts';
import { type EventStreamReader, openEventStream } from '../../support/api/event-stream.ts';

const { api, baseUrl } = await useListeningApi({ feedBeatMs: 100 });

let accountId: string;
let key: { id: string; value: string };
beforeEach(async () => {
  accountId = await createAccount(api.db);
  key = await createKey(api.db, accountId, 'read');
});

const open = (query = '', lastEventId?: string, url = baseUrl): Promise<EventStreamReader> =>
  openEventStream(`${url}/v1/events${query}`, key.value, lastEventId);

let price = 0;
const change = (recordId: string) =>
  commitRows(api.db, recordId, { a: `{"id":"a","price":"${(price += 1)}"}` });

async function newRecord(): Promise<string> {
  const id = await createTestRecord(api.db, accountId);
  await change(id);
  return id;
}

const events = async () =>
  (await api.call('GET', '/v1/events', { key: key.value })).body.events as { cursor: string }[];

describe('a stream', () => {
  it('has the events so far and those to come, with their cursors, as the pages have them', async () => {
    const [one, other] = [await newRecord(), await newRecord()];
    await change(one);
    const stream = await open();
    expect(stream.contentType).toBe('text/event-stream');
    await stream.untilCount(1);
    await change(other);
    await change(one);
    await stream.untilCount(3);
    const all = await events();
    expect(stream.messages.map(({ data }) => JSON.parse(data))).toEqual(all);
    expect(stream.messages.map(({ id }) => id)).toEqual(all.map(({ cursor }) => cursor));
    await stream.close();
  });

  it('continues after Last-Event-ID, whatever `since` says', async () => {
    const id = await newRecord();
    for (let round = 0; round < 3; round += 1) await change(id);
    const [, second, third] = await events();
    const stream = await open('?since=now', second?.cursor);
    await stream.untilCount(1);
    expect(stream.messages.map((message) => message.id)).toEqual([third?.cursor]);
    await stream.close();
  });

  it('says that it is alive, and moves the cursor past events that it does not show', async () => {
    const id = await newRecord();
    const stream = await open('?since=now&type=check.held');
    const atFirst = await until('the first cursor', () => stream.lastEventId());
    await change(id);
    const moved = await until('the cursor moves', () => {
      const now = stream.lastEventId();
      return now !== atFirst && now;
    });
    await until('two heartbeats', () => (stream.text().match(/^: still here$/gm) ?? []).length > 1);
    expect(stream.messages).toEqual([]);
    await stream.close();
    const [event] = await events();
    expect(moved).toBe(event?.cursor);
  });

  it('refuses a cursor before it begins', async () => {
    const answer = await fetch(`${baseUrl}/v1/events`, {
      headers: { authorization: `Bearer ${key.value}`, accept: 'text/event-stream', 'last-event-id': 'abc' },
    });
    expect([answer.status, await answer.json()]).toEqual([410, expect.objectContaining({ code: 'gone' })]);
  });

  it('is JSON for callers that take both', async () => {
    for (const accept of ['*/*', 'application/json', 'application/json, text/event-stream', 'text/html']) {
      const headers = { authorization: `Bearer ${key.value}`, accept };
      const answer = await fetch(`${baseUrl}/v1/events`, { headers });
      expect([accept, await answer.json()]).toEqual([accept, expect.objectContaining({ count: 0 })]);
    }
  });

  it('ends when the credential is revoked or expires', async () => {
    const id = await newRecord();
    for (const end of [
      () => revokeApiKey(api.db, { accountId, recordId: null }, key.id),
      () =>
        api
          .db('api_keys')
          .where({ id: key.id })
          .update({ expiresAt: new Date(0) }),
    ]) {
      key = await createKey(api.db, accountId, 'read');
      const stream = await open('?since=now');
      await end();
      await stream.ended;
      expect(stream.messages).toEqual([]);
    }
    expect(id).toBeDefined();
  });

  it('gives its slot back when the client leaves', async () => {
    await newRecord();
    const streams = await Promise.all(Array.from({ length: 20 }, () => open('?since=now')));
    const headers = { authorization: `Bearer ${key.value}`, accept: 'text/event-stream' };
    const refused = await fetch(`${baseUrl}/v1/events`, { headers });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
    await Promise.all(streams.map((stream) => stream.close()));
    const next = await until('there is room again', () => open('?since=now').catch(() => undefined));
    await next.close();
  });
});

describe('a client that does not read', () => {
  it('gets what it has missed once it reads, and takes no memory for it', async () => {
    const id = await newRecord();
    // Keys of a kilobyte, so that the events exceed what sockets buffer.
    const rows = (value: number) =>
      Object.fromEntries(
        Array.from({ length: 60 }, (_, at) => [
          `${at}`.padEnd(1_000, 'x'),
          `{"id":"${at}","price":"${value}"}`,
        ]),
      );
    await commitRows(api.db, id, rows(0));
    const sockets: Socket[] = [];
    api.app.server.on('connection', (accepted: Socket) => sockets.push(accepted));
    const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.pause();
    const { host } = new URL(baseUrl);
    socket.write(
      `GET /v1/events HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${key.value}\r\nAccept: text/event-stream\r\n\r\n`,
    );
    const ROUNDS = 200;
    for (let round = 1; round <= ROUNDS; round += 1) await commitRows(api.db, id, rows(round));
    const buffered = sockets.map(({ writableLength }) => writableLength);
    // One page at most.
    expect(Math.max(...buffered)).toBeLessThan(1_000_000);
    let text = '';
    socket.on('data', (chunk) => (text += String(chunk)));
    socket.resume();
    await until('it has all of them', () => (text.match(/^id: \S+\ndata: /gm) ?? []).length === ROUNDS + 1);
    socket.destroy();
  });
});

it('ends with the process, which does not wait for it, and continues in the next', async () => {
  const id = await newRecord();
  const app = buildApp(api.services);
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const stream = await open('', undefined, url);
  await change(id);
  await stream.untilCount(1);
  await app.close();
  await stream.ended;
  await change(id);
  const next = await open('', stream.lastEventId());
  await next.untilCount(1);
  expect([...stream.messages, ...next.messages].map((message) => message.id)).toEqual(
    (await events()).map(({ cursor }) => cursor),
  );
  await next.close();
});
