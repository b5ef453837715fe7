// The visible rows and columns of a table, and the space before and after them.
import { useVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';

/** A range of rows or columns, and the space on both sides. */
export interface Stretch {
  items: readonly VirtualItem[];
  beforePx: number;
  afterPx: number;
}

interface Sizes {
  rowCount: number;
  /** Its identity changes with the rows, because heights are cached by it. */
  keyOf: (at: number) => string;
  heightOf: (at: number) => number;
  headWidthPx: number;
  widths: readonly number[];
}

/** Rows above and below the visible ones that are rendered in advance. */
const ROWS_AHEAD = 8;
const COLUMNS_AHEAD = 2;
/** More rows are requested when this few are left. */
const END_ROWS = 40;

export function useTableWindow({ rowCount, keyOf, heightOf, headWidthPx, widths }: Sizes) {
  const scrollRef = useRef<HTMLElement>(null);
  const getScrollElement = () => scrollRef.current;
  // No compiler runs here that could take its functions for constants.
  // oxlint-disable-next-line react/incompatible-library
  const rows = useVirtualizer({
    count: rowCount,
    getScrollElement,
    getItemKey: keyOf,
    estimateSize: heightOf,
    overscan: ROWS_AHEAD,
  });
  // oxlint-disable-next-line react/incompatible-library -- as above
  const columns = useVirtualizer({
    horizontal: true,
    count: widths.length,
    getScrollElement,
    estimateSize: (at) => widths[at] ?? 0,
    overscan: COLUMNS_AHEAD,
    paddingStart: headWidthPx,
  });
  const sizes = widths.join(' ');
  useEffect(() => columns.measure(), [columns, sizes]);
  const shownRows = stretchOf(rows.getVirtualItems(), rows.getTotalSize());
  const lastShown = shownRows.items.at(-1)?.index ?? -1;
  return {
    scrollRef,
    shownRows,
    shownColumns: stretchOf(columns.getVirtualItems(), columns.getTotalSize(), headWidthPx),
    widthPx: columns.getTotalSize(),
    isAtEnd: lastShown >= rowCount - END_ROWS,
  };
}

function stretchOf(items: readonly VirtualItem[], totalPx: number, fromPx = 0): Stretch {
  const first = items[0];
  const last = items.at(-1);
  if (first === undefined || last === undefined) return { items, beforePx: 0, afterPx: totalPx - fromPx };
  return { items, beforePx: first.start - fromPx, afterPx: totalPx - last.end };
}
