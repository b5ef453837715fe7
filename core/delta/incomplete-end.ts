// Tells whether only the end of a body is incomplete, as after an export that broke off and appended its error.
import type { Dialect } from './model.ts';
import type { Warning } from './warnings.ts';

export interface IncompleteEnd {
  /** The warning that these rows cause. */
  code: 'ragged_rows' | 'empty_key';
  /** How many rows at the end are no rows of the table. */
  rows: number;
}

/**
 * @param warnings about all rows
 * @param isLastKeyless whether the last row has none of its key fields
 * @param errorLines how many rows at the end are lines of an error; undefined: nothing shows that they are
 * @returns undefined unless the last row, and no other, has fewer cells than the header, or in JSON no key; or the end is an error
 */
export function incompleteEnd(
  { delimiter }: Pick<Dialect, 'delimiter'>,
  { rowCount, warnings }: { rowCount: number; warnings: readonly Warning[] },
  { isLastKeyless, errorLines }: { isLastKeyless: boolean; errorLines: number | undefined },
): IncompleteEnd | undefined {
  if (errorLines !== undefined) return { code: 'ragged_rows', rows: errorLines };
  // A short row of delimited text may lack its key too. The cells decide there.
  const code = delimiter === null ? 'empty_key' : 'ragged_rows';
  const { count, samples = [] } = warnings.find((warning) => warning.code === code) ?? { count: 0 };
  if (count !== 1 || samples[0] !== `row ${rowCount}`) return undefined;
  return code === 'ragged_rows' || isLastKeyless ? { code, rows: 1 } : undefined;
}
