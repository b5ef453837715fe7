// Following the feed with the client for TypeScript: every event comes, also after broken connections and killed processes.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FilePlaceStore } from '../../../../../clients/typescript/src/feed/file-place-store.ts';
import {
  AuthenticationError,
  type FeedEvent,
  FeedGoneError,
  MemoryPlaceStore,
  Recordwatch,
} from '../../../../../clients/typescript/src/main.ts';
import { useListeningApi } from '../../../../support/api/listening-api.ts';
import { commitRows, createTestRecord } from '../../../../support/rows/factories.ts';
import { type FaultyProxy, startFaultyProxy } from '../../../../support/servers/faulty-proxy.ts';

const PROGRAM = fileURLToPath(new URL('print-events.ts', import.meta.url));

const { api, baseUrl } = await useListeningApi();
const children: ChildProcess[] = [];
const folder = mkdtempSync(join(tmpdir(), 'recordwatch-places-'));
let proxy: FaultyProxy;
let client: Recordwatch;
let record: string;
beforeAll(async () => {
  proxy = await startFaultyProxy(baseUrl);
  client = new Recordwatch({ baseUrl: proxy.url, apiKey: api.fullKey });
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await proxy.close();
  rmSync(folder, { recursive: true });
});

let version = 0;
/** Commits one change. @returns the id of its event */
async function change(): Promise<string> {
  version += 1;
  await commitRows(api.db, record, { A: `{"id":"A","price":"${version}"}` });
  return (await client.changes.latest(record)).id;
}
beforeEach(async () => {
  record = await createTestRecord(api.db, api.accountId);
  await change();
  proxy.forget();
});

/** The ids of the next events. */
async function take(count: number, events: AsyncGenerator<FeedEvent>): Promise<(string | null)[]> {
  const ids: (string | null)[] = [];
  while (ids.length < count) {
    const { value } = await events.next();
    if (value === undefined) break;
    ids.push(value.deltaEventId);
  }
  return ids;
}

describe('the feed', () => {
  it('continues where the store says', async () => {
    const store = new MemoryPlaceStore();
    const events = client.events.follow({ store, sourceId: record });
    const made = [await change(), await change(), await change()];
    expect(await take(2, events)).toEqual(made.slice(0, 2));
    await events.return();
    // The second was handed out, but nobody said that it was handled.
    expect(await take(2, client.events.follow({ store, sourceId: record }))).toEqual(made.slice(1));
  });

  it('waits for what happens next, and ends with its signal', async () => {
    const ending = new AbortController();
    const store = new MemoryPlaceStore();
    const events = client.events.follow({ store, since: 'now', sourceId: record, signal: ending.signal });
    const waiting = take(1, events);
    // The place of `now` is stored, so a crash before the first event loses nothing.
    await expect.poll(() => store.load()).toBeDefined();
    await expect.poll(() => proxy.requests.at(-1)?.headers['prefer']).toBe('wait=30');
    const id = await change();
    expect(await waiting).toEqual([id]);
    const rest = take(1, events);
    ending.abort();
    expect(await rest).toEqual([]);
  });

  it.each(['before-request', 'after-request', 'amid-answer'] as const)(
    'neither loses nor repeats an event when the connection breaks %s',
    async (fault) => {
      const made = [await change(), await change(), await change(), await change()];
      const events = client.events.follow({ sourceId: record, limit: 2 });
      const first = await take(2, events);
      proxy.next(fault);
      proxy.next({ status: 503, headers: { 'retry-after': '0' } });
      expect([...first, ...(await take(2, events))]).toEqual(made);
      await events.return();
    },
  );

  it.each([
    { status: 404, body: '404 page not found' },
    { status: 410 },
    { status: 403 },
    { status: 302 },
    { status: 520 },
    { status: 530 },
    { status: 200, body: '<h1>Maintenance</h1>' },
    { status: 503, headers: { 'retry-after': '300' } },
    { status: 404, headers: { 'retry-after': '300' } },
  ])('regression: goes on after the answer of a proxy: %j', async (answer) => {
    const made = [await change(), await change()];
    const hasty = new Recordwatch({ baseUrl: proxy.url, apiKey: api.fullKey, maxRetryWaitMs: 1 });
    const events = hasty.events.follow({ sourceId: record, limit: 1 });
    const first = await take(1, events);
    proxy.next(answer);
    proxy.next(answer);
    expect([...first, ...(await take(1, events))]).toEqual(made);
    await events.return();
  });

  it.each([
    [404, 'NotFoundError'],
    [410, 'GoneError'],
  ])('regression: takes a proxy’s %i as its first answer for what it is', async (status, name) => {
    proxy.next({ status });
    await expect(client.events.follow().next()).rejects.toMatchObject({ name, code: 'unreadable' });
  });

  it('leaves out what does not meet a condition', async () => {
    const store = new MemoryPlaceStore();
    const never = '{">":[{"var":"changedCount"},9]}';
    await change();
    const page = await client.events.page({ sourceId: record, condition: never });
    expect([page.events, page.hasMore]).toEqual([[], false]);
    const events = client.events.follow({
      store,
      sourceId: record,
      condition: '{"==":[{"var":"changedCount"},1]}',
    });
    expect((await events.next()).value).toMatchObject({ condition: 'met' });
    await events.return();
    await expect(client.events.page({ condition: '{}' })).rejects.toThrow(/condition must be an object/);
  });

  it('says what to do when the place is gone', async () => {
    const store = new MemoryPlaceStore();
    store.save('made-up');
    const following = client.events.follow({ store }).next();
    await expect(following).rejects.toThrow(FeedGoneError);
    await expect(following).rejects.toThrow(/Clear the stored place/);
    store.clear();
    await change();
    expect((await client.events.follow({ store, sourceId: record }).next()).done).toBe(false);
  });

  it('does not try for ever with a credential that does not work', async () => {
    const stranger = new Recordwatch({ baseUrl, apiKey: 'cat_live_unknown' });
    await expect(stranger.events.follow().next()).rejects.toThrow(AuthenticationError);
  });
});

describe('a place in a file', () => {
  it('is stored as a whole', async () => {
    const path = join(folder, 'place');
    const store = new FilePlaceStore(path);
    expect(await store.load()).toBeUndefined();
    await store.save('one');
    await store.save('two');
    expect(await new FilePlaceStore(path).load()).toBe('two');
    expect(readdirSync(folder)).toEqual(['place']);
    await store.clear();
    await store.clear();
    expect(await store.load()).toBeUndefined();
  });

  it('that cannot be read is an error, not a new beginning', async () => {
    writeFileSync(join(folder, 'file'), '');
    await expect(new FilePlaceStore(join(folder, 'file', 'place')).load()).rejects.toThrow('ENOTDIR');
  });

  it('gives an event again whose handling was killed, and no event before it', async () => {
    const path = join(folder, 'killed');
    const made = [await change(), await change(), await change()];
    const { child, lines } = start(path, 'hang-at-second');
    expect([await lines.next(), await lines.next()].map(({ value }) => value)).toEqual(made.slice(0, 2));
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(readFileSync(path, 'utf8')).not.toBe('');
    const second = start(path, 'all');
    expect([await second.lines.next(), await second.lines.next()].map(({ value }) => value)).toEqual(
      made.slice(1),
    );
    second.child.kill('SIGKILL');
    await once(second.child, 'exit');
  });
});

function start(path: string, mode: string): { child: ChildProcess; lines: AsyncIterator<string> } {
  const env = {
    ...process.env,
    BASE_URL: baseUrl,
    API_KEY: api.fullKey,
    PLACE: path,
    RECORD: record,
    MODE: mode,
  };
  const child = spawn(process.execPath, [PROGRAM], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
}
