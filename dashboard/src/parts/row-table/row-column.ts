// What a table of rows is given.
import type { ReactNode } from 'react';

export interface RowColumn<Row> {
  id: string;
  title: ReactNode;
  widthPx: number;
  cell: (row: Row) => ReactNode;
}

export interface RowTableProps<Row> {
  /** What the table holds, for who does not see it. */
  label: string;
  /** What names a row; it stays in sight. */
  head: RowColumn<Row>;
  columns: readonly RowColumn<Row>[];
  rows: readonly Row[];
  idOf: (row: Row) => string;
  /** All lines of a cell are this many times as high as one. */
  linesOf?: ((row: Row) => 1 | 2) | undefined;
  /** How many rows there are, with those that are not loaded; unknown where undefined. */
  totalRows?: number | undefined;
  /** The end of what is loaded comes into sight; also where it was there from the beginning. */
  onEnd?: (() => void) | undefined;
}
