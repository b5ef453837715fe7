// A row of a delta event or of a comparison, and questions about many of them.
import { valueAt } from '../../../parts/row-table/exact-json.ts';
import type { components } from '../../../client/schema.ts';

export type DeltaRow = components['schemas']['DeltaRow'];

const columnsOfPage = new WeakMap<readonly DeltaRow[], readonly string[]>();
const changedColumnsOfPage = new WeakMap<readonly DeltaRow[], readonly string[]>();

/** All columns, today's first, in the order of the rows. */
export const columnsOf = (pages: readonly (readonly DeltaRow[])[]): string[] =>
  union(pages, columnsOfPage, ({ after, before }) => [
    ...Object.keys(after ?? {}),
    ...Object.keys(before ?? {}),
  ]);

/** The columns in which some row changed. */
export const changedColumnsOf = (pages: readonly (readonly DeltaRow[])[]): string[] =>
  union(pages, changedColumnsOfPage, ({ changedFields }) => changedFields);

/** Looks through each page once, however many follow it. */
function union(
  pages: readonly (readonly DeltaRow[])[],
  known: WeakMap<readonly DeltaRow[], readonly string[]>,
  columns: (row: DeltaRow) => readonly string[],
): string[] {
  const all = pages.flatMap((page) => {
    const found = known.get(page) ?? [...new Set(page.flatMap(columns))];
    known.set(page, found);
    return found;
  });
  return [...new Set(all)];
}

/** A column's value after the event, or before a row was deleted. */
export const shownValue = ({ before, after }: DeltaRow, column: string): unknown =>
  valueAt(after ?? before, column);
