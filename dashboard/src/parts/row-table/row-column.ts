// The properties of a table of rows.
import type { ReactNode } from 'react';

export interface ColumnLook {
  /** At first. */
  widthPx: number;
  /** In which the first values are not cut. */
  wholePx: number;
  /** Numbers are aligned at their ends. */
  isNumeric: boolean;
}

export interface RowColumn<Row> extends ColumnLook {
  id: string;
  title: string;
  cell: (row: Row) => ReactNode;
}

export interface RowTableProps<Row> {
  /** The table's content, for screen readers. */
  label: string;
  /** The column that identifies a row; it stays visible. */
  head: RowColumn<Row>;
  columns: readonly RowColumn<Row>[];
  rows: readonly Row[];
  idOf: (row: Row) => string;
  /** How many lines high a row is. */
  linesOf?: ((row: Row) => 1 | 2) | undefined;
  /** The number of rows, including those that are not loaded; undefined: unknown. */
  totalRows?: number | undefined;
  /** Called when the end of the loaded rows becomes visible, or is visible from the start. */
  onEnd?: (() => void) | undefined;
}
