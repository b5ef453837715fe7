// Which of the rows that differ a caller asks for, as a condition in SQL; and how many may be looked at for it.
import type { ChangeType, Narrowing } from './delta-rows.ts';
import { searchSql } from './row-filters.ts';
import { visitsOf } from './search-rows.ts';

export interface DeltaSelection {
  /** Text that the row's key or some value holds, before or after, whatever the case of its letters; null: any row. */
  search: string | null;
  /** Where to search; none: in all columns and in the key. */
  searchColumns: readonly string[];
  /** Rows of which one of these changed; none: any row. */
  changedFields: readonly string[];
}

/** Columns and values are bound parameters: no text of a caller becomes a part of a statement. */
export function deltaSelectionSql({
  search,
  searchColumns,
  changedFields,
}: DeltaSelection): Pick<Narrowing, 'sql' | 'bindings'> {
  const texts = { key: 'key', data: ['after', 'before'] };
  const conditions = [
    ...(changedFields.length === 0 ? [] : [CHANGED]),
    ...(search === null ? [] : [searchSql(search, searchColumns, texts).sql]),
  ];
  return {
    sql: conditions.join(' and '),
    bindings: { search, searchColumns: [...searchColumns], changedFields: [...changedFields] },
  };
}

/** `->` gives a value as it is written: 1.10 is not 1.1, and null is not missing. Asked of each row alone (`offset 0`). */
const CHANGED = `exists (select from unnest(:changedFields::text[]) as field (name)
  where (before -> field.name)::text is distinct from (after -> field.name)::text offset 0)`;

/**
 * The type of the rows that a selection can leave: columns differ in changed rows only.
 * @returns null for all; undefined when it leaves none
 */
export function typeLeft(
  changeType: ChangeType | null,
  { changedFields }: DeltaSelection,
): ChangeType | null | undefined {
  if (changedFields.length === 0) return changeType;
  return changeType === null || changeType === 'changed' ? 'changed' : undefined;
}

/** How many rows that differ may be looked at: each is read before and after. @param versions the snapshots of both */
export const deltaVisitsOf = (versions: readonly { totalRows: number; bytes: number }[]): number =>
  Math.min(...versions.map(({ totalRows, bytes }) => visitsOf({ totalRows, bytes: 2 * bytes })));
