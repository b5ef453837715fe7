// Searching changed rows: of an event, and between two snapshots.
import { beforeAll, describe, expect, it } from 'vitest';
import { rawRows } from '../../../../db/driver/knex.ts';
import { useApi } from '../../../support/api/api.ts';
import { commitRows, createTestRecord, newTestId } from '../../../support/rows/factories.ts';

const api = useApi();
const COLUMNS = ['id', 'name', 'price', '__proto__'];
const BEFORE = {
  a: '{"id":"a","name":"Größe","price":1.10}',
  b: '{"id":"b","name":"Straße 5","price":2}',
  c: '{"id":"c","name":"Same","price":3}',
  d: '{"id":"d","name":"Gone for good","price":4}',
  e: '{"id":"e","name":"was red","price":5}',
};
const AFTER = {
  a: '{"id":"a","name":"Größe","price":1.1}',
  b: '{"id":"b","name":"Weg 5","price":2,"__proto__":"own"}',
  c: BEFORE.c,
  e: '{"id":"e","name":"is blue","price":6}',
  f: '{"id":"f","name":"red, too","price":7}',
};

let id = '';
let listings: readonly string[] = [];
type Query = Record<string, string> | [string, string][];

beforeAll(async () => {
  id = await createTestRecord(api.db, api.accountId);
  await commitRows(api.db, id, BEFORE, ['id', 'name', 'price']);
  await commitRows(api.db, id, AFTER, COLUMNS);
  const { body } = await api.call('GET', `/v1/sources/${id}/delta/latest`);
  listings = [
    'delta/latest/rows',
    `delta/${body.id}/rows`,
    'compare/rows',
    `compare/rows?from=${body.previousSnapshotId}`,
  ];
});

const ask = (listing: string, query: Query = {}) =>
  api.call(
    'GET',
    `/v1/sources/${id}/${listing}${listing.includes('?') ? '&' : '?'}${new URLSearchParams(query).toString()}`,
  );

/** The keys of one letter that all of the lists find. */
async function found(query: Query): Promise<string> {
  const all = await Promise.all(
    listings.map(async (listing) => {
      const { status, body } = await ask(listing, query);
      expect(status).toBe(200);
      return body.rows.map(({ key }: { key: string }) => key).join('');
    }),
  );
  expect(new Set(all).size).toBe(1);
  return all[0] ?? '';
}

describe('search', () => {
  it.each([
    ['GRÖSSE', 'a'],
    ['strasse', 'b'],
    ['weg', 'b'],
    ['RED', 'ef'],
    ['1.10', 'a'],
    ['gone', 'd'],
    ['same', ''],
    ['own', 'b'],
    ['D', 'def'],
    ['name', ''],
    ["'", ''],
  ])('for %j finds %s, before and after', async (search, keys) => {
    expect(await found({ search })).toBe(keys);
  });

  it('searches only the given columns, and rows of one type', async () => {
    expect(await found({ search: 'd', field: 'name' })).toBe('def');
    expect(await found({ search: 'd', field: 'id' })).toBe('d');
    expect(
      await found([
        ['search', '5'],
        ['field', 'name'],
        ['field', 'price'],
      ]),
    ).toBe('be');
    expect(await found({ search: 'own', field: '__proto__' })).toBe('b');
    expect(await found({ search: 'red', changeType: 'new' })).toBe('f');
    expect(await found({ search: 'red', changeType: 'changed' })).toBe('e');
    expect(await found({ search: 'red', changeType: 'deleted' })).toBe('');
    expect(await found({ search: 'gone', changeType: 'deleted' })).toBe('d');
  });

  it('shows rows as every listing does', async () => {
    for (const listing of listings) {
      const { body, text } = await ask(listing, { search: 'größe' });
      expect(body).toMatchObject({ sourceId: id, count: 1, hasMore: false, nextCursor: null });
      expect(body.rows).toMatchObject([{ key: 'a', changeType: 'changed', changedFields: ['price'] }]);
      expect(text).toContain('"price":1.10},"after"');
    }
  });
});

describe('changedField', () => {
  it('leaves changed rows in which one of the columns differs', async () => {
    expect(await found({ changedField: 'price' })).toBe('ae');
    expect(await found({ changedField: 'name' })).toBe('be');
    expect(await found({ changedField: '__proto__' })).toBe('b');
    expect(await found({ changedField: 'id' })).toBe('');
    expect(
      await found([
        ['changedField', 'price'],
        ['changedField', '__proto__'],
      ]),
    ).toBe('abe');
    expect(await found({ changedField: 'price', search: 'RED' })).toBe('e');
    expect(await found({ changedField: 'price', changeType: 'changed' })).toBe('ae');
    expect(await found({ changedField: 'price', changeType: 'new' })).toBe('');
    expect(await found({ changedField: 'price', changeType: 'deleted' })).toBe('');
  });

  it('knows the columns of both snapshots, and no others', async () => {
    const other = await createTestRecord(api.db, api.accountId);
    await commitRows(api.db, other, { a: '{"id":"a","old":1}' }, ['id', 'old']);
    await commitRows(api.db, other, { a: '{"id":"a","now":1}' }, ['id', 'now']);
    for (const listing of ['delta/latest/rows', 'compare/rows']) {
      const path = `/v1/sources/${other}/${listing}`;
      for (const column of ['old', 'now']) {
        expect((await api.call('GET', `${path}?changedField=${column}`)).body.count).toBe(1);
      }
      const { body } = await api.call('GET', `${path}?search=1&field=none&changedField=neither`);
      expect(body).toMatchObject({ status: 422, code: 'validation_failed' });
      expect(body.errors).toMatchObject([
        { pointer: 'field', code: 'unknown_column' },
        { pointer: 'changedField', code: 'unknown_column' },
      ]);
      expect(body.errors[0].detail).toContain('they have id, now, old');
    }
  });
});

it('refuses an invalid search', async () => {
  for (const listing of listings) {
    for (const [query, pointer] of [
      [{ field: 'name' }, 'field'],
      [{ search: '' }, 'search'],
      [{ search: 'x'.repeat(201) }, 'search'],
      [{ search: '\0' }, 'search'],
      [{ 'filter[name][eq]': 'x' }, 'filter[name][eq]'],
    ] as const) {
      const { status, body } = await ask(listing, query);
      expect(status).toBe(400);
      expect(body).toMatchObject({ code: 'invalid_parameter', errors: [{ pointer }] });
    }
    const many = Array.from({ length: 21 }, () => ['changedField', 'name'] as [string, string]);
    expect((await ask(listing, many)).status).toBe(400);
  }
});

describe('pages', () => {
  it('continue where the last one ended, and belong to their search', async () => {
    for (const listing of listings) {
      const first = await ask(listing, { search: 'D', limit: '2' });
      expect(first.body).toMatchObject({ rows: [{ key: 'd' }, { key: 'e' }], hasMore: true });
      const cursor = String(first.body.nextCursor);
      const second = await ask(listing, { search: 'D', limit: '2', cursor });
      expect(second.body).toMatchObject({ rows: [{ key: 'f' }], hasMore: false, nextCursor: null });
      for (const other of [{ search: 'E' }, {}, { search: 'D', changedField: 'name' }]) {
        expect((await ask(listing, { ...other, cursor })).body.code).toBe('invalid_cursor');
      }
    }
  });

  it('stay with the event or the snapshots of the first', async () => {
    const moving = await createTestRecord(api.db, api.accountId);
    const rows = (price: string) =>
      Object.fromEntries(['a', 'b', 'c'].map((key) => [key, `{"id":"${key}","price":"${price}"}`]));
    for (const price of ['x1', 'x2']) await commitRows(api.db, moving, rows(price));
    const urls = ['delta/latest/rows', 'compare/rows'].map(
      (listing) => `/v1/sources/${moving}/${listing}?search=X&limit=2`,
    );
    const firsts = await Promise.all(urls.map((url) => api.call('GET', url)));
    await commitRows(api.db, moving, rows('x3'));
    for (const [at, url] of urls.entries()) {
      const { body } = await api.call('GET', `${url}&cursor=${firsts[at]?.body.nextCursor}`);
      expect(body.rows).toMatchObject([{ key: 'c', before: { price: 'x1' }, after: { price: 'x2' } }]);
    }
  });

  it('read some 100,000 rows each', async () => {
    const big = await createTestRecord(api.db, api.accountId);
    await commitRows(api.db, big, { a: '{"id":"a","n":0}' }, ['id', 'n']);
    await commitRows(api.db, big, { a: '{"id":"a","n":1}' }, ['id', 'n']);
    // The state that an event with 120,000 more new rows leaves.
    await rawRows(
      api.db,
      `insert into row_versions (record_no, generation, row_key, first_seq, row_hash, data)
       select record_no, generation, 'k' || lpad(at::text, 6, '0'), sequence, '\\x00',
         json_build_object('id', 'k' || lpad(at::text, 6, '0'), 'n', 'value ' || at)
       from record_heads, generate_series(1, 120000) at where record_id = ?`,
      [big],
    );
    await rawRows(
      api.db,
      'update delta_events set new_count = 120000 where record_id = ? and not is_no_change',
      [big],
    );
    await rawRows(api.db, 'update snapshots set total_rows = 120001, bytes = 5000000 where record_id = ?', [
      big,
    ]);
    for (const listing of ['delta/latest/rows', 'compare/rows']) {
      const search = async (text: string, cursor = '') =>
        (await api.call('GET', `/v1/sources/${big}/${listing}?search=${text}${cursor}`)).body;
      expect((await search('VALUE%2099999')).rows).toMatchObject([{ key: 'k099999' }]);
      const first = await search('VALUE%20111111');
      expect(first).toMatchObject({ count: 0, rows: [], hasMore: true });
      const second = await search('VALUE%20111111', `&cursor=${first.nextCursor}`);
      expect(second).toMatchObject({ count: 1, rows: [{ key: 'k111111' }], hasMore: false });
    }
  });
});

it('does not find an event of another record', async () => {
  const other = await createTestRecord(api.db, api.accountId);
  await commitRows(api.db, other, BEFORE);
  await commitRows(api.db, other, AFTER);
  const { body } = await api.call('GET', `/v1/sources/${other}/delta/latest`);
  const foreign = await ask(`delta/${body.id}/rows`, { search: 'a' });
  const missing = await ask(`delta/${newTestId('deltaEvent')}/rows`, { search: 'a' });
  expect(foreign.status).toBe(404);
  expect(foreign.body).toEqual({ ...missing.body, requestId: foreign.body.requestId });
});
