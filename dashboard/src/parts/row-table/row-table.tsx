// A table of any number of rows, which renders only visible rows and columns.
import { useMediaQuery, useMergedRef } from '@mantine/hooks';
import { useCallback, useEffect, useMemo } from 'react';
import '../figures/data-colors.css';
import { RowTableBody } from './row-table-body.tsx';
import { RowTableHead } from './row-table-head.tsx';
import classes from './row-table.module.css';
import { useColumnWidths } from './use-column-widths.ts';
import { useTableWindow } from './use-table-window.ts';
import { WholeTextProvider } from './whole-text.tsx';
import type { RowTableProps } from './row-column.ts';

const LINES_PX = { 1: 34, 2: 56 } as const;
/** The key leaves room for the columns beside it. */
const NARROW = '(max-width: 48em)';
const NARROW_HEAD_PX = 150;

export function RowTable<Row>(props: RowTableProps<Row>) {
  const { label, columns, rows, idOf, linesOf, totalRows, onEnd } = props;
  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false });
  const widthOfHeadPx = Math.min(props.head.widthPx, isNarrow ? NARROW_HEAD_PX : Infinity);
  const { ref, headPx, widths, resize } = useColumnWidths({ ...props.head, widthPx: widthOfHeadPx }, columns);
  const head = useMemo(() => ({ ...props.head, widthPx: headPx }), [props.head, headPx]);
  const keyOf = useCallback((at: number) => keyAt(rows, at, idOf), [rows, idOf]);
  const { scrollRef, shownRows, shownColumns, widthPx, isAtEnd } = useTableWindow({
    rowCount: rows.length,
    keyOf,
    heightOf: (at) => LINES_PX[linesOf?.(rows[at] as Row) ?? 1],
    headWidthPx: headPx,
    widths,
  });
  const scrolled = useMergedRef(scrollRef, ref);
  useEffect(() => {
    if (isAtEnd) onEnd?.();
  }, [isAtEnd, onEnd]);
  return (
    // Focusable, so that arrow and page keys scroll it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section ref={scrolled} className={classes['scroll']} aria-label={label} tabIndex={0}>
      <table
        className={classes['table']}
        style={{ width: widthPx }}
        aria-label={label}
        aria-rowcount={totalRows === undefined ? -1 : totalRows + 1}
        aria-colcount={columns.length + 1}
      >
        <RowTableHead head={head} columns={columns} shown={shownColumns} onResize={resize} />
        <WholeTextProvider>
          <RowTableBody {...props} head={head} shown={shownRows} shownColumns={shownColumns} />
        </WholeTextProvider>
      </table>
    </section>
  );
}

function keyAt<Row>(rows: readonly Row[], at: number, idOf: (row: Row) => string): string {
  const row = rows[at];
  return row === undefined ? String(at) : idOf(row);
}
