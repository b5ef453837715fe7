// Commits under rules for columns: what is stored, and who may commit.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ColumnRules } from '../../../core/delta/rules/column-rules.ts';
import { commitProblemCheck } from '../../../db/commit/checks.ts';
import { type Database, rawRows } from '../../../db/driver/knex.ts';
import { findLatestDeltaEvent } from '../../../db/rows/delta-events.ts';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { checkFacts, commitTable, getRecord, makeRecord, type Table } from '../factories.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
});
afterAll(() => database.drop());

const rules: ColumnRules = { price: { as: 'number' }, seen_at: { as: 'date' } };

/** Pairs of price and time, by key. */
const tableOf = (
  rows: Readonly<Record<string, readonly [price: string, stock: string, seenAt: string]>>,
): Table => ({
  columns: ['id', 'price', 'stock', 'seen_at'],
  rows: Object.entries(rows).map(([key, cells]) => [key, ...cells].map((cell) => JSON.stringify(cell))),
});
const first = tableOf({ a: ['1.10', '5', '2026-03-01T00:00Z'], b: ['2', '5', '2026-03-01T00:00Z'] });

async function storedRows(id: string): Promise<string[]> {
  const { recordNo } = await getRecord(db, id);
  const rows = await rawRows<{ data: string; first: number }>(
    db,
    `select data::text as data, first_seq as first from row_versions where record_no = ? and last_seq is null order by row_key`,
    [recordNo],
  );
  return rows.map(
    ({ data, first: sequence }) => `${sequence} ${Object.values(JSON.parse(data) as object).join(' ')}`,
  );
}

async function recordWithRules(): Promise<string> {
  const id = await makeRecord(db, { rules });
  await commitTable(db, id, first, { rules });
  return id;
}

describe.each([true, false])('a commit under rules (in memory: %s)', (fitsInMemory) => {
  it('finds no change in another spelling, and keeps the version', async () => {
    const id = await recordWithRules();
    const again = tableOf({
      a: ['1.1', '5', '2026-03-01T01:00+01:00'],
      b: ['2.00', '5', '2026-03-01 00:00:00Z'],
    });
    expect(await commitTable(db, id, again, { fitsInMemory })).toMatchObject({ outcome: 'unchanged' });
    expect(await storedRows(id)).toEqual(['1 a 1.10 5 2026-03-01T00:00Z', '1 b 2 5 2026-03-01T00:00Z']);
  });

  it('reports a changed row with the values that were reported last, where they are the same', async () => {
    const id = await recordWithRules();
    const next = tableOf({
      a: ['1.1', '6', '2026-03-01T01:00+01:00'],
      b: ['2.00', '5', '2026-03-01T00:01Z'],
    });
    await commitTable(db, id, next, { fitsInMemory });
    expect(await findLatestDeltaEvent(db, id)).toMatchObject({
      changedCount: 2,
      changedColumns: [{ field: 'seen_at', rows: 1 }, { field: 'stock', rows: 1 }],
    }); // prettier-ignore
    expect(await storedRows(id)).toEqual(['2 a 1.10 6 2026-03-01T00:00Z', '2 b 2 5 2026-03-01T00:01Z']);
  });

  it('sees a slow drift once it has come far enough from what was reported', async () => {
    const tolerant: ColumnRules = { price: { as: 'number', tolerance: '0.5' } };
    const id = await makeRecord(db, { rules: tolerant });
    const at = (a: string, stock: string, b = '9') => tableOf({ a: [a, stock, ''], b: [b, '1', ''] });
    await commitTable(db, id, at('10', '5'), { rules: tolerant });
    const outcomes: unknown[] = [];
    for (const next of [
      at('10.2', '5'),
      at('10.4', '5', '9.5'),
      at('10.5', '6', '8.5'),
      at('10.6', '6'),
      at('10.2', '6'),
    ]) {
      await commitTable(db, id, next, { fitsInMemory });
      const { changedKeys, changedCount, unchangedCount, changedColumns } =
        (await findLatestDeltaEvent(db, id)) ?? {};
      outcomes.push([changedKeys, changedCount, unchangedCount, changedColumns]);
      expect(await getRecord(db, id)).toMatchObject({ totalRows: 2 });
    }
    const price = [{ field: 'price', rows: 1 }];
    expect(outcomes).toEqual([
      [[], 0, 2, null],
      [[], 0, 2, null],
      [['a'], 1, 1, [{ field: 'stock', rows: 1 }]],
      [['a'], 1, 1, price],
      [[], 0, 2, null],
    ]);
    expect(await storedRows(id)).toEqual(['3 a 10.6 6 ', '1 b 9 1 ']);
  });

  it('does not invent a deletion, and counts what is held under the rules', async () => {
    const tolerant: ColumnRules = { price: { as: 'number', tolerance: '10%' } };
    const id = await makeRecord(db, { rules: tolerant });
    const rowsOf = (price: string, ...keys: string[]) =>
      tableOf(Object.fromEntries(keys.map((key) => [key, [price, '5', ''] as const])));
    await commitTable(db, id, rowsOf('10', 'a', 'b', 'c'), { rules: tolerant });
    const held = await commitTable(db, id, rowsOf('10.5', 'a', 'd'), {
      fitsInMemory,
      isSharpDrop: () => true,
    });
    expect(held).toMatchObject({
      outcome: 'sharp-drop',
      changes: { newCount: 1, changedCount: 0, deletedCount: 2, changedKeys: [], deletedKeys: ['b', 'c'] },
    });
    await commitTable(db, id, rowsOf('10.5', 'a', 'd', 'b'), { fitsInMemory });
    expect(await findLatestDeltaEvent(db, id)).toMatchObject({
      newKeys: ['d'], changedCount: 0, deletedKeys: ['c'], unchangedCount: 2, totalCount: 3,
    }); // prettier-ignore
    expect(await storedRows(id)).toEqual(['1 a 10 5 ', '1 b 10 5 ', '2 d 10.5 5 ']);
  });

  it('takes pages of changed rows, also rows larger than a page', async () => {
    const id = await makeRecord(db, { rules });
    const many = (price: string, stock: (at: number) => string) =>
      tableOf(
        Object.fromEntries(
          Array.from({ length: 2_300 }, (_, at) => [`k${at}`, [price, stock(at), '']] as const),
        ),
      );
    const large = 'x'.repeat(3_000_000);
    await commitTable(
      db,
      id,
      many('1.10', () => '5'),
      { rules },
    );
    await commitTable(
      db,
      id,
      many('1.1', (at) => (at < 2 ? large : `${at}`)),
      { fitsInMemory },
    );
    expect(await findLatestDeltaEvent(db, id)).toMatchObject({
      changedCount: 2_299,
      changedColumns: [{ field: 'stock', rows: 2_299 }],
    });
    const prices = await rawRows<{ price: string; count: number }>(
      db,
      `select data ->> 'price' as price, count(*) as count from row_versions where record_no = ? and last_seq is null group by 1`,
      [(await getRecord(db, id)).recordNo],
    );
    expect(prices).toEqual([{ price: '1.10', count: 2_300 }]);
  });
});

describe('a worker that does not know rules', () => {
  const asOldWorker = (id: string, columns: string) =>
    db.raw(`update record_heads set check_number = check_number + 1, ${columns} where record_id = ?`, [id]);

  it('cannot commit a compared or a held body of a record with rules', async () => {
    const id = await recordWithRules();
    await expect(asOldWorker(id, `body_sha256 = 'other', total_rows = 1`)).rejects.toThrow(
      'has rules for columns',
    );
    await expect(asOldWorker(id, `body_sha256 = body_sha256`)).rejects.toThrow('has rules for columns');
    await expect(asOldWorker(id, `held_body = '{}', held_check_id = 'chk_1'`)).rejects.toThrow(
      'has rules for columns',
    );
  });

  it('can commit what says nothing about rows, and everything of a record without rules', async () => {
    const id = await recordWithRules();
    await asOldWorker(id, `held_body = null, held_check_id = null`);
    await asOldWorker(id, `held_body = held_body, held_check_id = held_check_id`);
    const plain = await makeRecord(db, { rules });
    await commitTable(db, plain, first, { rules: {} });
    await asOldWorker(plain, `body_sha256 = 'other'`);
    expect(await getRecord(db, plain)).toMatchObject({ bodySha256: 'other', rules, headRules: {} });
  });

  it('is no hindrance to one that does', async () => {
    const id = await recordWithRules();
    await asOldWorker(id, 'next_check_at = now()');
    const problem = { code: 'sharp_drop' as const, detail: 'Most rows are gone.' };
    const held = { sha256: 'held', facts: {}, changes: null, isHeldAgain: false };
    await commitProblemCheck(db, 'held', checkFacts(id), problem, held);
    expect(await getRecord(db, id)).toMatchObject({ heldSha256: 'held' });
    expect(await commitTable(db, id, first)).toMatchObject({ outcome: 'unchanged' });
  });
});
