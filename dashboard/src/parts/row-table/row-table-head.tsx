// The headings of the visible columns, which have fixed widths.
import type { RowColumn } from './row-column.ts';
import classes from './row-table.module.css';
import type { Stretch } from './use-table-window.ts';

interface Props<Row> {
  head: RowColumn<Row>;
  columns: readonly RowColumn<Row>[];
  shown: Stretch;
}

export function RowTableHead<Row>({ head, columns, shown }: Props<Row>) {
  return (
    <>
      <colgroup>
        <col style={{ width: head.widthPx }} />
        <col style={{ width: shown.beforePx }} />
        {shown.items.map(({ index, size }) => (
          <col key={index} style={{ width: size }} />
        ))}
        <col style={{ width: shown.afterPx }} />
      </colgroup>
      <thead>
        <tr aria-rowindex={1}>
          <th scope="col" aria-colindex={1} className={classes['head']}>
            <span className={classes['line']}>{head.title}</span>
          </th>
          <td aria-hidden className={classes['gap']} />
          {shown.items.map(({ index }) => (
            <th key={index} scope="col" aria-colindex={index + 2}>
              <span className={classes['line']}>{columns[index]?.title}</span>
            </th>
          ))}
          <td aria-hidden className={classes['gap']} />
        </tr>
      </thead>
    </>
  );
}
