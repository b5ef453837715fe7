import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../../../support/api/api.ts';
import { commitRows, createKey, createTestRecord, newTestId } from '../../../support/rows/factories.ts';

const api = useApi();
const COLUMNS = ['id', 'brand', 'price', 'stock', 'sold', 'day', '__proto__', 'never'];

const rowOf = (id: string, rest: string): string => `{"id":"${id}",${rest}}`;
const ROWS = {
  a: rowOf('a', '"brand":"X","price":"1.10","stock":5,"sold":true,"day":"2026-01-31","__proto__":"p"'),
  b: rowOf('b', '"brand":"X","price":"2.2","stock":"10","sold":"FALSE","day":"2026-01-31T10:00:00Z"'),
  c: rowOf('c', '"brand":"Y","price":10000000000000000999,"stock":"n/a","sold":false,"day":"2025-12-01"'),
  d: rowOf('d', '"brand":"Y","price":"0.001","stock":"","sold":null,"day":"2025-02-28"'),
  e: rowOf('e', '"brand":null,"price":"1e2","stock":7,"sold":"true","day":"2026-01-31"'),
  f: rowOf('f', '"price":"","stock":-3'),
};

let id = '';
beforeAll(async () => {
  id = await createTestRecord(api.db, api.accountId);
  await commitRows(api.db, id, ROWS, COLUMNS);
});

const ask = (body: unknown, key?: string) =>
  api.call('POST', `/v1/sources/${id}/snapshots/latest/query`, {
    body,
    ...(key === undefined ? {} : { key }),
  });

describe('a query', () => {
  it('counts all rows by default', async () => {
    const { body } = await ask({});
    expect(body).toMatchObject({ sourceId: id, count: 1, hasMore: false });
    expect(body.groups).toEqual([{ group: {}, values: { count: 6 } }]);
  });

  it('adds up exactly, and skips text', async () => {
    const measures = [
      ...['sum', 'avg', 'min', 'max', 'count', 'distinct'].map((measure) => ({ measure, column: 'price' })),
      { measure: 'sum', column: 'stock', as: 'in stock' },
      { measure: 'min', column: 'stock' },
      { measure: 'max', column: 'stock' },
      { measure: 'sum', column: 'never' },
      { measure: 'max', column: 'never' },
    ];
    const { body } = await ask({ measures });
    expect(body.groups[0].values).toEqual({
      'sum(price)': '10000000000000001102.301',
      'avg(price)': '2000000000000000220.4602',
      'min(price)': '0.001',
      'max(price)': '10000000000000000999',
      'count(price)': 5,
      'distinct(price)': 5,
      'in stock': '19',
      'min(stock)': '-3',
      'max(stock)': 'n/a',
      'sum(never)': null,
      'max(never)': null,
    });
  });

  it('groups by columns, missing together with null, in the order of the groups', async () => {
    const { body } = await ask({ groupBy: ['brand'], measures: [{ measure: 'sum', column: 'price' }] });
    expect(body.groups).toEqual([
      { group: { brand: 'X' }, values: { 'sum(price)': '3.30' } },
      { group: { brand: 'Y' }, values: { 'sum(price)': '10000000000000000999.001' } },
      { group: { brand: null }, values: { 'sum(price)': '100' } },
    ]);
    const odd = await ask({ groupBy: ['__proto__'], measures: [{ measure: 'count', as: '__proto__' }] });
    expect(odd.text).toContain('{"group":{"__proto__":"p"},"values":{"__proto__":1}}');
  });

  it('orders by measures and columns, numbers by value, and says when there is more', async () => {
    const stocks = async (orderBy: unknown, limit = 10) =>
      (await ask({ groupBy: ['stock'], orderBy, limit })).body.groups.map(
        ({ group }: { group: { stock: string } }) => group.stock,
      );
    const ascending = ['-3', '5', '7', '10', '', 'n/a'];
    expect(await stocks([{ by: 'stock' }])).toEqual(ascending);
    expect(await stocks([{ by: 'stock', direction: 'desc' }])).toEqual(['10', '7', '5', '-3', 'n/a', '']);
    const most = await ask({
      groupBy: ['day'],
      orderBy: [{ by: 'count', direction: 'desc' }],
      limit: 1,
    });
    expect(most.body).toMatchObject({ count: 1, hasMore: true, groups: [{ group: { day: '2026-01-31' } }] });
    const sums = await ask({
      groupBy: ['brand'],
      measures: [{ measure: 'sum', column: 'price', as: 'total' }],
      orderBy: [{ by: 'total', direction: 'desc' }],
    });
    expect(sums.body.groups.map(({ group }: { group: { brand: string } }) => group.brand)).toEqual([
      'Y',
      null,
      'X',
    ]);
  });

  it('accepts the filters and the search of the rows', async () => {
    const count = async (body: unknown) => (await ask(body)).body.groups[0].values.count;
    expect(await count({ filter: { price: { gt: '1', lt: '1000' }, id: { ne: 'e' } } })).toBe(2);
    expect(await count({ filter: { id: { in: ['a', 'b', 'zz'] } } })).toBe(2);
    expect(await count({ filter: { brand: { exists: false } } })).toBe(1);
    expect(await count({ filter: JSON.parse('{"__proto__":{"eq":"p"}}') })).toBe(1);
    expect(await count({ search: 'N/A' })).toBe(1);
    expect(await count({ filter: { id: { eq: 'nobody' } } })).toBe(0);
    expect((await ask({ groupBy: ['id'], filter: { id: { eq: 'nobody' } } })).body.groups).toEqual([]);
  });

  it('needs the scope read, although it is a POST, and any snapshot will do', async () => {
    const { value: read } = await createKey(api.db, api.accountId, 'read');
    const { value: download } = await createKey(api.db, api.accountId, 'download');
    expect((await ask({}, read)).status).toBe(200);
    expect((await ask({}, download)).body.code).toBe('insufficient_scope');
    const { body } = await api.call('GET', `/v1/sources/${id}/snapshots/latest`);
    const byId = await api.call('POST', `/v1/sources/${id}/snapshots/${body.id}/query`, { body: {} });
    expect(byId.body).toEqual((await ask({})).body);
    const missing = `/v1/sources/${id}/snapshots/${newTestId('snapshot')}/query`;
    expect((await api.call('POST', missing, { body: {} })).status).toBe(404);
  });

  it.each([
    [{ measures: [{ measure: 'median', column: 'price' }] }, '/measures/0/measure'],
    [{ measures: [{ measure: 'sum' }] }, '/measures/0/column'],
    [{ measures: [] }, '/measures'],
    [{ measures: [{ measure: 'count' }, { measure: 'count' }] }, '/measures/1/as'],
    [{ measures: [{ measure: 'sum', column: 'cost' }] }, '/measures/0/column'],
    [{ groupBy: ['cost'] }, '/groupBy/0'],
    [{ groupBy: ['id', 'id'] }, '/groupBy'],
    [{ groupBy: ["id' or true --"] }, '/groupBy/0'],
    [{ orderBy: [{ by: 'price' }] }, '/orderBy/0/by'],
    [{ orderBy: [{ by: 'count', direction: 'desc; drop table records' }] }, '/orderBy/0/direction'],
    [{ limit: 0 }, '/limit'],
    [{ filter: { 'a/b': { eq: 'x' } } }, '/filter/a~1b/eq'],
    [{ filter: { price: { above: 'x' } } }, '/filter/price/above'],
    [{ filter: { price: { eq: '\u0000' } } }, '/filter/price/eq'],
    [{ filter: { price: { eq: '\ud800' } } }, '/filter/price/eq'],
    [{ filter: { price: { gt: 10 } } }, '/filter/price/gt'],
    [{ search: '' }, '/search'],
    [{ colour: 'red' }, '/colour'],
  ])('refuses %j', async (body, pointer) => {
    expect((await ask(body)).body).toMatchObject({ status: 422, errors: [{ pointer }] });
  });
});

describe('a profile', () => {
  it('has the type, extremes, distinct values and samples of each column', async () => {
    const { body } = await api.call('GET', `/v1/sources/${id}/snapshots/latest/profile`);
    expect(body).toMatchObject({ sourceId: id, totalRows: 6, isSampled: false, sampledRows: 6 });
    expect(body.columns.map(({ column }: { column: string }) => column)).toEqual(COLUMNS);
    const [ofId, brand, price, stock, sold, day, proto, never] = body.columns;
    expect(ofId).toMatchObject({ type: 'text', filled: 6, distinct: 6, minimum: 'a', maximum: 'f' });
    expect(brand).toEqual({
      column: 'brand',
      type: 'text',
      filled: 4,
      distinct: 2,
      minimum: 'X',
      maximum: 'Y',
      samples: ['X', 'Y'],
    });
    expect(price).toMatchObject({
      type: 'number',
      filled: 5,
      minimum: '0.001',
      maximum: '10000000000000000999',
    });
    expect(price.samples).toHaveLength(5);
    expect(stock).toMatchObject({ type: 'mixed', filled: 5, minimum: '-3', maximum: 'n/a' });
    expect(sold).toMatchObject({
      type: 'boolean',
      filled: 4,
      distinct: 3,
      samples: ['true', 'FALSE', 'false'],
    });
    expect(day).toMatchObject({ type: 'date', minimum: '2025-02-28', maximum: '2026-01-31T10:00:00Z' });
    expect(day.samples[0]).toBe('2026-01-31');
    expect(proto).toMatchObject({ type: 'text', filled: 1 });
    expect(never).toEqual({
      column: 'never',
      type: 'empty',
      filled: 0,
      distinct: 0,
      minimum: null,
      maximum: null,
      samples: [],
    });
  });

  it('has integers of any length, and truncates long texts', async () => {
    const other = await createTestRecord(api.db, api.accountId);
    await commitRows(
      api.db,
      other,
      {
        a: `{"n":"9","t":"${'x'.repeat(500)}","l":"${'9'.repeat(300)}"}`,
        b: `{"n":10000000000000000999,"t":"","l":"1"}`,
      },
      ['n', 't', 'l'],
    );
    const { body } = await api.call('GET', `/v1/sources/${other}/snapshots/latest/profile`);
    expect(body.columns).toMatchObject([
      { type: 'integer', minimum: '9', maximum: '10000000000000000999' },
      { type: 'text', minimum: 'x'.repeat(200), samples: ['x'.repeat(200)] },
      { type: 'mixed', minimum: '1' },
    ]);
  });

  it('accepts the columns to read', async () => {
    const profile = (query: string) => api.call('GET', `/v1/sources/${id}/snapshots/latest/profile?${query}`);
    const { body } = await profile('field=price&field=id');
    expect(body.columns.map(({ column }: { column: string }) => column)).toEqual(['id', 'price']);
    expect((await profile('field=cost')).body).toMatchObject({
      status: 422,
      errors: [{ pointer: 'field', code: 'unknown_column' }],
    });
    const none = await createTestRecord(api.db, api.accountId);
    expect((await api.call('GET', `/v1/sources/${none}/snapshots/latest/profile`)).status).toBe(404);
  });

  it('of a snapshot without rows has empty columns', async () => {
    const empty = await createTestRecord(api.db, api.accountId);
    await commitRows(api.db, empty, {}, ['id']);
    const { body } = await api.call('GET', `/v1/sources/${empty}/snapshots/latest/profile`);
    expect(body).toMatchObject({ totalRows: 0, sampledRows: 0, columns: [{ column: 'id', type: 'empty' }] });
  });
});
