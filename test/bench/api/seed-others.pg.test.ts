import { afterAll, beforeAll, expect, it } from 'vitest';
import { seedOthers } from '../../../bench/api/seed-others.ts';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

it('makes records with their history in the schema of today', async () => {
  const { db } = database;
  const size = { records: 300, checks: 4, rows: 3 };
  await seedOthers(db, size, () => undefined);

  const count = async (table: string): Promise<number> =>
    Number((await db(table).count({ n: '*' }).first())?.['n']);
  expect(await count('records')).toBe(size.records);
  expect(await count('record_heads')).toBe(size.records);
  expect(await count('unchanged_checks')).toBe(size.records * size.checks);
  expect(await count('row_versions')).toBe(size.records * size.rows);
  expect(await count('snapshots')).toBe(await count('delta_events'));
});
