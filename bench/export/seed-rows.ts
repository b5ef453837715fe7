// Makes a record with very many rows in SQL: some 240 bytes of CSV each, in ten columns.
import { type Database, rawRows } from '../../db/driver/knex.ts';

const RECORD_ID = `src_${'e'.repeat(32)}`;
const SNAPSHOT_ID = `snap_${'e'.repeat(32)}`;

const STATEMENTS = [
  `insert into records (id, account_id, slug, name, url, tier, status, check_interval_seconds)
   values (:recordId, :accountId, 'export', 'Export', 'https://example.com/products.csv', 'max', 'paused', 3600)`,
  `insert into record_heads (record_id, sequence, snapshot_id, total_rows, columns)
   values (:recordId, 1, :snapshotId, :rows,
     '{sku,name,category,price,currency,stock,supplier,url,description,updated}')`,
  `insert into snapshots (id, record_id, generation, sequence, created_at, total_rows, columns, bytes, content_hash)
   select snapshot_id, record_id, 1, 1, now(), total_rows, columns, 0, '' from record_heads where record_id = :recordId`,
  `insert into row_versions (record_no, generation, row_key, first_seq, row_hash, data)
   select record_no, 1, sku, 1, decode(md5(sku), 'hex'), (
     '{"sku":"' || sku || '","name":"Garden chair number ' || n || ', foldable","category":"'
     || (array['Garden', 'Kitchen', 'Tools', 'Toys'])[1 + n % 4] || '","price":"' || n % 1000 || '.90","currency":"EUR"'
     || ',"stock":"' || n % 97 || '","supplier":"Supplier and Sons ' || n % 89 || '"'
     || ',"url":"https://shop.example.com/products/' || n || '"'
     || ',"description":"Called \\"sturdy\\" by most; folds flat, and number ' || n || ' comes with a cover"'
     || ',"updated":"2026-03-' || lpad((1 + n % 28)::text, 2, '0') || 'T10:00:00Z"}')::json
   from record_heads cross join generate_series(1, :rows::int) n
   cross join lateral (select 'SKU-' || lpad(n::text, 8, '0') as sku) named
   where record_id = :recordId`,
  'vacuum analyze row_versions',
];

export interface SeededRows {
  recordId: string;
  recordNo: number;
}

export async function seedRows(db: Database, accountId: string, rows: number): Promise<SeededRows> {
  for (const statement of STATEMENTS) {
    await rawRows(db, statement, { recordId: RECORD_ID, snapshotId: SNAPSHOT_ID, accountId, rows });
  }
  const [head] = await rawRows<{ recordNo: number }>(
    db,
    'select record_no as "recordNo" from record_heads where record_id = ?',
    [RECORD_ID],
  );
  if (head === undefined) throw new Error('The record was not made');
  return { recordId: RECORD_ID, recordNo: head.recordNo };
}
