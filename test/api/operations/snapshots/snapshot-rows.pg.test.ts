import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../../../support/api/api.ts';
import { commitRows, createTestRecord, newTestId } from '../../../support/rows/factories.ts';

const api = useApi();
const COLUMNS = ['id', 'name', 'price', 'a,b', 'x][y', '__proto__', 'tags'];

const ROWS = {
  a: '{"id":"a","name":"Größe","price":9,"a,b":"1","x][y":"in","__proto__":"own","tags":["Red",null]}',
  b: '{"id":"b","name":"Straße 5","price":"10.0","a,b":"say \\"hi\\"\\n\\\\o/"}',
  c: '{"id":"c","name":"","price":10}',
  d: '{"id":"d","name":null,"price":"1e1"}',
  e: '{"id":"e","price":"n/a"}',
  f: '{"id":"f","name":"name","price":""}',
  g: '{"id":"g","name":"100","price":-0.5}',
  h: '{"id":"h","name":"H","price":10000000000000000999}',
  i: '{"id":"i","name":"I","price":10000000000000000998}',
};

let id = '';
beforeAll(async () => {
  id = await createTestRecord(api.db, api.accountId);
  await commitRows(api.db, id, ROWS, COLUMNS);
});

const url = (query: Record<string, string> | [string, string][], path = 'snapshot-rows'): string =>
  `/v1/sources/${id}/${path}?${new URLSearchParams(query).toString()}`;

/** The keys of one letter of the found rows. */
async function found(query: Record<string, string> | [string, string][]): Promise<string> {
  const { status, body } = await api.call('GET', url(query));
  expect(status).toBe(200);
  return body.rows.map(({ key }: { key: string }) => key).join('');
}

describe('filters', () => {
  it.each([
    ['eq', '10', 'c'],
    ['eq', '10.0', 'b'],
    ['eq', '', 'f'],
    ['ne', '10', 'abdefghi'],
    ['gt', '9', 'bcdehi'],
    ['gte', '9', 'abcdehi'],
    ['gt', '10', 'ehi'],
    ['gte', '10.00', 'bcdehi'],
    ['lt', '10', 'ag'],
    ['lt', '0', 'g'],
    ['lte', '1e1', 'abcdg'],
    ['gt', '10000000000000000998', 'eh'],
    ['gte', 'm', 'e'],
    ['contains', '0', 'bcghi'],
    ['startsWith', '10', 'bchi'],
    ['exists', 'true', 'abcdefghi'],
    ['empty', 'true', 'f'],
  ])('price %s %s finds %s', async (operator, value, keys) => {
    expect(await found({ [`filter[price][${operator}]`]: value })).toBe(keys);
  });

  it.each([
    ['eq', '', 'c'],
    ['ne', '', 'abdefghi'],
    ['contains', 'ß', 'ab'],
    ['contains', 'strasse', ''],
    ['startsWith', 'n', 'f'],
    ['exists', 'false', 'e'],
    ['empty', 'true', 'cde'],
    ['empty', 'false', 'abfghi'],
    ['lt', 'a', 'abghi'],
  ])('name %s %s finds %s', async (operator, value, keys) => {
    expect(await found({ [`filter[name][${operator}]`]: value })).toBe(keys);
  });

  it('compare exactly, however large the numbers, and never fail for one', async () => {
    expect(await found({ 'filter[price][lt]': '10000000000000000999', 'filter[price][gt]': '11' })).toBe('i');
    expect(await found({ 'filter[price][gt]': '9'.repeat(999) })).toBe('e');
    expect(await found({ 'filter[price][gt]': '1e999' })).toBe('e');
    expect(await found({ 'filter[price][lt]': '1e9999' })).toBe('bcdghi');
  });

  it('accept a list with `in`, and must all hold', async () => {
    expect(
      await found([
        ['filter[id][in]', 'a'],
        ['filter[id][in]', 'c'],
        ['filter[id][in]', 'g'],
      ]),
    ).toBe('acg');
    expect(await found({ 'filter[price][gte]': '9', 'filter[price][lte]': '10' })).toBe('abcd');
    expect(await found({ 'filter[id][eq]': 'b', 'filter[price][gt]': '10' })).toBe('');
  });

  it('accept any column name', async () => {
    expect(await found({ 'filter[a,b][eq]': '1' })).toBe('a');
    expect(await found({ 'filter[x][y][eq]': 'in' })).toBe('a');
    expect(await found({ 'filter[__proto__][eq]': 'own' })).toBe('a');
    expect(await found({ 'filter[a,b][contains]': '"hi"\n\\o' })).toBe('b');
    expect(await found({ 'filter[id][eq]': "b' or true --" })).toBe('');
  });
});

describe('search', () => {
  it.each([
    ['GRÖSSE', 'a'],
    ['größe', 'a'],
    ['strasse', 'b'],
    ['NAME', 'f'],
    ['price', ''],
    ['"', 'ab'],
    ['"hi"\n', 'b'],
    ['\\o/', 'b'],
    ['red', 'a'],
    ['10', 'bcghi'],
    ["'", ''],
    ['%', ''],
    ['_', ''],
  ])('for %j finds %s', async (search, keys) => {
    expect(await found({ search })).toBe(keys);
  });

  it('searches the key too, unless columns are named', async () => {
    const keyed = await createTestRecord(api.db, api.accountId);
    await commitRows(api.db, keyed, { 'KEY-1': '{"v":"x"}', other: '{"v":"key-1"}' }, ['v']);
    const keysOf = async (query: string): Promise<string[]> =>
      (await api.call('GET', `/v1/sources/${keyed}/snapshot-rows?${query}`)).body.rows.map(
        ({ key }: { key: string }) => key,
      );
    expect(await keysOf('search=key-1')).toEqual(['KEY-1', 'other']);
    expect(await keysOf('search=key-1&field=v')).toEqual(['other']);
  });

  it('searches only the given columns', async () => {
    expect(
      await found([
        ['search', '10'],
        ['field', 'name'],
      ]),
    ).toBe('g');
    expect(
      await found([
        ['search', '10'],
        ['field', 'name'],
        ['field', 'price'],
      ]),
    ).toBe('bcghi');
    expect(
      await found([
        ['search', '1'],
        ['field', 'a,b'],
      ]),
    ).toBe('a');
    expect(
      await found([
        ['search', '10'],
        ['filter[price][lt]', '1000'],
      ]),
    ).toBe('bcg');
  });
});

describe('an invalid query', () => {
  it.each([
    ['filter[price][above]=1', 400, 'filter[price][above]'],
    ['filter[price][]=1', 400, 'filter[price][]'],
    ['filter[price]=1', 400, 'filter[price]'],
    ['filter=1', 400, 'filter'],
    ['filter[price][gt]=1&filter[price][gt]=2', 400, 'filter[price][gt]'],
    ['filter[price][exists]=yes', 400, 'filter[price][exists]'],
    ['filter[price][eq]=%00', 400, 'filter[price][eq]'],
    [`filter[price][eq]=${'x'.repeat(1_001)}`, 400, 'filter[price][eq]'],
    ['search=', 400, 'search'],
    ['search=%00', 400, 'search'],
    ['field=name', 400, 'field'],
    ['other[price][gt]=1', 400, 'other[price][gt]'],
    ['filter[cost][gt]=1', 422, 'filter[cost][gt]'],
    ['filter[pri%00ce][gt]=1', 422, 'filter[pri\u0000ce][gt]'],
    ['search=a&field=cost', 422, 'field'],
  ])('%s', async (query, status, pointer) => {
    const answer = await api.call('GET', `/v1/sources/${id}/snapshot-rows?${query}`);
    expect(answer).toMatchObject({ status, body: { errors: [{ pointer }] } });
  });

  it('lists every error, the operators and the columns', async () => {
    const several = await api.call('GET', url({ 'filter[price][above]': '1', limit: '0', colour: 'red' }));
    const details = Object.fromEntries(
      several.body.errors.map(({ pointer, detail }: Record<string, string>) => [pointer, detail]),
    );
    expect(Object.keys(details).toSorted()).toEqual(['colour', 'filter[price][above]', 'limit']);
    expect(details['filter[price][above]']).toMatch(/takes eq, ne, gt, .*empty$/);
    const unknown = await api.call('GET', url({ 'filter[cost][gt]': '1', 'filter[prise][gt]': '1' }));
    expect(unknown.body).toMatchObject({
      code: 'validation_failed',
      errors: [{ code: 'unknown_column', detail: expect.stringContaining('id, name, price') }, {}],
    });
  });
});

describe('pages', () => {
  it('continue where the last one ended, and belong to their filters', async () => {
    const first = await api.call('GET', url({ 'filter[price][gte]': '9', limit: '3' }));
    expect(first.body).toMatchObject({ count: 3, hasMore: true });
    const cursor = first.body.nextCursor;
    const second = await api.call('GET', url({ 'filter[price][gte]': '9', limit: '100', cursor }));
    expect(second.body.rows.map(({ key }: { key: string }) => key)).toEqual(['d', 'e', 'h', 'i']);
    for (const query of [
      { 'filter[price][gte]': '8', cursor },
      { 'filter[price][gt]': '9', cursor },
      { search: '9', cursor },
      { cursor },
    ]) {
      expect((await api.call('GET', url(query))).body.code).toBe('invalid_cursor');
    }
    const swapped = await api.call(
      'GET',
      url({ 'filter[price][gte]': '9', 'filter[id][ne]': 'e', limit: '1' }),
    );
    const { nextCursor } = swapped.body;
    const same = { 'filter[id][ne]': 'e', 'filter[price][gte]': '9', cursor: nextCursor };
    expect((await api.call('GET', url(same))).body.rows[0]).toMatchObject({ key: 'b' });
  });

  it('use the snapshot of the first while new data arrives', async () => {
    const other = await createTestRecord(api.db, api.accountId);
    const rows = (price: string) =>
      Object.fromEntries(['a', 'b', 'c'].map((key) => [key, `{"id":"${key}","price":"${price}"}`]));
    await commitRows(api.db, other, rows('1'));
    const path = `/v1/sources/${other}/snapshot-rows?filter[price][eq]=1&limit=1`;
    const first = await api.call('GET', path);
    await commitRows(api.db, other, rows('2'));
    const second = await api.call('GET', `${path}&cursor=${first.body.nextCursor}`);
    expect(second.body.rows).toEqual([{ key: 'b', data: { id: 'b', price: '1' } }]);
    await api.db('snapshots').where({ recordId: other, sequence: 1 }).delete();
    const gone = await api.call('GET', `${path}&cursor=${second.body.nextCursor}`);
    expect(gone.body).toMatchObject({ status: 410, code: 'gone' });
  });
});

describe('the rows of any snapshot', () => {
  it('are read by its id, and as latest', async () => {
    const other = await createTestRecord(api.db, api.accountId);
    await commitRows(api.db, other, { a: '{"id":"a","price":1}' });
    await commitRows(api.db, other, { a: '{"id":"a","price":2}', b: '{"id":"b","price":2}' });
    const { body } = await api.call('GET', `/v1/sources/${other}/snapshots`);
    const [latest, first] = body.snapshots;
    const pathOf = (snapshot: string) => `/v1/sources/${other}/snapshots/${snapshot}/rows`;
    expect((await api.call('GET', pathOf(first.id))).body.rows).toEqual([
      { key: 'a', data: { id: 'a', price: 1 } },
    ]);
    const now = await api.call('GET', `/v1/sources/${other}/snapshot-rows`);
    expect((await api.call('GET', pathOf(latest.id))).body).toEqual(now.body);
    expect((await api.call('GET', pathOf('latest'))).body).toEqual(now.body);
    const missing = await api.call('GET', pathOf(newTestId('snapshot')));
    expect(missing.status).toBe(404);
    const foreign = await api.call('GET', `/v1/sources/${id}/snapshots/${first.id}/rows`);
    expect(foreign.body).toEqual({ ...missing.body, requestId: foreign.body.requestId });
  });

  it('are none before the first check', async () => {
    const empty = await createTestRecord(api.db, api.accountId);
    const { body } = await api.call('GET', `/v1/sources/${empty}/snapshot-rows?search=x`);
    expect(body).toMatchObject({ count: 0, hasMore: false });
    expect((await api.call('GET', `/v1/sources/${empty}/snapshots/latest/rows`)).status).toBe(404);
    expect((await api.call('GET', `/v1/sources/${empty}/rows/a`)).status).toBe(404);
  });
});

describe('an earlier snapshot whose rows had another key', () => {
  it('is filtered by its rows’ own key, not by the current one', async () => {
    const record = await createTestRecord(api.db, api.accountId);
    await commitRows(api.db, record, { a: '{"id":"a","sku":"s1"}', b: '{"id":"b","sku":"s2"}' }, [
      'id',
      'sku',
    ]);
    const [before] = await api.db('snapshots').where({ recordId: record }).pluck('id');
    const rekeyed = { generation: 2, keyFields: ['sku'] };
    await api.db('record_heads').where({ recordId: record }).update(rekeyed);
    await commitRows(api.db, record, { s1: '{"id":"a","sku":"s1"}' }, ['id', 'sku']);
    await api.db('record_heads').where({ recordId: record }).update(rekeyed);
    const of = (path: string) => `/v1/sources/${record}/snapshots/${before}/${path}filter[sku][eq]=s2`;
    const wanted = [{ key: 'b', data: { id: 'b', sku: 's2' } }];
    expect((await api.call('GET', of('rows?'))).body.rows).toEqual(wanted);
    expect((await api.call('GET', of('sample?'))).body.rows).toEqual(wanted);
    expect((await api.call('GET', of('download?format=jsonl&'))).text).toBe('{"id":"b","sku":"s2"}\n');
    const { body } = await api.call('POST', `/v1/sources/${record}/snapshots/${before}/query`, {
      body: { filter: { sku: { eq: 's2' } }, measures: [{ measure: 'count' }] },
    });
    expect(body.groups).toEqual([{ group: {}, values: { count: 1 } }]);
  });
});

describe('one row', () => {
  it('is read by its key, whatever it contains', async () => {
    const keyed = await createTestRecord(api.db, api.accountId);
    const keys = ['a/b', '100%', '100%25', 'ü + 1', '["x","y"]', '€'.repeat(341), '?#&'];
    await commitRows(
      api.db,
      keyed,
      Object.fromEntries(keys.map((key) => [key, `{"id":${JSON.stringify(key)}}`])),
    );
    for (const key of keys) {
      const { body } = await api.call('GET', `/v1/sources/${keyed}/rows/${encodeURIComponent(key)}`);
      expect(body).toEqual({ key, data: { id: key } });
    }
    await commitRows(api.db, keyed, { '': '{"id":""}' });
    const headers = { authorization: `Bearer ${api.fullKey}` };
    const empty = await api.app.inject({ url: `/v1/sources/${keyed}/rows/`, headers });
    expect(empty.json()).toEqual({ key: '', data: { id: '' } });
    for (const key of ['none', '%00', '€'.repeat(400)]) {
      expect((await api.call('GET', `/v1/sources/${keyed}/rows/${encodeURI(key)}`)).status).toBe(404);
    }
  });
});
