// The rows of a snapshot that a caller selects by search and filters: page by page, or all of them as an export. A statement
// reads a limited number of rows, whether they match or not, so that none takes long.
import { ApiError } from '../../core/errors.ts';
import type { RowPage } from '../../core/export/row-page.ts';
import { type Database, rawRows } from '../driver/knex.ts';
import { afterKey, type PageRequest } from '../page.ts';
import { keysOf, type RowSelection, selectionSql } from './row-filters.ts';
import { oldestEventSql } from '../unchanged-checks.ts';
import { rowPageSql, type SnapshotRef, IN_SNAPSHOT, type StoredRow } from './snapshots.ts';

export interface SearchedRows {
  rows: StoredRow[];
  /** The last key that was read, if more rows follow; null when all rows were read. */
  stoppedAt: string | null;
}

/** The limits of one request. */
const MAX_SEARCHED_ROWS = 100_000;
const MAX_SEARCHED_BYTES = 48 * 1024 * 1024;

/** How many rows a search may read before it returns what it has found. Constant for a snapshot; lower for large rows. */
export function visitsOf({ totalRows, bytes }: { totalRows: number; bytes: number }): number {
  const averageBytes = Math.max(1, bytes / Math.max(1, totalRows));
  return Math.max(100, Math.min(MAX_SEARCHED_ROWS, Math.floor(MAX_SEARCHED_BYTES / averageBytes)));
}

/**
 * Searches the first `visits` rows of the page's range. Returns matching rows by key: one more than the limit. Rows that are
 * selected by their key are looked up directly.
 * @param selection as for selectionSql
 */
export async function searchSnapshotRows(
  db: Database,
  snapshot: SnapshotRef,
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

/** The key of the last row that may be read, if others follow. */
async function findEdge(
  db: Database,
  snapshot: SnapshotRef,
  visits: number,
  page: PageRequest<string>,
): Promise<string | null> {
  const [last, next] = await rawRows<{ key: string }>(
    db,
    `select row_key as key from row_versions where ${IN_SNAPSHOT} ${afterKey('row_key', page)}
     order by row_key offset :skipped limit 2`,
    { ...snapshot, after: page.after, skipped: visits - 1 },
  );
  return last === undefined || next === undefined ? null : last.key;
}

const EXPORT_PAGE_ROWS = 10_000;
/** An approximate limit: a page of unusually large rows is cut at twice this size. */
const EXPORT_PAGE_BYTES = 4 * 1024 * 1024;

export interface SelectedSnapshot extends SnapshotRef {
  id: string;
  totalRows: number;
  /** The size of its body, from which the size of a row follows. */
  bytes: number;
  /** The key fields of its rows; empty when they are not known. */
  keyFields: readonly string[];
}

/** Runs a statement when the queue of slow reads lets it. */
export type RunRead = <T>(read: (db: Database) => Promise<T>) => Promise<T>;

/**
 * Exports matching rows by row key, in byte order. A page may be empty.
 * @param selection its columns exist
 * @throws ApiError gone when the snapshot was pruned meanwhile, because a part of its rows must not pass for all
 */
export async function* exportSelectedRows(
  run: RunRead,
  snapshot: SelectedSnapshot,
  selection: RowSelection,
): AsyncGenerator<RowPage> {
  const { keyFields } = snapshot;
  const visits = visitsPerPage(snapshot);
  let after: string | null = null;
  let isLast = false;
  while (!isLast) {
    const page: PageRequest<string> = { after, limit: visits };
    const { rows, stoppedAt } = await run((db) =>
      searchSnapshotRows(db, snapshot, { selection, keyFields, visits }, page),
    );
    const tooMuchAt = rows.findIndex(({ fits }) => !fits);
    const fitting = tooMuchAt === -1 ? rows : rows.slice(0, tooMuchAt);
    after = tooMuchAt === -1 ? stoppedAt : (fitting.at(-1)?.key ?? null);
    isLast = after === null;
    // Checked before the last rows are sent, because an error after them would come too late.
    if (isLast && !(await run((db) => isKept(db, snapshot.id))))
      throw new ApiError('gone', 'Rows of this snapshot are no longer kept.');
    yield toPage(fitting);
  }
}

/** At least 101: the most rows that can be selected by key, and one more. */
function visitsPerPage({ totalRows, bytes }: SelectedSnapshot): number {
  const averageBytes = Math.max(1, bytes / Math.max(1, totalRows));
  return Math.max(101, Math.min(EXPORT_PAGE_ROWS, Math.floor(EXPORT_PAGE_BYTES / averageBytes)));
}

function toPage(rows: readonly StoredRow[]): RowPage {
  const bytes = Buffer.from(rows.map(({ data }) => data).join(''));
  const spans: number[] = [];
  let at = 0;
  for (const { data } of rows) {
    const end = at + Buffer.byteLength(data);
    spans.push(at, end);
    at = end;
  }
  return { bytes, spans };
}

/** Whether all rows of a snapshot still exist: neither the record's erasure nor retention (db/upkeep/retention.ts) deleted one. */
async function isKept(db: Database, snapshotId: string): Promise<boolean> {
  const rows = await rawRows(
    db,
    `select from snapshots
     join records on records.id = snapshots.record_id and records.deleted_at is null
     where snapshots.id = ? and not exists (
       select from (${oldestEventSql('snapshots.record_id')}) oldest
       where snapshots.sequence < oldest.sequence - case when is_no_change then 0 else 1 end)`,
    [snapshotId],
  );
  return rows.length > 0;
}
