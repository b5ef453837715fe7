// Streams of changes in the newer era: who gets them, from which process, and until when.
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { revokeApiKey } from '../../../../db/access/api-keys.ts';
import { commitRows, createAccount, createKey, createTestRecord } from '../../../support/rows/factories.ts';
import { useListeningApi } from '../../../support/api/listening-api.ts';
import { createMcpApp } from '../../../support/api/mcp-app.ts';
import { makeSession } from '../../../support/rows/new-session.ts';
import { connectNewClient } from '../../../support/api/oauth-browser.ts';
import { until } from '../../../support/until.ts';
import { headersOf, messageOf } from '../caller.ts';

const { api, baseUrl } = await useListeningApi();
/** An app with the same services that checks credentials more often. */
let app: FastifyInstance;
let url: string;

beforeAll(async () => {
  app = await createMcpApp(api, RECHECK_MS);
  url = `${await app.listen({ host: '127.0.0.1', port: 0 })}/v1/mcp`;
});
afterAll(() => app.close());

const RECHECK_MS = 50;
const METHOD = 'subscriptions/listen';

interface Stream {
  text: () => string;
  isEnded: () => boolean;
  status: number;
  cancel: () => void;
}

async function listen(key: string, uris: readonly string[]): Promise<Stream> {
  const params = { notifications: { resourceSubscriptions: uris } };
  const ending = new AbortController();
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headersOf('newer', METHOD, {}),
    },
    body: JSON.stringify(messageOf('newer', METHOD, params)),
    signal: ending.signal,
  });
  let text = '';
  let isEnded = false;
  void (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk);
  })()
    .catch(() => undefined)
    .finally(() => {
      isEnded = true;
    });
  await until('there is an answer', () => text !== '');
  return {
    text: () => text,
    isEnded: () => isEnded,
    status: response.status,
    cancel: () => ending.abort(),
  };
}

let price = 0;
const change = (record: string) => {
  price += 1;
  return commitRows(api.db, record, { a: `{"id":"a","price":"${price}"}` });
};

async function makeRecord(accountId = api.accountId) {
  const id = await createTestRecord(api.db, accountId);
  await change(id);
  return { id, uri: `delta://sources/${id}/delta/latest` };
}

/** Waits until the process listens. Earlier notices are lost. */
async function changeUntilTold(record: string, stream: Stream): Promise<void> {
  await until('a change is told', async () => {
    if (stream.text().includes('notifications/resources/updated')) return true;
    await change(record);
    return false;
  });
}

describe('a stream', () => {
  it('reports changes committed by any process, and no others', async () => {
    const [{ id, uri }, other] = [await makeRecord(), await makeRecord()];
    const stream = await listen(api.fullKey, [uri, other.uri]);
    await changeUntilTold(id, stream);
    const countOf = (address: string): number => stream.text().split(`"uri":"${address}"`).length - 1;
    // Notices arrive in the order of commits, so after this one no earlier change is pending.
    const passOn = async (): Promise<void> => {
      const before = countOf(other.uri);
      await change(other.id);
      await until('the other one is told', () => countOf(other.uri) > before);
    };
    await passOn();
    const told = countOf(uri);
    expect(told).toBeGreaterThan(0);
    await change(id);
    // The same rows again make an event without changes.
    await commitRows(api.db, id, { a: `{"id":"a","price":"${price}"}` });
    await passOn();
    expect(countOf(uri)).toBe(told + 1);
    stream.cancel();
  });

  it('covers only the caller’s own records, also in its acknowledgement', async () => {
    const stranger = await makeRecord(await createAccount(api.db));
    const mine = await makeRecord();
    const stream = await listen(api.fullKey, [
      stranger.uri,
      mine.uri,
      'delta://sources/nothing',
      'file:///etc',
    ]);
    expect(stream.text()).toContain('notifications/subscriptions/acknowledged');
    await change(stranger.id);
    await changeUntilTold(mine.id, stream);
    expect(stream.text()).toContain(mine.uri);
    for (const foreign of [stranger.id, 'sources/nothing', 'etc'])
      expect(stream.text()).not.toContain(foreign);
    stream.cancel();
  });

  it('ends when its key is revoked', async () => {
    const { uri } = await makeRecord();
    const { id, value } = await createKey(api.db, api.accountId, 'read');
    const stream = await listen(value, [uri]);
    await revokeApiKey(api.db, { accountId: api.accountId, recordId: null }, id);
    await until('it has ended', stream.isEnded);
  });

  it('ends when its client is disconnected, before any later change', async () => {
    const { id, uri } = await makeRecord();
    const { access_token: token } = await connectNewClient(baseUrl, { key: api.fullKey, scope: 'read' });
    const stream = await listen(token, [uri]);
    const { body } = await api.call('GET', '/v1/connectedclients');
    const [client] = body.connectedClients;
    expect((await api.call('DELETE', `/v1/connectedclients/${client.id}`)).status).toBe(204);
    const told = stream.text();
    await change(id);
    await until('it has ended', stream.isEnded);
    expect(stream.text()).toBe(told);
  });

  it('ends when its session ends, before any later change', async () => {
    // It has its first data, about which no notice is sent.
    const { token, recordId } = await makeSession(api.db);
    const stream = await listen(token, ['delta://sources/self-made', `delta://sources/${recordId}`]);
    await api.db('ephemeral_sessions').where({ recordId }).update({ endedAt: api.db.fn.now() });
    await change(recordId);
    await until('it has ended', stream.isEnded);
    expect(stream.text()).not.toContain('notifications/resources/updated');
  });

  it('is one of twenty at the most', async () => {
    const accountId = await createAccount(api.db);
    const { value } = await createKey(api.db, accountId, 'read');
    const { uri } = await makeRecord(accountId);
    const streams = await Promise.all(Array.from({ length: 20 }, () => listen(value, [uri])));
    const { status, text } = await listen(value, [uri]);
    expect([status, text()]).toEqual([429, expect.stringContaining('rate_limited')]);
    for (const stream of streams) stream.cancel();
    await until('there is room again', async () => (await listen(value, [uri])).status === 200);
  });

  it('regression: is one of twenty although many are requested at the same time', async () => {
    const accountId = await createAccount(api.db);
    const { value } = await createKey(api.db, accountId, 'read');
    const { uri } = await makeRecord(accountId);
    const streams = await Promise.all(Array.from({ length: 30 }, () => listen(value, [uri])));
    const refused = streams.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(10);
    for (const stream of streams) stream.cancel();
  });

  it('that was refused takes no slot', async () => {
    const accountId = await createAccount(api.db);
    const { value } = await createKey(api.db, accountId, 'read');
    const { uri } = await makeRecord(accountId);
    // No list of URIs.
    for (let at = 0; at < 25; at += 1) expect((await listen(value, 'none' as never)).status).not.toBe(429);
    const stream = await listen(value, [uri]);
    expect(stream.status).toBe(200);
    stream.cancel();
  });

  it('is opened by a subscription of a client of the newer revision', async () => {
    const { id, uri } = await makeRecord();
    const updated: string[] = [];
    const client = new Client(
      { name: 'test', version: '1' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    client.setNotificationHandler(
      'notifications/resources/updated',
      ({ params }) => void updated.push(params.uri),
    );
    await client.connect(
      new StreamableHTTPClientTransport(new URL(url), {
        requestInit: { headers: { authorization: `Bearer ${api.fullKey}` } },
      }),
    );
    const subscription = await client.listen({ resourceSubscriptions: [uri] });
    await until('a change is told', async () => {
      if (updated.length > 0) return true;
      await change(id);
      return false;
    });
    expect(new Set(updated)).toEqual(new Set([uri]));
    await subscription.close();
    await client.close();
  });
});
