// The rows of a snapshot that a caller searches and filters for, all of them, page by page: a page looks at a few
// thousand rows, found or not, so that no statement takes long, however large the snapshot is.
import { ApiError } from '../../core/errors.ts';
import type { RowPage } from '../../core/export/row-page.ts';
import { type Database, rawRows } from '../driver/knex.ts';
import type { RowSelection } from './row-filters.ts';
import { searchSnapshotRows } from './search-rows.ts';
import type { SnapshotPlace, StoredRow } from './snapshots.ts';
import type { PageRequest } from '../page.ts';

const MAX_VISITED_ROWS = 10_000;
/** About. A page of rows that are larger than usual is cut at twice this. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024;

export interface SelectedSnapshot extends SnapshotPlace {
  id: string;
  totalRows: number;
  /** Of its body: says how large a row is. */
  bytes: number;
  /** What its rows are keyed by; none when that is not known. */
  keyFields: readonly string[];
}

/** Runs a statement, when it is its turn. */
export type RunRead = <T>(read: (db: Database) => Promise<T>) => Promise<T>;

/**
 * Rows by row key, in byte order; a page may be empty.
 * @param selection its columns exist
 * @throws ApiError gone when the snapshot was pruned meanwhile: a part of its rows must not pass for all
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
    // Before the last rows are sent, because after them it is too late to say.
    if (isLast && !(await run((db) => isKept(db, snapshot.id))))
      throw new ApiError('gone', 'Rows of this snapshot are no longer kept.');
    yield toPage(fitting);
  }
}

/** At least 101: as many as may be asked for by their keys, and one. */
function visitsPerPage({ totalRows, bytes }: SelectedSnapshot): number {
  const averageBytes = Math.max(1, bytes / Math.max(1, totalRows));
  return Math.max(101, Math.min(MAX_VISITED_ROWS, Math.floor(MAX_PAGE_BYTES / averageBytes)));
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

/** Whether no row that stood in a snapshot was deleted: neither with its record nor by retention (db/upkeep/retention.ts). */
async function isKept(db: Database, snapshotId: string): Promise<boolean> {
  const rows = await rawRows(
    db,
    `select from snapshots
     join records on records.id = snapshots.record_id and records.deleted_at is null
     where snapshots.id = ? and not exists (
       select from (
         select sequence, is_no_change from delta_events
         where record_id = snapshots.record_id order by number limit 1
       ) oldest
       where snapshots.sequence < oldest.sequence - case when is_no_change then 0 else 1 end)`,
    [snapshotId],
  );
  return rows.length > 0;
}
