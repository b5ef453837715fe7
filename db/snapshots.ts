// Snapshots, and the rows that stood in one.
import { type Database, rawRows } from './knex.ts';

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

/** Where a page begins: after the item with this position, in the page's order. */
export interface PageRequest<Position> {
  after: Position | null;
  limit: number;
}

export type SortOrder = 'asc' | 'desc';

/** The condition that begins a page of rows. None at the first: an empty key sorts before all others, and is one. */
export const afterKey = (column: string, { after }: PageRequest<string>): string =>
  after === null ? '' : `and ${column} > :after collate "C"`;

/** What the rows of a page may weigh together; the row that passes it is the page's last. */
const MAX_PAGE_BYTES = 8 * 1024 * 1024;

/** Whether a row of `page`, a query whose rows come with their `weight` in bytes, still belongs to the page. */
export const FITS = `coalesce(sum(weight) over (order by key rows between unbounded preceding and 1 preceding), 0)
  < ${MAX_PAGE_BYTES} as fits`;

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

/**
 * Rows of a snapshot by row key, ascending in byte order: one more than the limit. Pages stay as they are
 * while new snapshots arrive, because a row version says in which snapshots it stood. Walks the primary key.
 */
export function listSnapshotRows(
  db: Database,
  snapshot: { recordNo: number; generation: number; sequence: number },
  page: PageRequest<string>,
): Promise<StoredRow[]> {
  return rawRows<StoredRow>(
    db,
    `select key, fits, case when fits then data::text else '' end as data from (
       select key, data, ${FITS} from (
         select row_key as key, data, octet_length(data::text) as weight from row_versions
         where record_no = :recordNo and generation = :generation
           and first_seq <= :sequence and (last_seq is null or last_seq >= :sequence)
           ${afterKey('row_key', page)}
         order by row_key limit :limit
       ) page
     ) weighed order by key`,
    { ...snapshot, after: page.after, limit: page.limit + 1 },
  );
}
