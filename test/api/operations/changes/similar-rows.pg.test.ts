// Records with `pairing`: the setting, and similar rows in every answer that shows changes.
import { beforeEach, describe, expect, it } from 'vitest';
import { useApi } from '../../../support/api/api.ts';
import { createTestRecord } from '../../../support/rows/factories.ts';
import { commitTable, keyedRows, type Table } from '../../../db/factories.ts';

const api = useApi();
beforeEach(() => {
  api.workflows.calls.length = 0;
});

describe('the setting `pairing`', () => {
  const url = 'https://example.com/prices.csv';

  it('is null unless it is given, and is changed without reading or fetching anything', async () => {
    const plain = await api.call('POST', '/v1/sources', { body: { url } });
    expect([plain.status, plain.body.pairing]).toEqual([201, null]);
    const { status, body } = await api.call('POST', '/v1/sources', { body: { url, pairing: 'similarity' } });
    expect([status, body.pairing]).toEqual([201, 'similarity']);
    const path = `/v1/sources/${body.id}`;
    api.workflows.calls.length = 0;
    for (const pairing of [null, 'similarity', null]) {
      const changed = await api.call('PATCH', path, { body: { pairing } });
      expect(changed.body).toMatchObject({ pairing, isRekeyPending: false });
      expect((await api.call('GET', path)).body.pairing).toBe(pairing);
    }
    expect(new Set(api.workflows.calls.map(({ name }) => name))).toEqual(new Set(['settingsChanged']));
    const { body: log } = await api.call('GET', '/v1/auditlog?limit=1');
    expect(JSON.stringify(log)).toContain('"pairing"');
  });

  it('is taken by records with a key', async () => {
    const body = { url, keyFields: ['id'], pairing: 'similarity' };
    expect((await api.call('POST', '/v1/sources', { body })).status).toBe(201);
  });

  it.each(['POST', 'PATCH'] as const)('with another value is refused by %s', async (method) => {
    const id = await createTestRecord(api.db, api.accountId);
    const path = method === 'POST' ? '/v1/sources' : `/v1/sources/${id}`;
    const { status, body } = await api.call(method, path, { body: { url, pairing: 'guess' } });
    expect([status, body.errors[0].pointer]).toEqual([422, '/pairing']);
  });
});

const tableOf = (...rows: string[]): Table => ({
  columns: ['name', 'price', 'city'],
  rows: rows.map((row) => row.split(' ').map((cell) => JSON.stringify(cell))),
});
const before = tableOf('Ann 5 Oslo', 'Bob 6 Rome', 'Eve 7 Kyiv');
const after = tableOf('Ann 5 Bern', 'Bob 6 Rome', 'Kim 8 Lima');
const keysOf = (version: Table): string[] => keyedRows(version, {}, []).map((row) => row.key);
const [ANN = '', , EVE = ''] = keysOf(before);
const [ANN_MOVED = '', , KIM = ''] = keysOf(after);

const PAIR = {
  key: ANN_MOVED,
  changeType: 'changed',
  before: { name: 'Ann', price: '5', city: 'Oslo' },
  after: { name: 'Ann', price: '5', city: 'Bern' },
  changedFields: ['city'],
  pairedBy: 'similarity',
  previousKey: ANN,
};

describe('similar rows', () => {
  let path: string;
  let recordId: string;
  let webhook: string;
  const commit = (version: Table, pairing: 'similarity' | null = 'similarity') =>
    commitTable(api.db, recordId, version, { keyless: { pairing } });
  const get = async (rest: string) => (await api.call('GET', `${path}${rest}`)).body;

  beforeEach(async () => {
    recordId = await createTestRecord(api.db, api.accountId);
    path = `/v1/sources/${recordId}`;
    const made = await api.call('POST', `${path}/webhooks`, {
      body: { url: 'https://hooks.example.com/in', include: 'rows', filters: { columns: ['city'] } },
    });
    webhook = `/webhooks/${made.body.id}`;
    await commit(before);
  });

  it('are changed rows in counts, lists, filters and pages', async () => {
    await commit(after);
    const event = await get('/delta/latest');
    expect(event).toMatchObject({
      summary: { newCount: 1, changedCount: 1, deletedCount: 1, unchangedCount: 1, totalCount: 3 },
      changedKeys: [ANN_MOVED],
      newKeys: [KIM],
      deletedKeys: [EVE],
      changedColumns: [{ field: 'city', rows: 1 }],
    });
    const rows = `/delta/${event.id}/rows`;
    expect((await get(`${rows}?changeType=changed`)).rows).toEqual([PAIR]);
    expect((await get(`${rows}?changedField=city`)).rows).toEqual([PAIR]);
    expect((await get(`${rows}?changedField=price`)).rows).toEqual([]);
    const all: { key: string }[] = [];
    for (let cursor = ''; ;) {
      const page = await get(`${rows}?limit=1${cursor}`);
      all.push(...page.rows);
      if (page.hasMore !== true) break;
      cursor = `&cursor=${page.nextCursor}`;
    }
    expect(all.map(({ key }) => key)).toEqual([ANN_MOVED, KIM, EVE].toSorted());
    expect(all.filter((row) => 'pairedBy' in row)).toEqual([PAIR]);
  });

  it('are shown by comparisons, histories, brief rows and files', async () => {
    await commit(after);
    const { id } = await get('/delta/latest');
    expect(await get('/compare')).toMatchObject({
      summary: { newCount: 1, changedCount: 1, deletedCount: 1 },
    });
    expect((await get('/compare/rows?changeType=changed')).rows).toEqual([PAIR]);
    const { previousSnapshotId } = await get('/delta/latest');
    const back = await get(`/compare/rows?from=latest&to=${previousSnapshotId}&changeType=changed`);
    expect(back.rows).toMatchObject([{ key: ANN, previousKey: ANN_MOVED }]);
    for (const key of [ANN, ANN_MOVED]) {
      const [latest] = (await get(`/rows/${encodeURIComponent(key)}/history`)).rows;
      expect(latest).toMatchObject(PAIR);
    }
    const [listed] = (await get('/delta?changesOnly=true&firstRows=3&limit=1')).events;
    expect(listed.firstRows[0]).toMatchObject({ key: ANN_MOVED, pairedBy: 'similarity' });
    expect(listed.firstRows[1]).not.toHaveProperty('pairedBy');
    const file = await api.call('GET', `${path}/delta/${id}/download?format=jsonl`);
    const lines = file.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { changeType: string });
    expect(lines.filter(({ changeType }) => changeType === 'changed')).toEqual([PAIR]);
  });

  it('have their previous key in CSV files, also once the setting is null', async () => {
    await commit(after);
    const { id } = await get('/delta/latest');
    const download = () => api.call('GET', `${path}/delta/${id}/download`);
    const file = await download();
    const lines = file.text.trim().split('\n');
    expect(lines[0]).toBe('change_type,row,key,previous_key,name,price,city');
    expect(lines.filter((line) => line.startsWith('changed,'))).toEqual([
      `changed,before,${ANN_MOVED},${ANN},Ann,5,Oslo`,
      `changed,after,${ANN_MOVED},${ANN},Ann,5,Bern`,
    ]);
    expect(lines).toContain(`new,after,${KIM},,Kim,8,Lima`);
    expect(lines).toContain(`deleted,before,${EVE},,Eve,7,Kyiv`);
  });

  it('give CSV files of records that pair the column in every event, under an entity tag of its own', async () => {
    await commit(after, null);
    const { id } = await get('/delta/latest');
    const download = () => api.call('GET', `${path}/delta/${id}/download`);
    const plain = await download();
    expect(plain.text).toMatch(/^change_type,row,key,name,price,city\n/);
    await api.call('PATCH', path, { body: { pairing: 'similarity' } });
    const paired = await download();
    expect(paired.text).toMatch(/^change_type,row,key,previous_key,name,price,city\n/);
    expect(paired.headers.etag).not.toBe(plain.headers.etag);
    await api.call('PATCH', path, { body: { pairing: null } });
    const again = await download();
    expect([again.text, again.headers.etag]).toEqual([plain.text, plain.headers.etag]);
  });

  it('are in the bodies of webhooks, which their filters choose as changed rows', async () => {
    await commit(after);
    const { deliveries } = await get(`${webhook}/deliveries?limit=1`);
    const { payload } = await get(`${webhook}/deliveries/${deliveries[0].id}`);
    const { rows } = JSON.parse(payload) as { rows: object[] };
    expect(rows.find((row) => 'pairedBy' in row)).toEqual(PAIR);
    expect(rows).toHaveLength(3);
  });

  it('have their previous key in bodies of keys alone, and in the feeds', async () => {
    const made = await api.call('POST', `${path}/webhooks`, {
      body: { url: 'https://hooks.example.com/keys' },
    });
    await commit(after);
    const { deliveries } = await get(`/webhooks/${made.body.id}/deliveries?limit=1`);
    const { payload } = await get(`/webhooks/${made.body.id}/deliveries/${deliveries[0].id}`);
    const previousKeys = { [ANN_MOVED]: ANN };
    expect(JSON.parse(payload)).toMatchObject({ changedKeys: [ANN_MOVED], previousKeys });
    const feed = await api.call('GET', `/v1/events?sourceId=${recordId}`);
    expect(feed.body.events.at(-1)).toMatchObject({ changedKeys: [ANN_MOVED], previousKeys });
    const atom = await api.call('GET', `/v1/events.atom?sourceId=${recordId}`);
    expect(atom.text).toContain(`<li>${ANN_MOVED} (before: ${ANN})</li>`);
  });

  it('have their previous keys in delta events and comparisons', async () => {
    await commit(after);
    const { id, previousSnapshotId: from } = await get('/delta/latest');
    const expected = { changedKeys: [ANN_MOVED], previousKeys: { [ANN_MOVED]: ANN } };
    expect(await get(`/delta/${id}`)).toMatchObject(expected);
    expect((await get('/delta')).events[0]).toMatchObject(expected);
    expect(await get(`/compare?from=${from}`)).toMatchObject(expected);
    const none = { changedKeys: [], previousKeys: {} };
    expect(await get(`/delta/${id}?keysLimit=0`)).toMatchObject(none);
    expect((await get('/delta?keysLimit=0')).events[0]).toMatchObject(none);
    expect(await get(`/compare?from=${from}&to=${from}`)).not.toHaveProperty('previousKeys');
  });

  it('have the same previous keys in small checks, which are compared in memory', async () => {
    await commitTable(api.db, recordId, after, { keyless: { pairing: 'similarity' }, fitsInMemory: true });
    const feed = await api.call('GET', `/v1/events?sourceId=${recordId}`);
    expect(feed.body.events.at(-1).previousKeys).toEqual({ [ANN_MOVED]: ANN });
  });

  it('stay deleted and new without the setting, in the same words as ever', async () => {
    await commit(after, null);
    const { id, summary } = await get('/delta/latest');
    expect(summary).toMatchObject({ newCount: 2, changedCount: 0, deletedCount: 2 });
    const { rows } = await get(`/delta/${id}/rows`);
    const feed = await api.call('GET', `/v1/events?sourceId=${recordId}`);
    expect(feed.text).not.toContain('previousKeys');
    for (const read of ['/delta', '/delta/latest', '/compare']) {
      expect(JSON.stringify(await get(read))).not.toContain('previousKeys');
    }
    for (const row of rows) {
      expect(Object.keys(row)).toEqual(['key', 'changeType', 'before', 'after', 'changedFields']);
    }
  });

  it('are counted by a preview of events', async () => {
    await commit(after, null);
    const preview = async (pairing: 'similarity' | null) =>
      (await api.call('POST', `${path}/preview/events`, { body: { pairing } })).body;
    expect(await preview('similarity')).toMatchObject({
      pairing: 'similarity',
      events: [{ underRules: { newCount: 1, changedCount: 1, deletedCount: 1 } }],
    });
    expect((await preview(null)).events).toMatchObject([
      { underRules: { newCount: 2, changedCount: 0, deletedCount: 2 } },
    ]);
  });
});
