import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../../../support/api/api.ts';
import {
  commitRows,
  createAccount,
  createKey,
  createTestRecord,
  newTestId,
} from '../../../support/rows/factories.ts';

const api = useApi();
const path = (recordId: string, rest: string): string => `/v1/sources/${recordId}/${rest}`;
const row = (id: string, price: string): string => `{"id":"${id}","price":${price}}`;

/** Follows nextCursor to the end. @returns the items of the pages */
async function readAll(url: string, arrayKey: string): Promise<Record<string, never>[][]> {
  const pages = [];
  let cursor = '';
  do {
    const { status, body } = await api.call('GET', `${url}${cursor}`);
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['sourceId', 'count', 'hasMore', 'nextCursor', arrayKey]);
    expect(body.count).toBe(body[arrayKey].length);
    expect(body.hasMore).toBe(body.nextCursor !== null);
    pages.push(body[arrayKey]);
    cursor = body.nextCursor === null ? '' : `&cursor=${body.nextCursor}`;
  } while (cursor !== '');
  return pages;
}

describe('a record that has no data yet', () => {
  it('has no latest event, empty lists', async () => {
    const id = await createTestRecord(api.db, api.accountId);
    const latest = await api.call('GET', path(id, 'delta/latest'));
    expect(latest.status).toBe(404);
    expect(latest.body.detail).toContain('yet');
    expect((await api.call('GET', path(id, 'snapshots/latest'))).status).toBe(404);
    for (const [rest, key] of [
      ['delta', 'events'],
      ['snapshots', 'snapshots'],
      ['snapshot-rows', 'rows'],
      ['checks', 'checks'],
    ] as const) {
      const { body } = await api.call('GET', path(id, rest));
      expect(body).toEqual({ sourceId: id, count: 0, hasMore: false, nextCursor: null, [key]: [] });
    }
    expect((await api.call('GET', path(id, 'delta?since=2020-01-01'))).body.count).toBe(0);
    const lost = await api.call('GET', path(id, `delta?since=${newTestId('deltaEvent')}`));
    expect(lost.body).toMatchObject({ status: 410, code: 'gone' });
  });
});

describe('events and their rows', () => {
  let id = '';
  const eventIds: string[] = [];
  beforeAll(async () => {
    id = await createTestRecord(api.db, api.accountId);
    await commitRows(api.db, id, { a: row('a', '1'), b: row('b', '1.10'), c: row('c', '3') });
    await commitRows(api.db, id, {
      a: row('a', '1'),
      b: row('b', '1.1'),
      d: row('d', '10000000000000000999'),
    });
    await commitRows(api.db, id, {
      a: row('a', '1'),
      b: row('b', '1.1'),
      d: row('d', '10000000000000000999'),
    });
    const { body } = await api.call('GET', path(id, 'delta?order=asc'));
    eventIds.push(...body.events.map((event: { id: string }) => event.id));
  });

  it('shows the baseline, the change and the no-change event', async () => {
    const { body } = await api.call('GET', path(id, 'delta'));
    expect(body.events.map((event: { number: number }) => event.number)).toEqual([3, 2, 1]);
    const [same, change, baseline] = body.events;
    expect(baseline).toMatchObject({
      isNoChange: true,
      previousSnapshotId: null,
      unchangedCount: 3,
      totalCount: 3,
    });
    expect(change).toMatchObject({
      sourceId: id,
      isNoChange: false,
      newCount: 1,
      changedCount: 1,
      deletedCount: 1,
      unchangedCount: 1,
      totalCount: 3,
      summary: { newCount: 1, changedCount: 1, deletedCount: 1, unchangedCount: 1, totalCount: 3 },
      newKeys: ['d'],
      changedKeys: ['b'],
      deletedKeys: ['c'],
      changedColumns: [{ field: 'price', rows: 1 }],
      schemaChange: null,
      rekeyed: false,
    });
    expect(change.previousSnapshotId).toBe(baseline.snapshotId);
    expect(same).toMatchObject({ isNoChange: true, snapshotId: change.snapshotId });
    expect((await api.call('GET', path(id, 'delta/latest'))).body).toEqual(same);
    expect((await api.call('GET', path(id, `delta/${change.id}`))).body).toEqual(change);
    const changes = await api.call('GET', path(id, 'delta?changesOnly=true'));
    expect(changes.body.events).toEqual([change]);
  });

  it('shows rows in key order, with the digits that the origin wrote', async () => {
    const { body, text } = await api.call('GET', path(id, `delta/${eventIds[1]}/rows`));
    expect(body.rows.map(({ key, changeType }: Record<string, string>) => [key, changeType])).toEqual([
      ['b', 'changed'],
      ['c', 'deleted'],
      ['d', 'new'],
    ]);
    expect(body.rows.map(({ changedFields }: { changedFields: string[] }) => changedFields)).toEqual([
      ['price'],
      [],
      [],
    ]);
    expect(text).toContain('"before":{"id":"b","price":1.10},"after":{"id":"b","price":1.1}');
    expect(text).toContain('"before":null,"after":{"id":"d","price":10000000000000000999}');
    expect(text).toContain('"before":{"id":"c","price":3},"after":null');
    expect((await api.call('GET', path(id, `delta/${eventIds[0]}/rows`))).body.count).toBe(0);
    const rows = await api.call('GET', path(id, 'snapshot-rows'));
    expect(rows.text).toContain('{"key":"d","data":{"id":"d","price":10000000000000000999}}');
  });

  it('pages through rows one by one', async () => {
    const pages = await readAll(path(id, `delta/${eventIds[1]}/rows?limit=1`), 'rows');
    expect(pages.flat().map(({ key }) => key)).toEqual(['b', 'c', 'd']);
    expect(pages.map((page) => page.length)).toEqual([1, 1, 1]);
  });

  it('accepts `latest`, and stays with that event while others follow', async () => {
    const other = await createTestRecord(api.db, api.accountId);
    const rowsOfLatest = path(other, 'delta/latest/rows?limit=1');
    const none = await api.call('GET', rowsOfLatest);
    expect(none.status).toBe(404);
    expect(none.body.detail).toContain('yet');
    await commitRows(api.db, other, { a: row('a', '1'), b: row('b', '1') });
    await commitRows(api.db, other, { a: row('a', '2'), b: row('b', '2') });
    const first = await api.call('GET', rowsOfLatest);
    expect(first.body).toMatchObject({ hasMore: true, rows: [{ key: 'a', changeType: 'changed' }] });
    await commitRows(api.db, other, { a: row('a', '3'), b: row('b', '2'), c: row('c', '3') });
    const second = await api.call('GET', `${rowsOfLatest}&cursor=${first.body.nextCursor}`);
    expect(second.body).toMatchObject({ hasMore: false, rows: [{ key: 'b', changeType: 'changed' }] });
    const firstPage = await api.call('GET', path(other, 'delta/latest/rows'));
    expect(firstPage.body.rows.map(({ key }: { key: string }) => key)).toEqual(['a', 'c']);
  });

  it('accepts since as an event or a time, exclusive', async () => {
    const list = async (since: string) => api.call('GET', path(id, `delta?order=asc&since=${since}`));
    const numbers = async (since: string): Promise<number[]> =>
      (await list(since)).body.events.map((event: { number: number }) => event.number);
    expect(await numbers(eventIds[0] ?? '')).toEqual([2, 3]);
    expect(await numbers(eventIds[2] ?? '')).toEqual([]);
    expect(await numbers('2020-01-01')).toEqual([1, 2, 3]);
    expect(await numbers('2020-01-01T00:00:00%2B02:00')).toEqual([1, 2, 3]);
    expect(await numbers('2020-01-01T00:00:00+02:00')).toEqual([1, 2, 3]);
    expect(await numbers('2999-01-01T00:00:00.000Z')).toEqual([]);
    expect(await numbers('2020-01-01t00:00:00z')).toEqual([1, 2, 3]);
    expect(await numbers('2999-01-01t00:00:00.000z')).toEqual([]);
    const { body } = await api.call('GET', path(id, `delta/${eventIds[1]}`));
    expect(await numbers(body.detectedAt)).toEqual([3]);
    for (const bad of [
      'yesterday',
      '2026-02-30',
      '2026-13-01',
      '2026-01-01T25:00:00Z',
      '2026-01-01T00:00:00',
      '5',
      '',
    ]) {
      const { status, body } = await list(bad);
      expect(status).toBe(400);
      expect(body).toMatchObject({ code: 'invalid_parameter', errors: [{ pointer: 'since' }] });
    }
  });

  it('accepts until as an event or a time, inclusive, with since and in either order', async () => {
    const list = (query: string) => api.call('GET', path(id, `delta?${query}`));
    const numbers = async (query: string): Promise<number[]> =>
      (await list(query)).body.events.map((event: { number: number }) => event.number);
    expect(await numbers(`until=${eventIds[1]}`)).toEqual([2, 1]);
    expect(await numbers(`order=asc&until=${eventIds[1]}`)).toEqual([1, 2]);
    const { body } = await api.call('GET', path(id, `delta/${eventIds[1]}`));
    const at = Date.parse(body.detectedAt);
    expect(await numbers(`until=${body.detectedAt}`)).toEqual([2, 1]);
    expect(await numbers(`until=${new Date(at - 1).toISOString()}`)).toEqual([1]);
    expect(await numbers('until=2999-01-01')).toEqual([3, 2, 1]);
    expect(await numbers('until=2020-01-01')).toEqual([]);
    expect(await numbers(`since=${eventIds[0]}&until=${eventIds[1]}`)).toEqual([2]);
    expect(await numbers(`since=${eventIds[1]}&until=${eventIds[0]}`)).toEqual([]);
    expect(await numbers(`changesOnly=true&until=${eventIds[2]}`)).toEqual([2]);
    for (const bad of ['yesterday', '2026-02-30', '']) {
      expect((await list(`until=${bad}`)).body).toMatchObject({
        status: 400,
        errors: [{ pointer: 'until' }],
      });
    }
  });

  it.each(['since', 'until'])(
    'regression: says of an event in %s what the caller may know of it',
    async (name) => {
      const eventOf = async (accountId: string): Promise<{ record: string; event: string }> => {
        const record = await createTestRecord(api.db, accountId);
        await commitRows(api.db, record, { a: row('a', '1') });
        const { id: event } = await api.db('delta_events').where({ recordId: record }).first();
        return { record, event };
      };
      const list = (event: string, key = api.fullKey) =>
        api.call('GET', path(id, `delta?${name}=${event}`), { key });
      const mine = await eventOf(api.accountId);
      const strange = await eventOf(await createAccount(api.db));
      const { value: recordKey } = await createKey(api.db, api.accountId, 'read', id);
      // Created after the backup from which the database was restored, so newer than any stored event.
      const lost = newTestId('deltaEvent', Date.now() + 60_000);

      const known = await list(mine.event);
      expect(known.body).toMatchObject({ status: 400, errors: [{ pointer: name }] });
      expect(known.body.detail).toContain(mine.record);
      const { body } = await list(lost);
      expect(body).toMatchObject({ status: 410, code: 'gone' });
      expect(body.detail).toMatch(/backup.*latest snapshot/);
      // An event of a record that the caller may not see gets the same response as one that never existed.
      for (const [event, key] of [
        [strange.event, api.fullKey],
        [mine.event, recordKey],
      ] as const) {
        const answer = await list(event, key);
        expect({ ...answer.body, requestId: '' }).toEqual({ ...body, requestId: '' });
      }
    },
  );

  describe.each(['since', 'until'])(
    'regression: an event in %s that is older than the record’s first',
    (name) => {
      const ask = async (record: string, event: string, key = api.fullKey) => {
        const { body } = await api.call('GET', path(record, `delta?${name}=${event}`), { key });
        return { ...body, requestId: '' };
      };
      const never = newTestId('deltaEvent', Date.parse('2020-01-01'));

      it('is called lost only if the record lost events', async () => {
        const record = await createTestRecord(api.db, api.accountId);
        for (const price of ['1', '2']) await commitRows(api.db, record, { a: row('a', price) });
        for (const event of [never, `evt_${'0'.repeat(32)}`]) {
          const body = await ask(record, event);
          expect(body).toMatchObject({ status: 400, code: 'invalid_parameter', errors: [{ pointer: name }] });
          expect(JSON.stringify(body)).not.toMatch(/no longer|backup/);
        }
        await api.db('delta_events').where({ recordId: record, number: 1 }).delete();
        expect(await ask(record, never)).toMatchObject({ status: 410, code: 'gone' });
      });

      it('gets the same answer whether it never existed or belongs to a record that the caller may not see', async () => {
        const [deleted, sibling, record] = [
          await createTestRecord(api.db, api.accountId),
          await createTestRecord(api.db, api.accountId),
          await createTestRecord(api.db, api.accountId),
        ];
        for (const each of [deleted, sibling, record, deleted, sibling]) {
          await commitRows(api.db, each, { a: row('a', String(Math.random())) });
        }
        await api.db('records').where({ id: deleted }).update({ deletedAt: new Date() });
        const { value: appKey } = await createKey(api.db, api.accountId, 'read', record);
        const eventsOf = async (recordId: string): Promise<string[]> =>
          api.db('delta_events').where({ recordId }).orderBy('number').pluck('id');
        const later = newTestId('deltaEvent', Date.now() + 60_000);
        const answers = { older: await ask(record, never), newer: await ask(record, later) };
        expect(answers.newer).toMatchObject({ status: 410, code: 'gone' });
        expect(answers.newer.detail).toContain('of another record');
        for (const [hidden, key] of [
          [deleted, api.fullKey],
          [deleted, appKey],
          [sibling, appKey],
        ] as const) {
          const [older = '', newer = ''] = await eventsOf(hidden);
          expect(await ask(record, older, key)).toEqual(answers.older);
          expect(await ask(record, newer, key)).toEqual(answers.newer);
        }
      });
    },
  );

  it('binds a cursor to until', async () => {
    const url = path(id, `delta?limit=1&until=${eventIds[1]}`);
    const first = await api.call('GET', url);
    const cursor = first.body.nextCursor;
    const second = await api.call('GET', `${url}&cursor=${cursor}`);
    expect(second.body).toMatchObject({ events: [{ number: 1 }], hasMore: false });
    for (const other of ['delta?', `delta?until=${eventIds[2]}&`]) {
      const { body } = await api.call('GET', path(id, `${other}limit=1&cursor=${cursor}`));
      expect(body.code).toBe('invalid_cursor');
    }
  });

  it('says so when a time is before the stored history', async () => {
    const old = await createTestRecord(api.db, api.accountId);
    for (const price of ['1', '2', '3']) await commitRows(api.db, old, { a: row('a', price) });
    await api.db('delta_events').where({ recordId: old, number: 1 }).delete();
    expect((await api.call('GET', path(old, 'delta?since=2020-01-01'))).body.code).toBe('gone');
    const recent = new Date(Date.now() - 3_600_000).toISOString();
    expect((await api.call('GET', path(old, `delta?since=${recent}`))).body.count).toBe(2);
  });

  it.each([
    ['free', 'max', 40],
    // The kept record of a session.
    ['anonymous', 'free', 2],
  ] as const)('regression: says so for what was deleted on tier %s, now on %s', async (_was, tier, days) => {
    const raised = await createTestRecord(api.db, api.accountId, { tier });
    for (const price of ['1', '2', '3']) await commitRows(api.db, raised, { a: row('a', price) });
    const since = new Date(Date.now() - days * 86_400_000).toISOString();
    expect((await api.call('GET', path(raised, `delta?since=${since}`))).body.count).toBe(3);
    await api.db('delta_events').where({ recordId: raised, number: 1 }).delete();
    expect((await api.call('GET', path(raised, `delta?since=${since}`))).body.code).toBe('gone');
  });
});

describe('limits', () => {
  let id = '';
  beforeAll(async () => {
    id = await createTestRecord(api.db, api.accountId);
    const rows = Object.fromEntries(Array.from({ length: 120 }, (_, at) => [`k${at}`, row(`k${at}`, '1')]));
    for (let round = 0; round < 52; round += 1) {
      await commitRows(api.db, id, { ...rows, round: row('round', String(round)) });
    }
  });

  it.each([
    ['delta', 'events', 50],
    ['snapshots', 'snapshots', 52],
    ['snapshot-rows', 'rows', 20],
    ['checks', 'checks', 50],
  ])('%s has its default', async (rest, key, expected) => {
    expect((await api.call('GET', path(id, rest))).body[key]).toHaveLength(expected);
  });

  it('reduces a limit above the maximum', async () => {
    expect((await api.call('GET', path(id, 'snapshot-rows?limit=999999999'))).body.rows).toHaveLength(100);
    expect((await api.call('GET', path(id, 'delta?limit=999999999'))).body.events).toHaveLength(52);
  });

  it('regression: accepts whole numbers of any length for limits', async () => {
    for (const limit of ['67204454108604', '9'.repeat(400)]) {
      for (const listing of ['delta', 'snapshot-rows', 'checks', 'webhooks']) {
        const { status } = await api.call('GET', path(id, `${listing}?limit=${limit}`));
        expect([listing, limit.length, status]).toEqual([listing, limit.length, 200]);
      }
      expect((await api.call('GET', path(id, `delta?keysLimit=${limit}`))).status).toBe(200);
    }
  });

  it.each(['0', '-1', '1.5', '1e2', '0x10', '', 'ten', '%205', '5abc'])('refuses limit=%s', async (limit) => {
    for (const rest of ['delta', 'snapshots', 'snapshot-rows', 'checks', 'webhooks']) {
      const { status, body } = await api.call('GET', path(id, `${rest}?limit=${limit}`));
      expect(status).toBe(400);
      expect(body).toMatchObject({ code: 'invalid_parameter', errors: [{ pointer: 'limit' }] });
    }
  });

  it('refuses unknown, repeated and invalid parameters', async () => {
    for (const [query, pointer] of [
      ['limit=1&limit=2', 'limit'],
      ['colour=red', 'colour'],
      ['order=up', 'order'],
      ['changesOnly=1', 'changesOnly'],
      ['changesOnly=TRUE', 'changesOnly'],
    ]) {
      const { status, body } = await api.call('GET', path(id, `delta?${query}`));
      expect(status).toBe(400);
      expect(body.errors).toEqual([expect.objectContaining({ pointer })]);
    }
    const several = await api.call('GET', path(id, 'delta?limit=x&order=y&since=z&b=1'));
    expect(several.body.errors.map(({ pointer }: { pointer: string }) => pointer).toSorted()).toEqual([
      'b',
      'limit',
      'order',
    ]);
  });

  it.each([
    ['delta', 'events', 'number'],
    ['checks', 'checks', 'number'],
    ['snapshots', 'snapshots', 'sequence'],
  ])('%s comes newest first, or oldest first when asked', async (rest, key, by) => {
    const numbers = async (order: string) =>
      (await readAll(path(id, `${rest}?limit=20&order=${order}`), key))
        .flat()
        .map((item) => Number(item[by]));
    const ascending = Array.from({ length: 52 }, (_, at) => at + 1);
    expect(await numbers('asc')).toEqual(ascending);
    expect(await numbers('desc')).toEqual(ascending.toReversed());
  });
});

describe('pages while new data arrive', () => {
  it('stay with the snapshot of the first page', async () => {
    const id = await createTestRecord(api.db, api.accountId);
    const version = (price: string) =>
      Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((key) => [key, row(key, price)]));
    await commitRows(api.db, id, version('1'));
    const first = await api.call('GET', path(id, 'snapshot-rows?limit=2'));
    await commitRows(api.db, id, { ...version('2'), bb: row('bb', '2') });
    const second = await api.call('GET', path(id, `snapshot-rows?limit=2&cursor=${first.body.nextCursor}`));
    const third = await api.call('GET', path(id, `snapshot-rows?limit=2&cursor=${second.body.nextCursor}`));
    const seen = [first, second, third].flatMap(({ body }) => body.rows);
    expect(seen.map(({ key }) => key)).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(seen.map(({ data }) => data.price)).toEqual([1, 1, 1, 1, 1]);
    expect((await api.call('GET', path(id, 'snapshot-rows'))).body.count).toBe(6);
    await api.db('snapshots').where({ recordId: id, sequence: 1 }).delete();
    const gone = await api.call('GET', path(id, `snapshot-rows?limit=2&cursor=${first.body.nextCursor}`));
    expect(gone.body).toMatchObject({ status: 410, code: 'gone' });
  });

  it('of events neither skip nor repeat', async () => {
    const id = await createTestRecord(api.db, api.accountId);
    for (const price of ['1', '2', '3', '4']) await commitRows(api.db, id, { a: row('a', price) });
    const first = await api.call('GET', path(id, 'delta?limit=2'));
    await commitRows(api.db, id, { a: row('a', '5') });
    const second = await api.call('GET', path(id, `delta?limit=2&cursor=${first.body.nextCursor}`));
    expect([...first.body.events, ...second.body.events].map(({ number }) => number)).toEqual([4, 3, 2, 1]);
  });
});

it('shows and pages past a row whose key is empty', async () => {
  const id = await createTestRecord(api.db, api.accountId);
  await commitRows(api.db, id, { '': row('', '1'), a: row('a', '1') });
  const pages = await readAll(path(id, 'snapshot-rows?limit=1'), 'rows');
  expect(pages.flat().map(({ key }) => key)).toEqual(['', 'a']);
});

describe('snapshots', () => {
  it('are read by id and as latest', async () => {
    const id = await createTestRecord(api.db, api.accountId);
    await commitRows(api.db, id, { a: row('a', '1') });
    await commitRows(api.db, id, { a: row('a', '2') }, ['price', 'id']);
    const { body } = await api.call('GET', path(id, 'snapshots'));
    const [latest, first] = body.snapshots;
    expect(latest).toMatchObject({ sequence: 2, totalRows: 1, columns: ['price', 'id'], bytes: 100 });
    expect((await api.call('GET', path(id, 'snapshots/latest'))).body).toEqual(latest);
    expect((await api.call('GET', path(id, `snapshots/${first.id}`))).body).toEqual(first);
    expect((await api.call('GET', path(id, `snapshots/${newTestId('snapshot')}`))).status).toBe(404);
    expect((await api.call('GET', path(id, 'snapshots/nonsense'))).status).toBe(404);
  });
});

describe('rows of a megabyte', () => {
  const heavy = (id: string, letter: string): string => `{"text":"${letter.repeat(1_000_003)}","id":"${id}"}`;
  const heavyRows = (letter: string): Record<string, string> =>
    Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`k${n + 10}`, heavy(`k${n + 10}`, letter)]));
  const keys = Object.keys(heavyRows('a'));

  it('come in pages that a process can hold, however many were requested', async () => {
    const id = await createTestRecord(api.db, api.accountId);
    await commitRows(api.db, id, heavyRows('a'));
    await commitRows(api.db, id, heavyRows('b'));
    const { body: latest } = await api.call('GET', path(id, 'delta/latest'));
    for (const [rest, most] of [
      [`delta/${latest.id}/rows?limit=5000`, 5],
      ['snapshot-rows?limit=100', 9],
    ] as const) {
      const pages = await readAll(path(id, rest), 'rows');
      expect(pages.flat().map(({ key }) => key)).toEqual(keys);
      expect(Math.max(...pages.map((page) => page.length))).toBeLessThanOrEqual(most);
    }
  });
});
