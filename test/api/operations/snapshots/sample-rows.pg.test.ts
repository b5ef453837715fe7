// Samples of a snapshot's rows.
import { beforeAll, expect, it } from 'vitest';
import { useApi } from '../../../support/api/api.ts';
import { commitRows, createTestRecord } from '../../../support/rows/factories.ts';

const api = useApi();
let base: string;

/** 300 rows: 298 of one brand, and one each of two others. */
beforeAll(async () => {
  const id = await createTestRecord(api.db, api.accountId);
  const rows = Array.from({ length: 300 }, (_, at) => {
    const brand = at === 7 ? 'rare' : at === 42 ? 'other' : 'usual';
    return [String(at), JSON.stringify({ id: String(at), brand, price: String(at) })] as const;
  });
  await commitRows(api.db, id, Object.fromEntries(rows), ['id', 'brand', 'price']);
  base = `/v1/sources/${id}/snapshots/latest/sample`;
});

const keysOf = (body: { rows: { key: string }[] }): string[] => body.rows.map(({ key }) => key);

it('returns the requested number of rows, the same each time, from all over the snapshot', async () => {
  const { body } = await api.call('GET', `${base}?limit=30`);
  expect(body).toMatchObject({ count: 30, totalRows: 300 });
  expect(new Set(keysOf(body)).size).toBe(30);
  expect(keysOf((await api.call('GET', `${base}?limit=30`)).body)).toEqual(keysOf(body));
  expect(keysOf(body)).not.toEqual(Array.from({ length: 30 }, (_, at) => String(at)));
});

it('shows every value of a column before it shows one twice', async () => {
  const { body } = await api.call('GET', `${base}?limit=3&stratifyBy=brand`);
  const brands = (body.rows as { data: { brand: string } }[]).map(({ data }) => data.brand);
  expect(brands.toSorted()).toEqual(['other', 'rare', 'usual']);
});

it('filters before it samples', async () => {
  const { body } = await api.call('GET', `${base}?limit=10&filter[price][lt]=5`);
  expect(keysOf(body)).toEqual(['0', '1', '2', '3', '4']);
});

it('refuses unknown columns', async () => {
  const { status, body } = await api.call('GET', `${base}?stratifyBy=colour`);
  expect([status, body.errors[0].pointer]).toEqual([422, 'stratifyBy']);
});
