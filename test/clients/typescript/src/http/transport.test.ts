// What the client for TypeScript gives to fetch: its key, and a signal that follows the caller's only while the call lasts.
import { expect, it } from 'vitest';
import {
  Recordwatch,
  RecordwatchError,
  type RecordwatchOptions,
} from '../../../../../clients/typescript/src/main.ts';
import { collect } from '../collect.ts';

const RECORDS = '{"sources":[],"hasMore":false,"nextCursor":null}';
const FILE = { 'content-type': 'application/jsonl', 'content-disposition': 'attachment; filename="a.jsonl"' };

/** @param answer what fetch gives @returns also what it was given */
function clientWith(apiKey: RecordwatchOptions['apiKey'], answer = () => new Response(RECORDS)) {
  const requests: RequestInit[] = [];
  const send = async (_url: unknown, init: RequestInit = {}): Promise<Response> => {
    requests.push(init);
    return answer();
  };
  return {
    client: new Recordwatch({ baseUrl: 'https://recordwatch.example', apiKey, fetch: send }),
    requests,
  };
}
const file = () => new Response('{"a":1}\n{"a":2}\n', { headers: FILE });

it.each(['cat_live_1', ' cat_live_1\r\n'])('sends the key %j', async (key) => {
  for (const apiKey of [key, () => key, async () => key]) {
    const { client, requests } = clientWith(apiKey);
    await client.records.list().page();
    expect(requests[0]?.headers).toMatchObject({ authorization: 'Bearer cat_live_1' });
  }
});

it.each(['', ' ', 'hunter2\nhunter2', 'hunter2 hunter2', 'hunter2é', '“hunter2”', 'hunter2\0'])(
  'regression: refuses the key %j, and does not repeat it',
  async (key) => {
    const words = /^apiKey must be one API key and nothing else: [A-Z a-z.]+$/;
    expect(() => clientWith(key)).toThrow(words);
    const { client, requests } = clientWith(async () => key);
    await expect(client.records.list().page()).rejects.toThrow(RecordwatchError);
    await expect(client.records.list().page()).rejects.toThrow(words);
    expect(requests).toEqual([]);
  },
);

it('regression: leaves nothing behind in the signal of a call that has ended', async () => {
  const ending = new AbortController();
  const { signal } = ending;
  const answers = [() => new Response(RECORDS), () => new Response('', { status: 404 }), file, file, file];
  const { client, requests } = clientWith('cat_live_1', () => answers.shift()?.() ?? Response.error());
  await client.records.list({}, { signal }).page();
  await expect(client.records.list({}, { signal }).page()).rejects.toThrow('404');
  expect(await collect(client.snapshots.export('prices', 'latest', {}, { signal }))).toHaveLength(2);
  for await (const row of client.snapshots.export('prices', 'latest', {}, { signal })) {
    expect(row).toEqual({ a: 1 });
    break;
  }
  await client.snapshots.download('prices', 'latest', {}, { signal });
  ending.abort();
  // The last file is still open.
  expect(requests.map((request) => request.signal?.aborted)).toEqual([false, false, false, false, true]);
});

it('ends a download when its signal aborts', async () => {
  const ending = new AbortController();
  const { client, requests } = clientWith('cat_live_1', () => {
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => {
        controller.enqueue(new TextEncoder().encode('{"a":1}\n'));
        requests[0]?.signal?.addEventListener('abort', () => controller.error(new Error('enough')));
      },
    });
    return new Response(stream, { headers: FILE });
  });
  const rows = client.snapshots.export('prices', 'latest', {}, { signal: ending.signal });
  expect((await rows.next()).value).toEqual({ a: 1 });
  const next = rows.next();
  ending.abort();
  await expect(next).rejects.toThrow('The download broke off.');
});
