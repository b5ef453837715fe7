// Snapshots and their rows.
import type { ColumnRules } from '../../core/delta/rules/column-rules.ts';
import { type Database, rawRows } from '../driver/knex.ts';
import { plannedPage } from '../driver/prepared.ts';
import { FITS, type PageRequest, type SortOrder, afterKey } from '../page.ts';

export interface SnapshotRow {
  id: string;
  recordId: string;
  generation: number;
  sequence: number;
  createdAt: Date;
  totalRows: number;
  columns: string[];
  bytes: number;
  contentHash: string;
  /** For columns that are no key fields; null: none. */
  rules: ColumnRules | null;
}

export interface StoredRow {
  key: string;
  /** False for rows past the size limit of a page. They come here without their data, and follow on the next page. */
  fits: boolean;
  /** JSON object text, as stored. Parsing and printing it would round numbers. */
  data: string;
}

export function findSnapshot(db: Database, recordId: string, id: string): Promise<SnapshotRow | undefined> {
  return db<SnapshotRow>('snapshots').where({ recordId, id }).first();
}

/** The stored snapshots among these, newest first. */
export function findSnapshots(
  db: Database,
  recordId: string,
  ids: readonly string[],
): Promise<SnapshotRow[]> {
  return db<SnapshotRow>('snapshots').where({ recordId }).whereIn('id', ids).orderBy('sequence', 'desc');
}

/** The latest stored snapshot before a sequence. */
export function findSnapshotBefore(
  db: Database,
  recordId: string,
  sequence: number,
): Promise<SnapshotRow | undefined> {
  return db<SnapshotRow>('snapshots')
    .where({ recordId })
    .where('sequence', '<', sequence)
    .orderBy('sequence', 'desc')
    .first();
}

/** A page by sequence: one more than the limit, so that the caller sees whether more follow. */
export async function listSnapshots(
  db: Database,
  recordId: string,
  order: SortOrder,
  page: PageRequest<number>,
): Promise<SnapshotRow[]> {
  const query = db<SnapshotRow>('snapshots').where({ recordId });
  if (page.after !== null) void query.where('sequence', order === 'desc' ? '<' : '>', page.after);
  return query.orderBy('sequence', order).limit(page.limit + 1);
}

/** Identifies the rows of one snapshot of one record. */
export interface SnapshotRef {
  recordNo: number;
  generation: number;
  sequence: number;
}

/** The condition for the rows of a snapshot, with the bindings of a SnapshotRef. */
export const IN_SNAPSHOT = `record_no = :recordNo and generation = :generation
  and first_seq <= :sequence and (last_seq is null or last_seq >= :sequence)`;

/** A page of a snapshot's rows that match a condition, limited by size. */
export const rowPageSql = (condition: string): string =>
  `select key, fits, case when fits then data::text else '' end as data from (
     select key, data, ${FITS} from (
       select row_key as key, data, octet_length(data::text) as weight from row_versions
       where ${IN_SNAPSHOT} ${condition} order by row_key limit :limit
     ) page
   ) weighed order by key`;

/**
 * Rows of a snapshot by row key, ascending in byte order: one more than the limit. Pages do not change when new snapshots
 * arrive, because each row version says in which snapshots it is. Walks the primary key.
 */
export function listSnapshotRows(
  db: Database,
  snapshot: SnapshotRef,
  page: PageRequest<string>,
): Promise<StoredRow[]> {
  const { recordNo, generation, sequence } = snapshot;
  const values = [recordNo, generation, sequence, page.limit + 1];
  // Planned for each call, because the best plan depends on the number of rows.
  return page.after === null
    ? plannedPage(db, FIRST_ROWS, values)
    : plannedPage(db, NEXT_ROWS, [...values, page.after]);
}

const PARAMETERS = ['recordNo', 'generation', 'sequence', 'limit', 'after'];

/** Replaces named parameters by numbered ones: `$1` for the first of PARAMETERS. */
const numbered = (sql: string): string =>
  sql.replaceAll(/(?<!:):([a-z]\w*)/gi, (_, name: string) => `$${PARAMETERS.indexOf(name) + 1}`);

const FIRST_ROWS = numbered(rowPageSql(''));
const NEXT_ROWS = numbered(rowPageSql(afterKey('row_key', { after: '', limit: 0 })));

/** The row with a key, as of a snapshot. */
export async function findSnapshotRow(
  db: Database,
  snapshot: SnapshotRef,
  key: string,
): Promise<StoredRow | undefined> {
  const bindings = { ...snapshot, key, limit: 1 };
  const [row] = await rawRows<StoredRow>(db, rowPageSql('and row_key = :key collate "C"'), bindings);
  return row;
}
