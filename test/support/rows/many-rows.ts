// Creates a record whose snapshot has many rows, in SQL, because a check would take minutes.
import { type Database, rawRows } from '../../../db/driver/knex.ts';
import { commitRows, createTestRecord } from './factories.ts';

export interface ManyRows {
  recordId: string;
  snapshotId: string;
  recordNo: number;
  rowCount: number;
}

/** Rows `{"id":"0000001","text":"xxx…"}`, ordered by id. */
export async function createManyRows(
  db: Database,
  accountId: string,
  { rowCount, textLength }: { rowCount: number; textLength: number },
): Promise<ManyRows> {
  const recordId = await createTestRecord(db, accountId, { tier: 'max' });
  await commitRows(db, recordId, { '0000000': '{"id":"0000000","text":"first"}' }, ['id', 'text']);
  const [head] = await rawRows<{ recordNo: number; snapshotId: string }>(
    db,
    'select record_no as "recordNo", snapshot_id as "snapshotId" from record_heads where record_id = ?',
    [recordId],
  );
  if (head === undefined) throw new Error('The record has no head');
  await rawRows(
    db,
    `insert into row_versions (record_no, generation, row_key, first_seq, row_hash, data)
     select :recordNo, 1, id, 1, '\\x00',
       ('{"id":"' || id || '","text":"' || repeat('x', :textLength) || '"}')::json
     from (select lpad(n::text, 7, '0') as id from generate_series(1, :last) n) ids`,
    { recordNo: head.recordNo, textLength, last: rowCount - 1 },
  );
  await rawRows(db, 'update snapshots set total_rows = ? where id = ?', [rowCount, head.snapshotId]);
  await rawRows(db, 'update record_heads set total_rows = ? where record_id = ?', [rowCount, recordId]);
  return { recordId, rowCount, ...head };
}
