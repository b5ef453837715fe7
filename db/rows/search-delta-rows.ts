// Searching a delta event's rows: a statement looks at so many of them and no more, found or not.
import { type ChangeType, type DeltaRow, listDeltaRows } from './delta-rows.ts';
import type { DeltaEventRow } from './delta-events.ts';
import { type DeltaSelection, deltaSelectionSql, typeLeft } from './delta-selection.ts';
import { type Database, rawRows } from '../driver/knex.ts';
import { afterKey, type PageRequest } from '../page.ts';

export interface DeltaSearch {
  changeType: ChangeType | null;
  selection: DeltaSelection;
  /** How many rows it may look at before it answers what it has. */
  visits: number;
}

export interface SearchedDeltaRows {
  rows: DeltaRow[];
  /** The last key that was looked at when more rows follow it; null: all of them were. */
  stoppedAt: string | null;
}

type EventPlace = { recordNo: number } & Pick<
  DeltaEventRow,
  'id' | 'recordId' | 'generation' | 'sequence' | 'isNoChange' | 'newCount' | 'changedCount' | 'deletedCount'
>;

/**
 * Rows that are asked for, by key, one more than the limit, among the first `visits` rows of the page's range;
 * undefined when the event is no longer kept.
 * @param search its columns exist
 */
export async function searchDeltaRows(
  db: Database,
  event: EventPlace,
  { changeType, selection, visits }: DeltaSearch,
  page: PageRequest<string>,
): Promise<SearchedDeltaRows | undefined> {
  const type = typeLeft(changeType, selection);
  if (type === undefined) return { rows: [], stoppedAt: null };
  const upTo = await findEdge(db, event, type, visits, page);
  const { id, recordId, recordNo } = event;
  const narrowing = { ...deltaSelectionSql(selection), upTo };
  const rows = await listDeltaRows(db, { id, recordId, recordNo }, page, type, narrowing);
  return rows === undefined ? undefined : { rows, stoppedAt: upTo };
}

/** The key of the last row that may be looked at, if others follow: the nearer one of what came and of what went. */
async function findEdge(
  db: Database,
  event: EventPlace,
  type: ChangeType | null,
  visits: number,
  page: PageRequest<string>,
): Promise<string | null> {
  const { recordNo, generation, sequence, isNoChange, newCount, changedCount, deletedCount } = event;
  const sides = [
    type !== 'deleted' && newCount + changedCount > 0 ? edgeSql('first_seq = :sequence', page) : null,
    (type ?? 'deleted') === 'deleted' && deletedCount > 0 ? edgeSql('last_seq = :sequence - 1', page) : null,
  ].filter((side) => side !== null);
  if (isNoChange || sides.length === 0) return null;
  const [edge] = await rawRows<{ key: string | null }>(db, `select least(${sides.join(', ')}) as key`, {
    recordNo,
    generation,
    sequence,
    after: page.after,
    skipped: visits - 1,
  });
  return edge?.key ?? null;
}

/** Walks an index; the rows themselves are not read. */
const edgeSql = (condition: string, page: PageRequest<string>): string =>
  `(select case when count(*) = 2 then min(row_key) end from (
     select row_key from row_versions
     where record_no = :recordNo and generation = :generation and ${condition} ${afterKey('row_key', page)}
     order by row_key offset :skipped limit 2) last_two)`;
