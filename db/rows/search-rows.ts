// Searching and filtering a snapshot's rows: a statement looks at so many rows and no more, found or not.
import { type Database, rawRows } from '../driver/knex.ts';
import { keysOf, type RowSelection, selectionSql } from './row-filters.ts';
import { rowPageSql, type SnapshotPlace, STOOD, type StoredRow } from './snapshots.ts';
import { afterKey, type PageRequest } from '../page.ts';

export interface SearchedRows {
  rows: StoredRow[];
  /** The last key that was looked at when more rows follow it; null: all of them were. */
  stoppedAt: string | null;
}

/** Of each request. Rows that are larger than usual count for more. */
const MAX_VISITED_ROWS = 100_000;
const MAX_VISITED_BYTES = 48 * 1024 * 1024;

/** How many rows a search may look at before it answers what it has. Always the same for a snapshot. */
export function visitsOf({ totalRows, bytes }: { totalRows: number; bytes: number }): number {
  const averageBytes = Math.max(1, bytes / Math.max(1, totalRows));
  return Math.max(100, Math.min(MAX_VISITED_ROWS, Math.floor(MAX_VISITED_BYTES / averageBytes)));
}

/**
 * Rows that are asked for, by row key, one more than the limit, among the first `visits` rows of the page's range.
 * Rows that are asked for by their key are found at once.
 * @param selection as for selectionSql
 */
export async function searchSnapshotRows(
  db: Database,
  snapshot: SnapshotPlace,
  { selection, keyFields, visits }: { selection: RowSelection; keyFields: readonly string[]; visits: number },
  page: PageRequest<string>,
): Promise<SearchedRows> {
  const isByKey = keysOf(selection, keyFields) !== null;
  const stoppedAt = isByKey ? null : await findEdge(db, snapshot, visits, page);
  const { sql, bindings } = selectionSql(selection, keyFields);
  const edge = stoppedAt === null ? '' : 'and row_key <= :edge collate "C"';
  const rows = await rawRows<StoredRow>(db, rowPageSql(`${afterKey('row_key', page)} ${edge} ${sql}`), {
    ...bindings,
    ...snapshot,
    after: page.after,
    edge: stoppedAt,
    limit: page.limit + 1,
  });
  return { rows, stoppedAt };
}

/** The key of the last row that may be looked at, if others follow. */
async function findEdge(
  db: Database,
  snapshot: SnapshotPlace,
  visits: number,
  page: PageRequest<string>,
): Promise<string | null> {
  const [last, next] = await rawRows<{ key: string }>(
    db,
    `select row_key as key from row_versions where ${STOOD} ${afterKey('row_key', page)}
     order by row_key offset :skipped limit 2`,
    { ...snapshot, after: page.after, skipped: visits - 1 },
  );
  return last === undefined || next === undefined ? null : last.key;
}
