// A few rows as they are. All of their text comes from the origin.
import { VisuallyHidden } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import type { components } from '../../client/schema.ts';
import { Empty } from '../../parts/blocks/empty.tsx';
import { textOf, valueAt } from '../../parts/row-table/exact-json.ts';
import classes from './rows-preview.module.css';

interface Props {
  columns: readonly string[];
  keyFields: readonly string[];
  rows: readonly components['schemas']['SnapshotRow'][];
}

/** A feed may have thousands of columns. The record's data page shows all of them. */
const MOST_COLUMNS = 60;

export function RowsPreview({ columns, keyFields, rows }: Props) {
  if (rows.length === 0)
    return <Empty title="There are no rows yet">They appear here after a later check.</Empty>;
  const isKey = (column: string): boolean => keyFields.includes(column);
  // Key fields come first.
  const ordered = [...columns.filter(isKey), ...columns.filter((column) => !isKey(column))];
  const shown = ordered.slice(0, MOST_COLUMNS);
  return (
    // Focusable, so that arrow keys scroll it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className={classes['frame']} aria-label="The first rows" tabIndex={0}>
      <table className={classes['table']} aria-label="The first rows">
        <thead>
          <tr>
            {shown.map((column) => (
              <th key={column} scope="col">
                {column}
                {isKey(column) && (
                  <>
                    <IconKey size={13} aria-hidden />
                    <VisuallyHidden> (key field)</VisuallyHidden>
                  </>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, data }) => (
            <tr key={key}>
              {shown.map((column) => (
                <td key={column}>{lineOf(data, column)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** The start of a value, which may have a million characters. */
const lineOf = (row: object, column: string): string =>
  (textOf(valueAt({ ...row }, column)) ?? '').slice(0, 200);
