import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../../../support/api/api.ts';
import { commitRows, createTestRecord } from '../../../support/rows/factories.ts';

const api = useApi();
const listed = (id: string, query: string) => api.call('GET', `/v1/sources/${id}/delta?${query}`);
const item = (name: string, rest: string): string => `{"name":"${name}",${rest}}`;

describe('the first rows of each event of a list', () => {
  let id = '';
  beforeAll(async () => {
    id = await createTestRecord(api.db, api.accountId);
    const same = { z: item('z', '"price":1') };
    await commitRows(api.db, id, {
      ...same,
      jam: item('jam', '"price":3.20,"note":"a"'),
      a: item('a', '"price":1'),
    });
    await commitRows(api.db, id, {
      ...same,
      jam: item('jam', '"price":3.50,"stock":10000000000000000999'),
      b: item('b', '"price":2'),
      c: item('c', '"price":2'),
    });
    await commitRows(api.db, id, {
      ...same,
      jam: item('jam', '"price":3.50,"stock":10000000000000000999'),
      b: item('b', `"price":${JSON.stringify('é'.repeat(300))},"w":1,"x":1,"y":1`),
      c: item('c', `"price":"${'x'.repeat(9_000)}"`),
    });
    await commitRows(api.db, id, {
      ...same,
      jam: item('jam', '"price":3.50,"stock":10000000000000000999'),
      b: item('b', `"price":${JSON.stringify('é'.repeat(300))},"w":1,"x":1,"y":1`),
      c: item('c', `"price":"${'x'.repeat(9_000)}"`),
    });
  });

  it('are changed rows, then new ones, then deleted ones, as the origin wrote the values', async () => {
    const { body, text } = await listed(id, 'firstRows=3&order=asc');
    const [baseline, first, , unchanged] = body.events;
    expect(baseline.firstRows).toEqual([]);
    expect(unchanged).toMatchObject({ isNoChange: true, firstRows: [] });
    expect(first.firstRows).toMatchObject([
      {
        key: 'jam',
        changeType: 'changed',
        values: [
          { field: 'price', before: 3.2, after: 3.5, isCut: false },
          { field: 'stock', isCut: false },
          { field: 'note', before: 'a', isCut: false },
        ],
        moreFields: 0,
      },
      {
        key: 'b',
        changeType: 'new',
        values: [
          { field: 'name', after: 'b' },
          { field: 'price', after: 2 },
        ],
        moreFields: 0,
      },
      { key: 'c', changeType: 'new' },
    ]);
    expect(text).toContain('"before":3.20,"after":3.50');
    expect(text).toContain('{"field":"stock","after":10000000000000000999,"isCut":false}');
    expect(text).toContain('{"field":"note","before":"a","isCut":false}');
    expect(first).toMatchObject({ newCount: 2, changedCount: 1, deletedCount: 1 });
  });

  it('are as many as requested, and deleted rows have the values before', async () => {
    const one = await listed(id, 'firstRows=1&order=asc');
    expect(one.body.events.map(({ firstRows }: { firstRows: unknown[] }) => firstRows.length)).toEqual([
      0, 1, 1, 0,
    ]);
    const other = await createTestRecord(api.db, api.accountId);
    await commitRows(api.db, other, { a: item('a', '"price":1'), b: item('b', '"price":1') });
    await commitRows(api.db, other, { b: item('b', '"price":1') });
    const { body } = await listed(other, 'firstRows=3');
    expect(body.events[0].firstRows).toEqual([
      {
        key: 'a',
        changeType: 'deleted',
        values: [
          { field: 'name', before: 'a', isCut: false },
          { field: 'price', before: 1, isCut: false },
        ],
        moreFields: 0,
      },
    ]);
  });

  it('are small: long values are cut, further columns are counted, large rows have no values', async () => {
    const { body } = await listed(id, 'firstRows=3&order=asc');
    const [b, c] = body.events[2].firstRows;
    expect(b).toMatchObject({ key: 'b', moreFields: 1 });
    expect(b.values).toEqual([
      { field: 'price', before: 2, after: 'é'.repeat(200), isCut: true },
      { field: 'w', after: 1, isCut: false },
      { field: 'x', after: 1, isCut: false },
    ]);
    expect(c).toEqual({ key: 'c', changeType: 'changed', values: [], moreFields: null });
  });

  it('are of the page that a cursor opens, and of no other record', async () => {
    const page = await listed(id, 'firstRows=1&limit=2&changesOnly=true&keysLimit=0');
    expect(page.body.events.map((event: { number: number }) => event.number)).toEqual([3, 2]);
    const next = await listed(
      id,
      `limit=2&changesOnly=true&firstRows=1&cursor=${page.body.nextCursor ?? ''}`,
    );
    expect(next.status).toBe(200);
    const twin = await createTestRecord(api.db, api.accountId);
    for (const price of [1, 2]) await commitRows(api.db, twin, { jam: item('jam', `"price":${price}`) });
    const { body } = await listed(twin, 'firstRows=1');
    expect(body.events[0].firstRows).toMatchObject([{ key: 'jam', values: [{ before: 1, after: 2 }] }]);
  });

  it('are shown only on request, and at most three', async () => {
    const { text } = await listed(id, 'order=asc');
    expect(text).not.toContain('firstRows');
    for (const bad of ['0', '4', 'x']) {
      const { body } = await listed(id, `firstRows=${bad}`);
      expect(body).toMatchObject({ status: 400, errors: [{ pointer: 'firstRows' }] });
    }
  });
});
