// Tells whether only the end of a body is incomplete, as after an export that broke off and appended its error.
import type { KeyedRow } from './keys/keyed-row.ts';
import type { Dialect } from './model.ts';
import type { Warning } from './warnings.ts';

export interface IncompleteEnd {
  /** The warning that these rows cause. */
  code: 'ragged_rows' | 'empty_key';
  /** How many rows at the end are no rows of the table. */
  rows: number;
  /** How many keys only these rows have. */
  ownKeys: number;
  /** Whether one of these rows has the key of a row above them. It would count in place of that row. */
  hasEarlierKey: boolean;
}

export type Ending = Pick<KeyedRow, 'key' | 'isRepeat'>;

/**
 * @param warnings about all rows
 * @param isLastKeyless whether the last row has none of its key fields
 * @param errorLines how many rows at the end are lines of an error; undefined: nothing shows that they are
 * @param lastRows at least so many rows from the end, if there are as many
 * @returns undefined unless the last row, and no other, has fewer cells than the header, or in JSON no key; or the end is an error
 */
export function incompleteEnd(
  { delimiter }: Pick<Dialect, 'delimiter'>,
  { rowCount, warnings }: { rowCount: number; warnings: readonly Warning[] },
  {
    isLastKeyless,
    errorLines,
    lastRows,
  }: { isLastKeyless: boolean; errorLines: number | undefined; lastRows: readonly Ending[] },
): IncompleteEnd | undefined {
  if (errorLines !== undefined)
    return { code: 'ragged_rows', rows: errorLines, ...keysOf(lastRows, errorLines) };
  // A short row of delimited text may lack its key too. The cells decide there.
  const code = delimiter === null ? 'empty_key' : 'ragged_rows';
  const { count, samples = [] } = warnings.find((warning) => warning.code === code) ?? { count: 0 };
  if (count !== 1 || samples[0] !== `row ${rowCount}`) return undefined;
  return code === 'ragged_rows' || isLastKeyless ? { code, rows: 1, ...keysOf(lastRows, 1) } : undefined;
}

function keysOf(
  lastRows: readonly Ending[],
  count: number,
): Pick<IncompleteEnd, 'ownKeys' | 'hasEarlierKey'> {
  const end = lastRows.slice(-count);
  const own = new Set(end.filter(({ isRepeat }) => !isRepeat).map(({ key }) => key));
  return { ownKeys: own.size, hasEarlierKey: end.some(({ key }) => !own.has(key)) };
}
