// What several events come to: the data before the first of them against those after the last.
import type { Static } from 'typebox';
import { ApiError } from '../../../core/errors.ts';
import type { Context } from '../../contract/context.ts';
import { compareTwoSnapshots, listCompareRows } from '../../operations/changes/compare.ts';
import type { comparisonSchema } from '../../resources/comparison.ts';
import type { deltaRowSchema } from '../../resources/delta-event.ts';
import type { ListedEvent } from './read-events.ts';

type DeltaRow = Static<typeof deltaRowSchema>;

export interface NetChange {
  comparison: Static<typeof comparisonSchema> | null;
  /** Why there is no comparison although something happened; null: there is one, or nothing happened. */
  missing: string | null;
  /** The first that differ, by key. */
  rows: DeltaRow[];
  changedRows: DeltaRow[];
}

/** Of the changed rows: enough to see which columns it is about. */
export const MAX_COUNTED_ROWS = 500;
const FEW_KEYS = 10;
const MAX_COLUMNS = 30;

const NONE = { comparison: null, missing: null, rows: [], changedRows: [] };

/** @param events oldest first */
export async function readNet(
  ctx: Context,
  events: readonly ListedEvent[],
  limit: number,
): Promise<NetChange> {
  const from = events[0]?.previousSnapshotId ?? null;
  const to = events.at(-1)?.snapshotId;
  if (from === null || to === undefined) return NONE;
  try {
    // One after the other: an account gets few of these reads at a time.
    const comparison = await compareTwoSnapshots.run(ctx, { from, to, keysLimit: FEW_KEYS });
    const rows = limit === 0 ? [] : await rowsOf(ctx, { from, to, limit });
    const changedRows = await rowsOf(ctx, { from, to, limit: MAX_COUNTED_ROWS, changeType: 'changed' });
    // The operation's output.
    return { ...NONE, comparison: comparison as NetChange['comparison'], rows, changedRows };
  } catch (error) {
    // Keyed otherwise in between, or pruned: what happened can be told, only not what it comes to.
    if (error instanceof ApiError && ['different_keys', 'not_found', 'gone'].includes(error.code)) {
      return { ...NONE, missing: error.message };
    }
    throw error;
  }
}

async function rowsOf(ctx: Context, query: object): Promise<DeltaRow[]> {
  // The operation's output.
  const { rows } = (await listCompareRows.run(ctx, query)) as { rows: DeltaRow[] };
  return rows;
}

/** Those that changed in most rows first. */
export function changedColumns(rows: readonly DeltaRow[]): { column: string; rows: number }[] {
  const counts = new Map<string, number>();
  for (const column of rows.flatMap(({ changedFields }) => changedFields)) {
    counts.set(column, (counts.get(column) ?? 0) + 1);
  }
  return Array.from(counts, ([column, count]) => ({ column, rows: count }))
    .sort((a, b) => b.rows - a.rows || (a.column < b.column ? -1 : 1))
    .slice(0, MAX_COLUMNS);
}
