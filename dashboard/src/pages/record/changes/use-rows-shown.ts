// Which of the rows that differ are shown, in which columns: as the address says.
import { useDeferredValue, useMemo } from 'react';
import { CHANGE_TYPES } from '../../../parts/change-sign.ts';
import type { RowPages } from '../../../parts/row-table/use-row-pages.ts';
import type { ChangeType } from '../../../theme.ts';
import { changedColumnsOf, columnsOf, type DeltaRow, isWanted } from './delta-row.ts';

export interface Counts {
  newCount: number;
  changedCount: number;
  deletedCount: number;
}

export const countOf = (counts: Counts, type: ChangeType): number => counts[`${type}Count`];

export const allChanges = (counts: Counts): number =>
  counts.newCount + counts.changedCount + counts.deletedCount;

/** The type that the address asks for; where all rows are of one type, that one. Asking for a type is cheaper. */
export function typeAskedFor(params: URLSearchParams, counts: Counts | undefined): ChangeType | undefined {
  const type = CHANGE_TYPES.find((each) => each === params.get('type'));
  if (type !== undefined || counts === undefined) return type;
  const [only, ...others] = CHANGE_TYPES.filter((each) => countOf(counts, each) > 0);
  return others.length === 0 ? only : undefined;
}

export function useRowsShown({ pages, rows }: RowPages<DeltaRow>, params: URLSearchParams) {
  const search = useDeferredValue(params.get('search') ?? '');
  const column = params.get('column');
  const isFiltered = search !== '' || column !== null;
  const shown = useMemo(
    () => (isFiltered ? (rows ?? []).filter(isWanted({ search, column })) : (rows ?? [])),
    [rows, search, column, isFiltered],
  );
  const changed = useMemo(() => changedColumnsOf(pages), [pages]);
  const all = useMemo(() => columnsOf(pages), [pages]);
  const isOnlyChanged = params.get('columns') === 'changed';
  return {
    shown,
    isFiltered,
    changed,
    columns: isOnlyChanged ? all.filter((each) => changed.includes(each)) : all,
  };
}
