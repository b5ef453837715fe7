// The address's selection of rows, and functions that change it.
import { useMemo } from 'react';
import { type UrlChanges, useUrlState } from '../../../../parts/state/use-url-state.ts';
import { filterName, readSelection, type RowFilter } from './selection.ts';

const nameOf = ({ column, operator }: RowFilter): string => filterName(column, operator);

export function useSelection() {
  const [params, change] = useUrlState();
  const selection = useMemo(() => readSelection(params), [params]);
  /** Adds a filter, in place of another one if that is given. */
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

/** The address of the rows with one value in a column, from another view's address. */
export function rowsWith(params: URLSearchParams, column: string, value: string): string {
  const next = new URLSearchParams({ [filterName(column, 'eq')]: value });
  const snapshot = params.get('snapshot');
  if (snapshot !== null) next.set('snapshot', snapshot);
  return `?${next}`;
}
