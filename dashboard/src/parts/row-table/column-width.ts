// What a column's first values say about it: how wide it has to be, and whether it has numbers.
import { textOf } from './exact-json.ts';
import type { ColumnLook } from './row-column.ts';

const CHARACTER_PX = 8;
const PADDING_PX = 22;
export const BOUNDS_PX = { least: 72, usual: 260, most: 1_200 } as const;

/**
 * @param values of the column's first rows
 * @param extraPx beside each value
 */
export function lookOf(title: string, values: readonly unknown[], extraPx = 0): ColumnLook {
  const lengths = values.map((value) => textOf(value)?.length ?? 0);
  const wholePx = Math.max(title.length, ...lengths) * CHARACTER_PX + PADDING_PX;
  const within = (mostPx: number): number => Math.min(Math.max(wholePx, BOUNDS_PX.least), mostPx) + extraPx;
  return {
    widthPx: within(BOUNDS_PX.usual),
    wholePx: within(BOUNDS_PX.most - extraPx),
    isNumeric: areNumbers(values),
  };
}

/** With thousands separators or a decimal comma too. Digits after a leading zero are a code. */
const NUMBER =
  /^[+-]?(?:(?:0|[1-9]\d*)(?:[.,]\d+)?|[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** Whether there are numbers, and nothing else but empty values. */
function areNumbers(values: readonly unknown[]): boolean {
  const texts = values.filter((value) => value !== null && value !== '').map(textOf);
  const given = texts.filter((text) => text !== undefined);
  return given.length > 0 && given.every((text) => NUMBER.test(text));
}
