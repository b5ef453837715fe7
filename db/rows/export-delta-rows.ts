// All rows of a delta event, page by page: each page is a statement of its own.
import { ApiError } from '../../core/errors.ts';
import { type DeltaRow, listDeltaRows } from './delta-rows.ts';
import type { Database } from '../driver/knex.ts';

const PAGE_ROWS = 1_000;

/**
 * Rows by key, in byte order. No page is read before it is asked for.
 * @param event with how many rows it has
 * @throws ApiError gone when the event was pruned meanwhile: a part of its rows must not pass for all
 */
export async function* exportDeltaRows(
  db: Database,
  event: { id: string; recordId: string; recordNo: number; rowCount: number },
): AsyncGenerator<DeltaRow[]> {
  const { rowCount, ...place } = event;
  let count = 0;
  for (let after: string | null = null; ;) {
    const rows = await listDeltaRows(db, place, { after, limit: PAGE_ROWS });
    if (rows === undefined) throw goneError();
    const fitting = rows.filter((row) => row.fits).slice(0, PAGE_ROWS);
    const last = fitting.at(-1);
    count += fitting.length;
    const isLast = last === undefined || fitting.length === rows.length;
    if (isLast && count !== rowCount) throw goneError();
    yield fitting;
    if (isLast) return;
    after = last.key;
  }
}

const goneError = (): ApiError => new ApiError('gone', 'Rows of this event are no longer kept.');

/** The columns of the versions before and after an event: those of today first. */
export async function readEventColumns(
  db: Database,
  event: { recordId: string; snapshotId: string; previousSnapshotId: string | null },
): Promise<string[]> {
  const { recordId, snapshotId, previousSnapshotId } = event;
  const versions: string[][] = await db('snapshots')
    .where({ recordId })
    .whereIn('id', [snapshotId, previousSnapshotId ?? snapshotId])
    .orderBy('sequence', 'desc')
    .pluck('columns');
  return [...new Set(versions.flat())];
}
