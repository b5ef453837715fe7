// GET /v1/events: pages, cursors, filters, long polls, and what each credential sees.
import { beforeEach, describe, expect, it } from 'vitest';
import { revokeApiKey } from '../../../../db/access/api-keys.ts';
import { commitProblemCheck } from '../../../../db/commit/checks.ts';
import { useApi } from '../../../support/api/api.ts';
import {
  commitRows,
  createAccount,
  createKey,
  createTestRecord,
  newTestId,
} from '../../../support/rows/factories.ts';
import { makeSession } from '../../../support/rows/new-session.ts';
import { until } from '../../../support/until.ts';

const api = useApi({}, { feedBeatMs: 100 });

/** An account of the test. */
let accountId: string;
let key: string;
let keyId: string;
beforeEach(async () => {
  accountId = await createAccount(api.db);
  ({ id: keyId, value: key } = await createKey(api.db, accountId, 'read'));
});

const read = (query = '', options: { key?: string; wait?: number } = {}) =>
  api.call('GET', `/v1/events${query}`, {
    key: options.key ?? key,
    headers: options.wait === undefined ? {} : { prefer: `wait=${options.wait}` },
  });

let price = 0;
const change = (recordId: string) =>
  commitRows(api.db, recordId, { a: `{"id":"a","price":"${(price += 1)}"}` });

/** A record with its baseline. */
async function newRecord(
  settings: Parameters<typeof createTestRecord>[2] = {},
  owner = accountId,
): Promise<string> {
  const id = await createTestRecord(api.db, owner, settings);
  await change(id);
  return id;
}

const fail = (recordId: string) =>
  commitProblemCheck(
    api.db,
    'failed',
    {
      id: newTestId('check'),
      recordId,
      trigger: 'schedule',
      startedAt: new Date(),
      httpStatus: 503,
      bytes: null,
      rows: null,
      nextCheckInMs: 60_000,
    },
    { code: 'http_error', detail: 'It was 503.' },
  );

describe('an event', () => {
  it('is the body of a delivery without a webhook, with labels and a cursor', async () => {
    const id = await newRecord({ name: 'Shop', slug: 'shop', labels: { team: 'pricing', env: 'test' } });
    await change(id);
    await fail(id);
    const { status, body } = await read();
    expect([status, body.count, body.hasMore]).toEqual([200, 2, false]);
    const [delta, failed] = body.events;
    const latest = (await api.call('GET', `/v1/sources/${id}/delta/latest`, { key })).body;
    const ofRecord = {
      sourceId: id,
      sourceName: 'Shop',
      sourceSlug: 'shop',
      labels: { env: 'test', team: 'pricing' },
    };
    expect(delta).toEqual({
      cursor: expect.any(String),
      event: 'delta',
      type: 'delta',
      timestamp: latest.detectedAt,
      ...ofRecord,
      deltaEventId: latest.id,
      snapshotId: latest.snapshotId,
      detectedAt: latest.detectedAt,
      summary: { newCount: 0, changedCount: 1, deletedCount: 0, unchangedCount: 0, totalCount: 1 },
      newKeys: [],
      changedKeys: ['a'],
      deletedKeys: [],
      changedColumns: [{ field: 'price', rows: 1 }],
      truncated: { newKeys: false, changedKeys: false, deletedKeys: false },
      rowsUrl: `${api.services.config.baseUrl}/v1/sources/${id}/delta/${latest.id}/rows`,
    });
    const [check] = (await api.call('GET', `/v1/sources/${id}/checks`, { key })).body.checks;
    expect(failed).toEqual({
      cursor: body.nextCursor,
      event: 'check.failed',
      type: 'check.failed',
      timestamp: check.finishedAt,
      ...ofRecord,
      deltaEventId: null,
      checkId: check.id,
      failingSince: check.finishedAt,
      error: { code: 'http_error', detail: 'It was 503.' },
    });
  });

  it('whose delta event retention has deleted has its counts, and lists that say that they are cut', async () => {
    const id = await newRecord();
    await change(id);
    await api.db('delta_events').where({ recordId: id }).delete();
    expect((await read()).body.events).toMatchObject([
      {
        deltaEventId: expect.any(String),
        summary: { changedCount: 1 },
        changedKeys: [],
        changedColumns: null,
        truncated: { newKeys: false, changedKeys: true, deletedKeys: false },
      },
    ]);
  });
});

describe('pages', () => {
  it('continue after any cursor, oldest first, and their end is a cursor too', async () => {
    const [one, other] = [await newRecord(), await newRecord()];
    for (const id of [one, other, one]) await change(id);
    const first = (await read('?limit=2')).body;
    expect(first.events.map((event: { sourceId: string }) => event.sourceId)).toEqual([one, other]);
    expect([first.hasMore, first.nextCursor]).toEqual([true, first.events[1].cursor]);
    const second = (await read(`?since=${first.events[0].cursor}&limit=500`)).body;
    expect(second.events).toEqual([first.events[1], expect.objectContaining({ sourceId: one })]);
    const end = (await read(`?since=${second.nextCursor}`)).body;
    expect(end).toMatchObject({ count: 0, hasMore: false, nextCursor: second.nextCursor });
    await change(other);
    expect((await read(`?since=${end.nextCursor}`)).body.events).toMatchObject([{ sourceId: other }]);
  });

  it('begin now on request, and are empty for an account without events', async () => {
    expect((await read()).body).toMatchObject({ count: 0, hasMore: false });
    const id = await newRecord();
    await change(id);
    const now = (await read('?since=now')).body;
    expect(now).toMatchObject({ count: 0, hasMore: false });
    await fail(id);
    expect((await read(`?since=${now.nextCursor}`)).body.events).toMatchObject([{ type: 'check.failed' }]);
  });

  it('have only what is asked for, and a cursor that passes the rest', async () => {
    const [red, blue] = [await newRecord({ labels: { colour: 'red', a: 'b:c' } }), await newRecord()];
    await change(red);
    await change(blue);
    await fail(blue);
    const typesOf = async (query: string) => {
      const { body } = await read(query);
      return body.events.map(({ sourceId, type }: { sourceId: string; type: string }) => [sourceId === red ? 'red' : 'blue', type]); // prettier-ignore
    };
    expect(await typesOf('?label=colour:red')).toEqual([['red', 'delta']]);
    expect(await typesOf('?label=colour:red&label=a:b:c')).toEqual([['red', 'delta']]);
    expect(await typesOf('?label=colour:red&label=a:b')).toEqual([]);
    expect(await typesOf(`?sourceId=${blue}`)).toEqual([['blue', 'delta'], ['blue', 'check.failed']]); // prettier-ignore
    expect(await typesOf('?type=check.failed&type=check.held')).toEqual([['blue', 'check.failed']]);
    const { body } = await read('?label=colour:red');
    expect((await read(`?since=${body.nextCursor}`)).body.count).toBe(0);
  });

  it.each([
    ['limit=0', 'limit'],
    ['type=schema.changed', 'type'],
    ['label=red', 'label'],
    ['label=Red:x', 'label'],
    ['sourceId=shop', 'sourceId'],
    ['cursor=x', 'cursor'],
    ['since=', 'since'],
    ['since=2026-11-28T10:00:00Z', 'since'],
    ['since=2026-11-28', 'since'],
    ['since=1764324000', 'since'],
    ['since=a.b', 'since'],
  ])('refuse %s', async (query, pointer) => {
    const { status, body } = await read(`?${query}`);
    expect([status, body.code]).toEqual([400, 'invalid_parameter']);
    expect(body.errors[0].pointer).toMatch(new RegExp(`^${pointer}`));
  });
});

describe('a cursor that the feed cannot continue after', () => {
  async function expectGone(since: string): Promise<void> {
    const { status, body } = await read(`?since=${since}`);
    expect([status, body.code]).toEqual([410, 'gone']);
    expect(body.detail).toContain('without `since`');
  }

  it('is refused: one of another account, one that was made up, and one of another life of the feed', async () => {
    const stranger = await createAccount(api.db);
    const { value: strangersKey } = await createKey(api.db, stranger, 'read');
    await change(await newRecord());
    await change(await newRecord({}, stranger));
    await expectGone((await read('', { key: strangersKey })).body.nextCursor);
    await expectGone('abc');
    await expectGone('evt_019a346c1d2e7a4b9c8d7e6f50413223');
    const { nextCursor } = (await read()).body;
    await api.db('feeds').where({ accountId }).update({ tag: '019a346c-1d2e-7a4b-9c8d-7e6f50413223' });
    await expectGone(nextCursor);
  });

  it('is refused when events after it were deleted, or when the feed has become shorter', async () => {
    const id = await newRecord();
    for (let round = 0; round < 3; round += 1) await change(id);
    const { events } = (await read()).body;
    await api.db('feed_events').where({ accountId }).where('position', '<=', 2).delete();
    await api.db('feeds').where({ accountId }).update({ keptAfter: 2 });
    await expectGone(events[0].cursor);
    expect((await read(`?since=${events[1].cursor}`)).body.events).toEqual([events[2]]);
    expect((await read()).body.events).toEqual([events[2]]);
    await api.db('feeds').where({ accountId }).update({ position: 2 });
    await expectGone(events[2].cursor);
  });

  it('is refused when the database was restored, and another event has its position', async () => {
    const id = await newRecord();
    await change(id);
    await change(id);
    const { events, nextCursor } = (await read()).body;
    expect(nextCursor).toBe(events[1].cursor);
    // As a backup from between the two.
    await api.db('feed_events').where({ accountId, position: 2 }).delete();
    await api.db('feeds').where({ accountId }).update({ position: 1 });
    await expectGone(nextCursor);
    await change(id);
    await change(id);
    await expectGone(nextCursor);
    expect((await read(`?since=${events[0].cursor}`)).body.count).toBe(2);
  });
});

describe('a credential of one record', () => {
  it('sees the events of its record, with cursors that work', async () => {
    const [mine, other] = [await newRecord(), await newRecord()];
    for (const id of [other, mine, other, mine]) await change(id);
    const { value } = await createKey(api.db, accountId, 'read', mine);
    const first = (await read('?limit=1', { key: value })).body;
    const second = (await read(`?since=${first.nextCursor}`, { key: value })).body;
    const seen = [...first.events, ...second.events];
    expect(seen.map(({ sourceId }: { sourceId: string }) => sourceId)).toEqual([mine, mine]);
    expect(second.hasMore).toBe(false);
    expect((await read(`?sourceId=${other}`, { key: value })).body.count).toBe(0);
  });

  it('of a session sees those of the session', async () => {
    const session = await makeSession(api.db);
    await change(session.recordId);
    const { body } = await read('', { key: session.token });
    expect(body.events).toMatchObject([{ type: 'delta', sourceId: session.recordId }]);
  });
});

describe('Prefer: wait', () => {
  it('answers at once when there is an event, and when the wait ends', async () => {
    const id = await newRecord();
    await change(id);
    const { body, headers } = await read('', { wait: 60 });
    expect([body.count, headers['preference-applied']]).toEqual([1, 'wait=60']);
    const empty = await read(`?since=${body.nextCursor}`, { wait: 1 });
    expect([empty.status, empty.body.count, empty.body.nextCursor]).toEqual([200, 0, body.nextCursor]);
  });

  it('answers with the event that is committed meanwhile, and passes those that are not asked for', async () => {
    const [mine, other] = [await newRecord({ labels: { mine: 'yes' } }), await newRecord()];
    let isAnswered = false;
    const waiting = read('?since=now&label=mine:yes', { wait: 60 }).finally(() => (isAnswered = true));
    await untilAdmitted(keyId);
    await change(other);
    expect(isAnswered).toBe(false);
    await change(mine);
    expect((await waiting).body.events).toMatchObject([{ sourceId: mine }]);
  });

  it('regression: is refused when the credential ends meanwhile', async () => {
    const id = await newRecord();
    const revoked = await createKey(api.db, accountId, 'read');
    const waiting = read('?since=now', { key: revoked.value, wait: 60 });
    await untilAdmitted(revoked.id);
    await revokeApiKey(api.db, { accountId, recordId: null }, revoked.id);
    await change(id);
    const { status, headers, body } = await waiting;
    expect([status, body.code, headers['ratelimit']]).toEqual([401, 'unauthenticated', undefined]);
    expect((await read('', { key: revoked.value })).status).toBe(401);
  });

  it('waits in at most twenty calls of an account', async () => {
    const id = await newRecord();
    const refused: Awaited<ReturnType<typeof read>>[] = [];
    const waiting = Array.from({ length: 25 }, async () => {
      const answer = await read('?since=now', { wait: 60 });
      if (answer.status === 429) refused.push(answer);
      return answer.status;
    });
    await until('five are refused', () => refused.length === 5);
    expect(refused[0]?.body).toMatchObject({
      code: 'rate_limited',
      detail: expect.stringContaining('20 callers'),
    });
    expect(refused[0]?.headers['retry-after']).toBe('5');
    const stranger = await createKey(api.db, await createAccount(api.db), 'read');
    expect((await read('?since=now', { key: stranger.value, wait: 1 })).status).toBe(200);
    await change(id);
    expect((await Promise.all(waiting)).filter((status) => status === 200)).toHaveLength(20);
    expect((await read('?since=now', { wait: 1 })).status).toBe(200);
  });
});

/** Waits until a call with the key was admitted. */
const untilAdmitted = (id: string) =>
  until('the call is admitted', async () => {
    const [used] = await api.db('api_keys').where({ id }).whereNotNull('lastUsedAt');
    return used !== undefined;
  });
