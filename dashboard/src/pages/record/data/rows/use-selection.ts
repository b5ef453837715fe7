// The selection of rows that the address holds, and what changes it.
import { useMemo } from 'react';
import { type UrlChanges, useUrlState } from '../../../../parts/state/use-url-state.ts';
import { filterName, readSelection, type RowFilter } from './selection.ts';

const nameOf = ({ column, operator }: RowFilter): string => filterName(column, operator);

export function useSelection() {
  const [params, change] = useUrlState();
  const selection = useMemo(() => readSelection(params), [params]);
  /** Puts a filter in the place of another one; one more without that. */
  const putFilter = (filter: RowFilter, instead?: RowFilter): void =>
    change({ ...taken(instead === undefined ? [] : [instead]), [nameOf(filter)]: filter.values });
  const takeFilters = (filters: readonly RowFilter[]): void => change(taken(filters));
  const setSearch = (search: string): void =>
    change(search === '' ? { search: null, field: null } : { search });
  const setFields = (fields: readonly string[]): void => change({ field: fields });
  return { selection, putFilter, takeFilters, setSearch, setFields };
}

const taken = (filters: readonly RowFilter[]): UrlChanges =>
  Object.fromEntries(filters.map((filter) => [nameOf(filter), null]));

/** The address of the rows of which a column has a value, from that of another view. */
export function rowsWith(params: URLSearchParams, column: string, value: string): string {
  const next = new URLSearchParams({ [filterName(column, 'eq')]: value });
  const snapshot = params.get('snapshot');
  if (snapshot !== null) next.set('snapshot', snapshot);
  return `?${next}`;
}
