// The changed rows of an event, or of two snapshots, in a table.
import { VisuallyHidden } from '@mantine/core';
import { nameOfColumn } from '../../../parts/record/column-name.ts';
import { CHANGE_SIGNS } from '../../../parts/figures/change-sign.ts';
import { PairedMark } from '../../../parts/figures/paired-mark.tsx';
import { lookOf } from '../../../parts/row-table/column-width.ts';
import { valueAt } from '../../../parts/row-table/exact-json.ts';
import { RowTable } from '../../../parts/row-table/row-table.tsx';
import { RowKey } from '../rows/row-key.tsx';
import { DeltaCell } from '../rows/delta-cell.tsx';
import classes from '../rows/delta-cell.module.css';
import { type DeltaRow, shownValue } from '../rows/delta-row.ts';

interface Props {
  label: string;
  rows: readonly DeltaRow[];
  columns: readonly string[];
  totalRows: number | undefined;
  onEnd: (() => void) | undefined;
}

const ROWS_MEASURED = 50;
/** Width of the sign beside the key, and of the signs before and after a value. */
const SIGNS_PX = 30;
const MARKS_PX = 14;
/** Of the mark of a paired row, with the gap beside it. */
const PAIRED_PX = 60;
/** Beside a value that was added, these words are the value before. */
const NO_VALUE_PX = 100;

export function DeltaTable({ label, rows, columns, totalRows, onEnd }: Props) {
  // Columns are fixed by the first rows: later pages do not move them.
  const first = rows.slice(0, ROWS_MEASURED);
  const keys = first.map(({ key }) => key);
  const head = {
    id: 'key',
    title: 'Row key',
    ...lookOf('Row key', keys, SIGNS_PX + (first.some(isPaired) ? PAIRED_PX : 0)),
    isNumeric: false,
    cell: keyCell,
  };
  const shown = columns.map((column) => {
    const values = first.flatMap((row) => [shownValue(row, column), valueBefore(row, column)]);
    const look = lookOf(column, values, MARKS_PX);
    const widthPx = Math.max(look.widthPx, NO_VALUE_PX);
    return { id: column, title: nameOfColumn(column), ...look, widthPx, cell: cellOf(column) };
  });
  return (
    <RowTable
      label={label}
      head={head}
      columns={shown}
      rows={rows}
      idOf={keyOf}
      linesOf={(row) => (row.changeType === 'changed' ? 2 : 1)}
      totalRows={totalRows}
      onEnd={onEnd}
    />
  );
}

const isPaired = ({ pairedBy }: DeltaRow): boolean => pairedBy !== undefined;

const valueBefore = ({ before, changedFields }: DeltaRow, column: string): unknown =>
  changedFields.includes(column) ? valueAt(before, column) : undefined;

const cellOf = (column: string) => (row: DeltaRow) => <DeltaCell row={row} column={column} />;

const keyOf = ({ key }: DeltaRow): string => key;

const keyCell = ({ key, changeType, pairedBy }: DeltaRow) => (
  <div className={classes['key']}>
    <span className={classes['sign']} data-type={changeType} title={changeType}>
      <span aria-hidden>{CHANGE_SIGNS[changeType]}</span>
      <VisuallyHidden>{changeType} </VisuallyHidden>
    </span>
    {pairedBy !== undefined && <PairedMark />}
    <RowKey rowKey={key} />
  </div>
);
