// The visible rows of a table, between two spacer rows.
import { memo } from 'react';
import type { RowColumn, RowTableProps } from './row-column.ts';
import classes from './row-table.module.css';
import type { Stretch } from './use-table-window.ts';

interface Props<Row> extends Pick<RowTableProps<Row>, 'head' | 'columns' | 'rows' | 'idOf'> {
  shown: Stretch;
  shownColumns: Stretch;
}

export function RowTableBody<Row>({ head, columns, rows, idOf, shown, shownColumns }: Props<Row>) {
  const { items } = shownColumns;
  const [from, to] = [items[0]?.index ?? 0, (items.at(-1)?.index ?? -1) + 1];
  return (
    <tbody>
      <Gap heightPx={shown.beforePx} />
      {shown.items.map(({ index, size }) => {
        const row = rows[index];
        if (row === undefined) return null;
        const layout = { index, heightPx: size, from, to };
        return <BodyRow key={idOf(row)} row={row} head={head} columns={columns} {...layout} />;
      })}
      <Gap heightPx={shown.afterPx} />
    </tbody>
  );
}

interface BodyRowProps<Row> {
  row: Row;
  head: RowColumn<Row>;
  columns: readonly RowColumn<Row>[];
  index: number;
  heightPx: number;
  /** The visible columns, and the one after them. */
  from: number;
  to: number;
}

/** Rendered once, not at every step of scrolling. */
const BodyRow = memo(function BodyRow<Row>(props: BodyRowProps<Row>) {
  const { row, head, columns, index, heightPx, from, to } = props;
  return (
    <tr aria-rowindex={index + 2} style={{ height: heightPx }}>
      <th scope="row" aria-colindex={1} className={classes['head']}>
        {head.cell(row)}
      </th>
      <td aria-hidden className={classes['gap']} />
      {columns.slice(from, to).map((column, at) => (
        <td
          key={column.id}
          aria-colindex={from + at + 2}
          className={column.isNumeric ? classes['number'] : undefined}
        >
          {column.cell(row)}
        </td>
      ))}
      <td aria-hidden className={classes['gap']} />
    </tr>
  );
  // memo() removes the type parameter.
}) as <Row>(props: BodyRowProps<Row>) => React.JSX.Element;

const Gap = ({ heightPx }: { heightPx: number }) =>
  heightPx <= 0 ? null : (
    <tr aria-hidden style={{ height: heightPx }}>
      {/* Hidden: it is empty. */}
      {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label */}
      <td className={classes['gap']} />
    </tr>
  );
