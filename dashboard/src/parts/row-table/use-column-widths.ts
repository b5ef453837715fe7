// The widths of a table's columns: those that the user chose, or else wide enough to fill the table.
import { useElementSize } from '@mantine/hooks';
import { useState } from 'react';
import { BOUNDS_PX } from './column-width.ts';
import type { ColumnLook } from './row-column.ts';

interface Column extends Pick<ColumnLook, 'widthPx' | 'wholePx'> {
  id: string;
}

export interface ColumnWidths {
  /** For the element whose width the columns fill. */
  ref: React.RefCallback<HTMLElement | null>;
  headPx: number;
  /** In the order of the columns. */
  widths: readonly number[];
  resize: (id: string, widthPx: number) => void;
}

/** The column before the others has this id. */
export const HEAD = '\0head';

export function useColumnWidths(head: Column, columns: readonly Column[]): ColumnWidths {
  const { ref, width: viewPx } = useElementSize<HTMLElement>();
  const [chosen, setChosen] = useState<ReadonlyMap<string, number>>(new Map());
  const headPx = chosen.get(HEAD) ?? head.widthPx;
  const filling = fill(columns, viewPx - headPx);
  const widths = columns.map(({ id, widthPx }, at) => chosen.get(id) ?? filling[at] ?? widthPx);
  const resize = (id: string, widthPx: number): void => {
    const px = Math.round(Math.min(Math.max(widthPx, BOUNDS_PX.least), BOUNDS_PX.most));
    // The others keep their widths, so that the edge stays under the pointer.
    const kept = columns.map((column, at) => [column.id, widths[at] ?? column.widthPx] as const);
    setChosen(new Map([[HEAD, headPx], ...kept, [id, px]]));
  };
  return { ref, headPx, widths, resize };
}

/** Columns that are cut grow first, then all in proportion. */
function fill(columns: readonly Column[], spacePx: number): number[] {
  const sum = (of: (column: Column) => number): number =>
    columns.reduce((total, each) => total + of(each), 0);
  const usual = sum(({ widthPx }) => widthPx);
  const whole = sum(({ wholePx }) => wholePx);
  if (spacePx <= usual) return columns.map(({ widthPx }) => widthPx);
  const part = whole === usual ? 0 : Math.min(1, (spacePx - usual) / (whole - usual));
  const stretch = Math.max(1, spacePx / whole);
  return columns.map(({ widthPx, wholePx }) => Math.floor((widthPx + (wholePx - widthPx) * part) * stretch));
}
