// The rows of a snapshot in a table.
import type { components } from '../../../../client/schema.ts';
import { nameOfColumn } from '../../../../parts/record/column-name.ts';
import { CellText } from '../../../../parts/row-table/cell-text.tsx';
import { lookOf } from '../../../../parts/row-table/column-width.ts';
import { valueAt } from '../../../../parts/row-table/exact-json.ts';
import { RowTable } from '../../../../parts/row-table/row-table.tsx';
import { RowKey } from '../../rows/row-key.tsx';

type SnapshotRow = components['schemas']['SnapshotRow'];

interface Props {
  columns: readonly string[];
  rows: readonly SnapshotRow[];
  totalRows: number | undefined;
  onEnd: () => void;
}

const ROWS_MEASURED = 50;

export function SnapshotTable({ columns, rows, totalRows, onEnd }: Props) {
  // Columns are fixed by the first rows: later pages do not move them.
  const first = rows.slice(0, ROWS_MEASURED);
  const keys = first.map(({ key }) => key);
  const head = { id: 'key', title: 'Row key', ...lookOf('Row key', keys), isNumeric: false, cell: keyCell };
  const shown = columns.map((column) => ({
    id: column,
    title: nameOfColumn(column),
    ...lookOf(
      column,
      first.map(({ data }) => valueAt(data, column)),
    ),
    cell: cellOf(column),
  }));
  return (
    <RowTable
      label="Rows"
      head={head}
      columns={shown}
      rows={rows}
      idOf={keyOf}
      totalRows={totalRows}
      onEnd={onEnd}
    />
  );
}

const keyOf = ({ key }: SnapshotRow): string => key;

const keyCell = ({ key }: SnapshotRow) => <RowKey rowKey={key} />;

const cellOf =
  (column: string) =>
  ({ data }: SnapshotRow) => <CellText column={column} value={valueAt(data, column)} />;
