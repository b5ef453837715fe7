// One cell of a new, changed or deleted row: its value before and after, with signs as well as colours.
import '../../../parts/figures/data-colors.css';
import { VisuallyHidden } from '@mantine/core';
import { CellText } from '../../../parts/row-table/cell-text.tsx';
import { valueAt } from '../../../parts/row-table/exact-json.ts';
import classes from './delta-cell.module.css';
import { type DeltaRow, shownValue } from './delta-row.ts';

export function DeltaCell({ row, column }: { row: DeltaRow; column: string }) {
  if (!row.changedFields.includes(column)) {
    return (
      <div className={classes[row.changeType]}>
        <CellText column={column} value={shownValue(row, column)} />
      </div>
    );
  }
  return (
    <>
      <del className={classes['before']}>
        <VisuallyHidden>before: </VisuallyHidden>
        <CellText column={column} value={valueAt(row.before, column)} isPlain={false} />
      </del>
      <ins className={classes['after']}>
        <VisuallyHidden>after: </VisuallyHidden>
        <CellText column={column} value={valueAt(row.after, column)} isPlain={false} />
      </ins>
    </>
  );
}
