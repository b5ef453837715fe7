// The headings of the visible columns, which have fixed widths.
import type { RowColumn } from './row-column.ts';
import { ResizeHandle } from './resize-handle.tsx';
import classes from './row-table.module.css';
import { HEAD } from './use-column-widths.ts';
import type { Stretch } from './use-table-window.ts';

interface Props<Row> {
  head: RowColumn<Row>;
  columns: readonly RowColumn<Row>[];
  shown: Stretch;
  onResize: (id: string, widthPx: number) => void;
}

export function RowTableHead<Row>({ head, columns, shown, onResize }: Props<Row>) {
  return (
    <>
      <colgroup>
        <col style={{ width: head.widthPx }} />
        <col style={{ width: shown.beforePx }} />
        {shown.items.map(({ index, size }) => (
          <col key={index} style={{ width: size }} />
        ))}
        {/* Without a width, it takes the room that narrow columns leave. */}
        <col style={shown.afterPx > 0 ? { width: shown.afterPx } : undefined} />
      </colgroup>
      <thead>
        <tr aria-rowindex={1}>
          <th scope="col" aria-colindex={1} aria-label={head.title} className={classes['head']}>
            <span className={classes['line']}>{head.title}</span>
            <ResizeHandle {...head} onResize={(widthPx) => onResize(HEAD, widthPx)} />
          </th>
          <td aria-hidden className={classes['gap']} />
          {shown.items.map(({ index, size }) => {
            const column = columns[index];
            if (column === undefined) return null;
            const { id, title, wholePx, isNumeric } = column;
            return (
              <th
                key={index}
                scope="col"
                aria-colindex={index + 2}
                aria-label={title}
                className={isNumeric ? classes['number'] : undefined}
              >
                <span className={classes['line']}>{title}</span>
                <ResizeHandle
                  title={title}
                  widthPx={size}
                  wholePx={wholePx}
                  onResize={(widthPx) => onResize(id, widthPx)}
                />
              </th>
            );
          })}
          <td aria-hidden className={classes['gap']} />
        </tr>
      </thead>
    </>
  );
}
