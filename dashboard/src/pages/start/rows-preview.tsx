// A few rows as they are. All of their text comes from the origin.
import { ScrollArea, Table, VisuallyHidden } from '@mantine/core';
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
    <ScrollArea
      className={classes['frame'] ?? ''}
      type="auto"
      offsetScrollbars="x"
      viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': 'The first rows' }}
    >
      <Table className={classes['table'] ?? ''} aria-label="The first rows" verticalSpacing={7}>
        <Table.Thead>
          <Table.Tr>
            {shown.map((column) => (
              <Table.Th key={column} scope="col">
                {column}
                {isKey(column) && (
                  <>
                    <IconKey size={13} aria-hidden />
                    <VisuallyHidden> (key field)</VisuallyHidden>
                  </>
                )}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ key, data }) => (
            <Table.Tr key={key}>
              {shown.map((column) => (
                <Table.Td key={column}>{lineOf(data, column)}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea>
  );
}

/** The start of a value, which may have a million characters. */
const lineOf = (row: object, column: string): string =>
  (textOf(valueAt({ ...row }, column)) ?? '').slice(0, 200);
