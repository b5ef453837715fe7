import { afterAll, beforeAll, expect, it } from 'vitest';
import { copyRecord } from '../../bench/temporal-loss.ts';
import { commitTable, getRecord, makeRecord, table } from '../db/factories.ts';
import { createTestDatabase, type TestDatabase } from '../support/servers/database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

it('copies a checked record in the schema of today, overdue', async () => {
  const { db } = database;
  const id = await makeRecord(db, { url: 'https://example.com/feed' });
  await commitTable(db, id, table({ a: '1' }));
  await copyRecord(db, id, 3);

  const copies: string[] = await db('records').where('slug', 'like', 'copy-%').orderBy('slug').pluck('id');
  expect(copies).toHaveLength(3);
  const [copy, pattern] = [await getRecord(db, copies[0] ?? ''), await getRecord(db, id)];
  expect(copy).toMatchObject({ url: pattern.url, totalRows: 1, snapshotId: 'snap_1' });
  expect(await db('snapshots').count({ n: '*' }).first()).toEqual({ n: 4 });
  expect(await db('record_heads').where('next_check_at', '<', db.fn.now()).count({ n: '*' }).first()).toEqual(
    {
      n: 3,
    },
  );
});
