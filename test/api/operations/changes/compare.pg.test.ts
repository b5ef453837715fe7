import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../../../support/api/api.ts';
import { commitRows, createTestRecord, newTestId } from '../../../support/rows/factories.ts';

const api = useApi();
const row = (id: string, price: string): string => `{"id":"${id}","price":${price}}`;

let id = '';
let ids: string[] = [];
const path = (rest: string, recordId = id): string => `/v1/sources/${recordId}/${rest}`;
const snapshotIds = async (recordId: string): Promise<string[]> =>
  (await api.call('GET', path('snapshots?order=asc', recordId))).body.snapshots.map(
    (snapshot: { id: string }) => snapshot.id,
  );

beforeAll(async () => {
  id = await createTestRecord(api.db, api.accountId);
  await commitRows(api.db, id, { a: row('a', '1.0'), b: row('b', '1'), c: row('c', '1') });
  await commitRows(api.db, id, { a: row('a', '2'), b: row('b', '2'), d: row('d', '1') });
  await commitRows(
    api.db,
    id,
    { a: row('a', '1.0'), b: row('b', '3'), c: row('c', '1'), d: '{"id":"d","cost":1}' },
    ['id', 'cost'],
  );
  ids = await snapshotIds(id);
});

describe('comparing two snapshots', () => {
  it('counts rows that differ; those that changed and changed back do not', async () => {
    const { body } = await api.call('GET', path(`compare?from=${ids[0]}&to=latest`));
    const counts = { newCount: 1, changedCount: 1, deletedCount: 0, unchangedCount: 2, totalCount: 4 };
    expect(body).toEqual({
      sourceId: id,
      fromSnapshotId: ids[0],
      toSnapshotId: ids[2],
      isNoChange: false,
      ...counts,
      summary: counts,
      newKeys: ['d'],
      changedKeys: ['b'],
      deletedKeys: [],
      schemaChange: { added: ['cost'], removed: ['price'] },
    });
    expect((await api.call('GET', path(`compare?from=${ids[0]}`))).body).toEqual(body);
  });

  it('swaps new and deleted, before and after, in the other order', async () => {
    const { body } = await api.call('GET', path(`compare?from=latest&to=${ids[0]}`));
    expect(body).toMatchObject({
      deletedKeys: ['d'],
      newKeys: [],
      totalCount: 3,
      unchangedCount: 2,
      schemaChange: { added: ['price'], removed: ['cost'] },
    });
    const { text } = await api.call('GET', path(`compare/rows?from=latest&to=${ids[0]}`));
    expect(text).toContain('"before":{"id":"b","price":3},"after":{"id":"b","price":1}');
    expect(text).toContain('"changeType":"deleted","before":{"id":"d","cost":1},"after":null');
  });

  it('finds nothing between a snapshot and itself', async () => {
    const same = await api.call('GET', path(`compare?from=${ids[2]}&to=latest`));
    expect(same.body).toMatchObject({ isNoChange: true, newKeys: [], unchangedCount: 4, schemaChange: null });
    expect((await api.call('GET', path('compare/rows?from=latest'))).body.rows).toEqual([]);
  });

  it('lists the rows of one type, page by page, in the shape of delta rows', async () => {
    const url = path(`compare/rows?from=${ids[1]}&to=${ids[2]}`);
    const { body } = await api.call('GET', url);
    expect(body.rows).toMatchObject([
      { key: 'a', changeType: 'changed', changedFields: ['price'] },
      { key: 'b', changeType: 'changed' },
      { key: 'c', changeType: 'new', before: null, changedFields: [] },
      { key: 'd', changeType: 'changed', changedFields: ['cost', 'price'] },
    ]);
    const first = await api.call('GET', `${url}&changeType=changed&limit=2`);
    expect(first.body).toMatchObject({ count: 2, hasMore: true });
    const cursor = first.body.nextCursor;
    const second = await api.call('GET', `${url}&changeType=changed&limit=2&cursor=${cursor}`);
    expect(second.body).toMatchObject({ rows: [{ key: 'd' }], hasMore: false, nextCursor: null });
    for (const other of [`${url}&cursor=${cursor}`, `${url}&changeType=new&cursor=${cursor}`]) {
      expect((await api.call('GET', other)).body.code).toBe('invalid_cursor');
    }
    expect((await api.call('GET', `${url}&changeType=gone`)).body.errors).toMatchObject([
      { pointer: 'changeType' },
    ]);
  });

  it('shows as many keys as requested', async () => {
    const url = path(`compare?from=${ids[1]}&to=${ids[2]}`);
    expect((await api.call('GET', `${url}&keysLimit=0`)).body).toMatchObject({
      changedCount: 3,
      changedKeys: [],
    });
    expect((await api.call('GET', `${url}&keysLimit=2`)).body.changedKeys).toEqual(['a', 'b']);
    expect((await api.call('GET', `${url}&keysLimit=99999`)).body.changedKeys).toEqual(['a', 'b', 'd']);
  });

  it('needs two snapshots of this record', async () => {
    const other = await createTestRecord(api.db, api.accountId);
    await commitRows(api.db, other, { a: row('a', '1') });
    const [foreign] = await snapshotIds(other);
    for (const kind of ['compare', 'compare/rows']) {
      const missing = await api.call('GET', path(`${kind}?from=${newTestId('snapshot')}`));
      const theirs = await api.call('GET', path(`${kind}?from=latest&to=${foreign}`));
      expect(missing.status).toBe(404);
      expect(theirs.text.replace(theirs.body.requestId, '')).toBe(
        missing.text.replace(missing.body.requestId, ''),
      );
      expect((await api.call('GET', path(`${kind}?from=first`))).status).toBe(400);
    }
    const none = await createTestRecord(api.db, api.accountId);
    expect((await api.call('GET', path('compare?from=latest', none))).status).toBe(404);
  });

  it('uses the previous snapshot by default', async () => {
    for (const [to, from] of [
      ['', ids[1]],
      [`?to=${ids[1]}`, ids[0]],
    ] as const) {
      const { body } = await api.call('GET', path(`compare${to}`));
      expect(body).toMatchObject({ fromSnapshotId: from });
      const explicit = `?from=${from}${to.replace('?', '&')}`;
      expect((await api.call('GET', path(`compare${explicit}`))).body).toEqual(body);
      expect((await api.call('GET', path(`compare/rows${to}`))).body.rows).toEqual(
        (await api.call('GET', path(`compare/rows${explicit}`))).body.rows,
      );
    }
    for (const kind of ['compare', 'compare/rows']) {
      const { status, body } = await api.call('GET', path(`${kind}?to=${ids[0]}`));
      expect(status).toBe(404);
      expect(body.detail).toContain('no snapshot before');
    }
  });

  it('is refused across a change of the key fields, with different_keys', async () => {
    const rekeyed = await createTestRecord(api.db, api.accountId);
    await commitRows(api.db, rekeyed, { a: row('1', '1'), old: row('2', '1') });
    await api.db('record_heads').where({ recordId: rekeyed }).update({ generation: 2 });
    await commitRows(api.db, rekeyed, { a: row('a', '2') });
    const [first] = await snapshotIds(rekeyed);
    for (const kind of ['compare', 'compare/rows']) {
      const { body } = await api.call('GET', path(`${kind}?from=${first}`, rekeyed));
      expect(body).toMatchObject({ status: 422, code: 'different_keys' });
    }
    const history = (key: string) => api.call('GET', path(`rows/${key}/history`, rekeyed));
    expect((await history('old')).body).toMatchObject({ status: 422, code: 'different_keys' });
    expect((await history('a')).body.rows).toMatchObject([{ changeType: 'new' }]);
    expect((await history('none')).status).toBe(404);
  });

  it('uses the snapshots of its first page while new data arrives', async () => {
    const moving = await createTestRecord(api.db, api.accountId);
    await commitRows(api.db, moving, { a: row('a', '1'), b: row('b', '1') });
    await commitRows(api.db, moving, { a: row('a', '2'), b: row('b', '2') });
    const [first] = await snapshotIds(moving);
    const url = path(`compare/rows?from=${first}&limit=1`, moving);
    const page = await api.call('GET', url);
    await commitRows(api.db, moving, { a: row('a', '3'), b: row('b', '3') });
    const next = `${url}&cursor=${page.body.nextCursor}`;
    expect((await api.call('GET', next)).body.rows[0].after).toEqual({ id: 'b', price: 2 });
    await api.db('snapshots').where({ recordId: moving, sequence: 1 }).delete();
    expect((await api.call('GET', next)).body).toMatchObject({ status: 410, code: 'gone' });
  });
});

describe('the history of a row', () => {
  const history = (key: string, query = '') =>
    api.call('GET', path(`rows/${encodeURIComponent(key)}/history${query}`));

  it('is newest first, and names the event and the snapshot of each entry', async () => {
    const { body } = await history('c');
    expect(body.rows).toMatchObject([
      { changeType: 'new', before: null, after: { id: 'c', price: 1 }, snapshotId: ids[2] },
      { changeType: 'deleted', before: { id: 'c', price: 1 }, after: null, snapshotId: ids[1] },
      { changeType: 'new', snapshotId: ids[0] },
    ]);
    const events = await api.call('GET', path('delta'));
    expect(body.rows.map(({ deltaEventId }: { deltaEventId: string }) => deltaEventId)).toEqual(
      events.body.events.map((event: { id: string }) => event.id),
    );
    const times = body.rows.map(({ detectedAt }: { detectedAt: string }) => detectedAt);
    expect(times).toEqual(events.body.events.map((event: { detectedAt: string }) => event.detectedAt));
    const ascending = await history('c', '?order=asc');
    expect(ascending.body.rows).toEqual(body.rows.toReversed());
  });

  it('shows values as the origin wrote them, and what changed', async () => {
    const { body, text } = await history('a');
    expect(text).toContain('"before":{"id":"a","price":2},"after":{"id":"a","price":1.0}');
    expect(body.rows.map((entry: { changedFields: string[] }) => entry.changedFields)).toEqual([
      ['price'],
      ['price'],
      [],
    ]);
  });

  it('is paginated, and a cursor belongs to its row', async () => {
    const first = await history('c', '?limit=2');
    expect(first.body).toMatchObject({ count: 2, hasMore: true });
    const cursor = first.body.nextCursor;
    const second = await history('c', `?limit=2&cursor=${cursor}`);
    expect(second.body).toMatchObject({ count: 1, hasMore: false, rows: [{ snapshotId: ids[0] }] });
    expect((await history('a', `?cursor=${cursor}`)).body.code).toBe('invalid_cursor');
    expect((await history('c', `?order=asc&cursor=${cursor}`)).body.code).toBe('invalid_cursor');
  });

  it('is found under any key that a row can have', async () => {
    const keyed = await createTestRecord(api.db, api.accountId);
    const keys = ['a/b', '100%', '%2F', 'ü + 1', '["x","y"]', '€'.repeat(341), 'history', '?#&='];
    const data = Object.fromEntries(keys.map((key) => [key, `{"id":${JSON.stringify(key)}}`]));
    await commitRows(api.db, keyed, { ...data, '': '{"id":""}' });
    for (const key of keys) {
      const url = path(`rows/${encodeURIComponent(key)}/history`, keyed);
      expect((await api.call('GET', url)).body).toMatchObject({ key, rows: [{ key, after: { id: key } }] });
    }
    const headers = { authorization: `Bearer ${api.fullKey}` };
    const empty = await api.app.inject({ url: path('rows//history', keyed), headers });
    expect(empty.json()).toMatchObject({ key: '', rows: [{ after: { id: '' } }] });
    for (const key of ['none', '%00', 'x'.repeat(1_100)]) {
      expect((await api.call('GET', path(`rows/${key}/history`, keyed))).status).toBe(404);
    }
  });

  it('leaves out what retention deleted', async () => {
    const pruned = await createTestRecord(api.db, api.accountId);
    for (const price of ['1', '2', '3']) await commitRows(api.db, pruned, { a: row('a', price) });
    await api.db('delta_events').where({ recordId: pruned }).where('number', '<', 3).delete();
    const url = path('rows/a/history', pruned);
    expect((await api.call('GET', url)).body.rows).toMatchObject([
      { before: { price: 2 }, after: { price: 3 } },
    ]);
    await api.db('delta_events').where({ recordId: pruned }).delete();
    expect((await api.call('GET', url)).body).toMatchObject({ count: 0, rows: [] });
  });
});

describe('keys of delta events', () => {
  const KEYS = Array.from({ length: 150 }, (_, at) => `k${at + 1_000}`);
  let big = '';
  beforeAll(async () => {
    big = await createTestRecord(api.db, api.accountId);
    await commitRows(api.db, big, { a: row('a', '1') });
    await commitRows(api.db, big, Object.fromEntries(KEYS.map((key) => [key, row(key, '1')])));
  });

  it('are 100 of each kind by default', async () => {
    const { body: event } = await api.call('GET', path('delta/latest', big));
    expect(event).toMatchObject({ newCount: 150, newKeys: KEYS.slice(0, 100), deletedKeys: ['a'] });
    for (const which of ['latest', event.id]) {
      const keysOf = async (limit: string) =>
        (await api.call('GET', path(`delta/${which}?keysLimit=${limit}`, big))).body;
      expect(await keysOf('0')).toMatchObject({ newKeys: [], deletedKeys: [], newCount: 150 });
      expect(await keysOf('120')).toMatchObject({ newKeys: KEYS.slice(0, 120), deletedKeys: ['a'] });
      expect(await keysOf('1000')).toEqual({ ...event, newKeys: KEYS });
      expect(await keysOf('5000')).toEqual({ ...event, newKeys: KEYS });
      expect(await keysOf('-1')).toMatchObject({ status: 400, errors: [{ pointer: 'keysLimit' }] });
    }
  });

  it('are at most 100 in a list', async () => {
    const newKeys = async (limit: string) =>
      (await api.call('GET', path(`delta?keysLimit=${limit}`, big))).body.events[0].newKeys;
    expect(await newKeys('3')).toEqual(KEYS.slice(0, 3));
    expect(await newKeys('1000')).toEqual(KEYS.slice(0, 100));
  });

  it('come in pages that a process can hold', async () => {
    const heavy = await createTestRecord(api.db, api.accountId);
    for (let check = 0; check < 4; check += 1)
      await commitRows(api.db, heavy, { a: row('a', String(check)) });
    const keys = Array.from({ length: 100 }, (_, at) => String(at).padEnd(40_000, 'x'));
    await api.db('delta_events').where({ recordId: heavy }).update({ newKeys: keys });
    const first = await api.call('GET', path('delta', heavy));
    expect(first.body).toMatchObject({ count: 3, hasMore: true });
    expect(first.body.events[2].newKeys).toEqual(keys);
    const second = await api.call('GET', path(`delta?cursor=${first.body.nextCursor}`, heavy));
    expect(second.body.events.map(({ number }: { number: number }) => number)).toEqual([1]);
    expect((await api.call('GET', path('delta?keysLimit=1', heavy))).body.count).toBe(4);
  });

  it('lists the rows of one type', async () => {
    const { body: event } = await api.call('GET', path('delta/latest', big));
    const rowsOf = async (changeType: string) =>
      (await api.call('GET', path(`delta/${event.id}/rows?changeType=${changeType}`, big))).body.rows;
    expect(await rowsOf('deleted')).toMatchObject([{ key: 'a', changeType: 'deleted' }]);
    expect(await rowsOf('changed')).toEqual([]);
    expect((await rowsOf('new')).map(({ key }: { key: string }) => key)).toEqual(KEYS);
    const missing = await api.call('GET', path(`delta/${newTestId('deltaEvent')}/rows`, big));
    const foreign = await api.call('GET', path(`delta/${event.id}/rows`));
    expect(missing.status).toBe(404);
    expect(foreign.body).toEqual({ ...missing.body, requestId: foreign.body.requestId });
  });
});
