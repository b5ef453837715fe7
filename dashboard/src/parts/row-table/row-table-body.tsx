// The rows of a table that are in sight, between two rows as high as all the others together.
import type { RowTableProps } from './row-table.tsx';
import classes from './row-table.module.css';
import type { Stretch } from './use-table-window.ts';

interface Props<Row> extends Pick<RowTableProps<Row>, 'head' | 'columns' | 'rows' | 'idOf'> {
  shown: Stretch;
  shownColumns: Stretch;
}

export function RowTableBody<Row>({ head, columns, rows, idOf, shown, shownColumns }: Props<Row>) {
  return (
    <tbody>
      <Gap heightPx={shown.beforePx} />
      {shown.items.map(({ index, size }) => {
        const row = rows[index];
        if (row === undefined) return null;
        return (
          <tr key={idOf(row)} aria-rowindex={index + 2} style={{ height: size }}>
            <th scope="row" aria-colindex={1} className={classes['head']}>
              {head.cell(row)}
            </th>
            <td aria-hidden className={classes['gap']} />
            {shownColumns.items.map((column) => (
              <td key={column.index} aria-colindex={column.index + 2}>
                {columns[column.index]?.cell(row)}
              </td>
            ))}
            <td aria-hidden className={classes['gap']} />
          </tr>
        );
      })}
      <Gap heightPx={shown.afterPx} />
    </tbody>
  );
}

const Gap = ({ heightPx }: { heightPx: number }) =>
  heightPx <= 0 ? null : (
    <tr aria-hidden style={{ height: heightPx }}>
      {/* Hidden: it holds nothing. */}
      {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label */}
      <td className={classes['gap']} />
    </tr>
  );
