// Which of an event's or a comparison's rows a caller selects, apart from their type.
import { Type } from 'typebox';
import type { DeltaSelection } from '../../db/rows/search-delta-rows.ts';
import { readSelection, requireColumns, selectionQuery } from './row-selection.ts';

/** In a query string. */
export const deltaSelectionQuery = {
  search: selectionQuery.search,
  field: selectionQuery.field,
  changedField: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: 20,
      description:
        'Only changed rows in which this column differs. Up to 20 times: one of the columns must differ.',
    }),
  ),
};

/** For descriptions of operations with deltaSelectionQuery. */
export const DELTA_SELECTION =
  '`search` reads the values before and after. With it or `changedField`, a page reads at most some 100,000 rows, so it may have fewer rows than `limit`, or none, although `hasMore` is true: follow `nextCursor`.';

interface Asked {
  search?: string;
  field?: readonly string[];
  changedField?: readonly string[];
}

/** @throws ApiError invalid_parameter for `field` without `search` */
export function readDeltaSelection({ changedField = [], ...asked }: Asked): DeltaSelection {
  const { search, searchColumns } = readSelection(asked);
  return { search, searchColumns, changedFields: changedField };
}

export const isEveryRow = ({ search, changedFields }: DeltaSelection): boolean =>
  search === null && changedFields.length === 0;

/**
 * @param versions both snapshots
 * @throws ApiError validation_failed, with every column that is in neither snapshot
 */
export function requireDeltaColumns(
  { searchColumns, changedFields }: DeltaSelection,
  versions: readonly { columns: readonly string[] }[],
): void {
  const named = [
    ...searchColumns.map((column) => ({ pointer: 'field', column })),
    ...changedFields.map((column) => ({ pointer: 'changedField', column })),
  ];
  const columns = [...new Set(versions.flatMap((version) => version.columns))];
  requireColumns(named, columns, 'these two snapshots; they have');
}
