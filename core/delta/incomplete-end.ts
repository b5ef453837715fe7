// Tells whether only the last row of a body is incomplete, as after an export that broke off and appended its error.
import type { Dialect } from './model.ts';
import type { Warning } from './warnings.ts';

/** The warning that such a row causes. */
export type IncompleteEnd = 'ragged_rows' | 'empty_key';

/**
 * @param warnings about all rows
 * @param isLastKeyless whether the last row has none of its key fields
 * @returns undefined unless the last row, and no other, has fewer cells than the header, or in JSON no key
 */
export function incompleteEnd(
  { delimiter }: Pick<Dialect, 'delimiter'>,
  { rowCount, warnings }: { rowCount: number; warnings: readonly Warning[] },
  isLastKeyless: boolean,
): IncompleteEnd | undefined {
  // A short row of delimited text may lack its key too. The cells decide there.
  const end = delimiter === null ? 'empty_key' : 'ragged_rows';
  const { count, samples = [] } = warnings.find(({ code }) => code === end) ?? { count: 0 };
  if (count !== 1 || samples[0] !== `row ${rowCount}`) return undefined;
  return end === 'ragged_rows' || isLastKeyless ? end : undefined;
}
