// Searches the rows of a delta event. A statement reads a limited number of rows, whether they match or not.
import type { RowChoice } from '../../core/delivery-rows.ts';
import { type Database, rawRows } from '../driver/knex.ts';
import { afterKey, type PageRequest } from '../page.ts';
import type { DeltaEventRow } from './delta-events.ts';
import { type ChangeType, type DeltaRow, listDeltaRows, type Narrowing } from './delta-rows.ts';
import { searchSql } from './row-filters.ts';
import { visitsOf } from './selected-rows.ts';

export interface DeltaSelection {
  /** A text in the row's key or in a value, before or after, case-insensitive; null for any row. */
  search: string | null;
  /** The columns to search; empty for all columns and the key. */
  searchColumns: readonly string[];
  /** Selects rows in which one of these columns changed; empty for any row. */
  changedFields: readonly string[];
  /** What a webhook wants; without it, all. */
  choice?: RowChoice;
}

/** Columns and values are bound parameters: no text of a caller becomes part of a statement. */
export function deltaSelectionSql({
  search,
  searchColumns,
  changedFields,
  choice = EVERY_ROW,
}: DeltaSelection): Pick<Narrowing, 'sql' | 'bindings'> {
  const texts = { key: 'key', data: ['after', 'before'] };
  const conditions = [
    ...(changedFields.length === 0 ? [] : [CHANGED]),
    ...(search === null ? [] : [searchSql(search, searchColumns, texts).sql]),
    ...(choice.changeTypes === null ? [] : ['"changeType" = any(:changeTypes::text[])']),
    ...(choice.columns === null ? [] : [`("changeType" <> 'changed' or ${differsIn(':columns')})`]),
  ];
  return {
    sql: conditions.join(' and '),
    bindings: {
      search,
      searchColumns: [...searchColumns],
      changedFields: [...changedFields],
      changeTypes: [...(choice.changeTypes ?? [])],
      columns: [...(choice.columns ?? [])],
    },
  };
}

const EVERY_ROW: RowChoice = { changeTypes: null, columns: null };

/** Compares values as they are written (`->`): 1.10 is not 1.1, and null is not missing. Evaluated for each row (`offset 0`). */
const differsIn = (columns: string): string => `exists (select from unnest(${columns}::text[]) as field (name)
  where (before -> field.name)::text is distinct from (after -> field.name)::text offset 0)`;
const CHANGED = differsIn(':changedFields');

/**
 * The type of the rows that a selection can match, because columns differ only in changed rows.
 * @returns null for all types; undefined when no row can match
 */
export function typeLeft(
  changeType: ChangeType | null,
  { changedFields }: DeltaSelection,
): ChangeType | null | undefined {
  if (changedFields.length === 0) return changeType;
  return changeType === null || changeType === 'changed' ? 'changed' : undefined;
}

/** How many differing rows a search may read: each is read before and after. @param versions both snapshots */
export const deltaVisitsOf = (versions: readonly { totalRows: number; bytes: number }[]): number =>
  Math.min(...versions.map(({ totalRows, bytes }) => visitsOf({ totalRows, bytes: 2 * bytes })));

export interface DeltaSearch {
  changeType: ChangeType | null;
  selection: DeltaSelection;
  /** The number of rows to read before it returns what it has found. */
  visits: number;
}

export interface SearchedDeltaRows {
  rows: DeltaRow[];
  /** The last key that was read, if more rows follow; null when all rows were read. */
  stoppedAt: string | null;
}

export type SearchedEvent = { recordNo: number } & Pick<
  DeltaEventRow,
  'id' | 'recordId' | 'generation' | 'sequence' | 'isNoChange' | 'newCount' | 'changedCount' | 'deletedCount'
>;

/**
 * Searches the first `visits` rows of the page's range. Returns matching rows by key: one more than the limit.
 * @param search its columns exist
 * @returns undefined when the event is no longer stored
 */
export async function searchDeltaRows(
  db: Database,
  event: SearchedEvent,
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

/** The key of the last row that may be read, if others follow: the smaller key of the two walks. */
export async function findEdge(
  db: Database,
  event: SearchedEvent,
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

/** Walks only an index, without reading the rows. */
const edgeSql = (condition: string, page: PageRequest<string>): string =>
  `(select case when count(*) = 2 then min(row_key) end from (
     select row_key from row_versions
     where record_no = :recordNo and generation = :generation and ${condition} ${afterKey('row_key', page)}
     order by row_key offset :skipped limit 2) last_two)`;
