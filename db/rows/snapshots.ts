// Snapshots, and the rows that stood in one.
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
}

export interface StoredRow {
  key: string;
  /** False for rows past the weight of a page: they follow on the next one, and are here without their data. */
  fits: boolean;
  /** JSON object text, as stored: parsing and printing it again would round numbers. */
  data: string;
}

export function findSnapshot(db: Database, recordId: string, id: string): Promise<SnapshotRow | undefined> {
  return db<SnapshotRow>('snapshots').where({ recordId, id }).first();
}

/** Those of these that are kept, newest first. */
export function findSnapshots(
  db: Database,
  recordId: string,
  ids: readonly string[],
): Promise<SnapshotRow[]> {
  return db<SnapshotRow>('snapshots').where({ recordId }).whereIn('id', ids).orderBy('sequence', 'desc');
}

/** The one before, if it is kept. */
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

/** A page by sequence; one more than the limit is read, so the caller sees whether more follow. */
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

/** Which rows are meant: those of one snapshot of one record. */
export interface SnapshotPlace {
  recordNo: number;
  generation: number;
  sequence: number;
}

/** The rows that stood in a snapshot, as a condition with the bindings of a SnapshotPlace. */
export const STOOD = `record_no = :recordNo and generation = :generation
  and first_seq <= :sequence and (last_seq is null or last_seq >= :sequence)`;

/** A page of a snapshot's rows of which a condition holds, with its weight. */
export const rowPageSql = (condition: string): string =>
  `select key, fits, case when fits then data::text else '' end as data from (
     select key, data, ${FITS} from (
       select row_key as key, data, octet_length(data::text) as weight from row_versions
       where ${STOOD} ${condition} order by row_key limit :limit
     ) page
   ) weighed order by key`;

/**
 * Rows of a snapshot by row key, ascending in byte order: one more than the limit. Pages stay as they are
 * while new snapshots arrive, because a row version says in which snapshots it stood. Walks the primary key.
 */
export function listSnapshotRows(
  db: Database,
  snapshot: SnapshotPlace,
  page: PageRequest<string>,
): Promise<StoredRow[]> {
  const { recordNo, generation, sequence } = snapshot;
  const values = [recordNo, generation, sequence, page.limit + 1];
  // Planned each time: for a record with many rows another plan is right than for one with few.
  return page.after === null
    ? plannedPage(db, FIRST_ROWS, values)
    : plannedPage(db, NEXT_ROWS, [...values, page.after]);
}

const PLACES = ['recordNo', 'generation', 'sequence', 'limit', 'after'];

/** As the driver takes it: `$1` for the first of PLACES. */
const numbered = (sql: string): string =>
  sql.replaceAll(/(?<!:):([a-z]\w*)/gi, (_, name: string) => `$${PLACES.indexOf(name) + 1}`);

const FIRST_ROWS = numbered(rowPageSql(''));
const NEXT_ROWS = numbered(rowPageSql(afterKey('row_key', { after: '', limit: 0 })));

/** The row with a key, as it stood in a snapshot. */
export async function findSnapshotRow(
  db: Database,
  snapshot: SnapshotPlace,
  key: string,
): Promise<StoredRow | undefined> {
  const bindings = { ...snapshot, key, limit: 1 };
  const [row] = await rawRows<StoredRow>(db, rowPageSql('and row_key = :key collate "C"'), bindings);
  return row;
}
