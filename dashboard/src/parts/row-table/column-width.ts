// A column's width: by its heading and its first values, within limits.
import { textOf } from './exact-json.ts';

const CHARACTER_PX = 8;
const PADDING_PX = 22;
const BOUNDS_PX = { least: 72, most: 260 } as const;

/** @param values of the column's first rows */
export function columnWidthPx(title: string, values: readonly unknown[]): number {
  const lengths = values.map((value) => textOf(value)?.length ?? 0);
  const widest = Math.max(title.length, ...lengths) * CHARACTER_PX + PADDING_PX;
  return Math.min(Math.max(widest, BOUNDS_PX.least), BOUNDS_PX.most);
}
