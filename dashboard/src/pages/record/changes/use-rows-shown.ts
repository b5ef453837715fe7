// Which changed rows and columns are shown, as the address says.
import { useMemo } from 'react';
import { CHANGE_TYPES } from '../../../parts/figures/change-sign.ts';
import type { RowPages } from '../../../parts/row-table/use-row-pages.ts';
import type { ChangeType } from '../../../theme.ts';
import { changedColumnsOf, columnsOf, type DeltaRow } from '../rows/delta-row.ts';
import type { RowsAsked } from './use-event-rows.ts';

export interface Counts {
  newCount: number;
  changedCount: number;
  deletedCount: number;
}

export const countOf = (counts: Counts, type: ChangeType): number => counts[`${type}Count`];

export const allChanges = (counts: Counts): number =>
  counts.newCount + counts.changedCount + counts.deletedCount;

/** The type of the address. If all rows have one type, that type: a request for one type is cheaper. */
function typeAskedFor(params: URLSearchParams, counts: Counts | undefined): ChangeType | undefined {
  const type = CHANGE_TYPES.find((each) => each === params.get('type'));
  if (type !== undefined || counts === undefined) return type;
  const [only, ...others] = CHANGE_TYPES.filter((each) => countOf(counts, each) > 0);
  return others.length === 0 ? only : undefined;
}

/** The filters of the address, as the API takes them. */
export const rowsAsked = (params: URLSearchParams, counts: Counts | undefined): RowsAsked => ({
  changeType: typeAskedFor(params, counts),
  search: params.get('search') ?? '',
  column: params.get('column'),
});

/** The columns of the loaded rows. */
export function useColumnsShown({ pages }: RowPages<DeltaRow>, params: URLSearchParams) {
  const changed = useMemo(() => changedColumnsOf(pages), [pages]);
  const all = useMemo(() => columnsOf(pages), [pages]);
  const isOnlyChanged = params.get('columns') === 'changed' && changed.length > 0;
  return { changed, columns: isOnlyChanged ? all.filter((each) => changed.includes(each)) : all };
}
