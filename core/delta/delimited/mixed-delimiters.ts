// Refuses a table whose header has one delimiter and whose rows have another. Read with either of them, all rows would be others.
import { CheckError } from '../../errors.ts';
import { headerRowOf, type Dialect } from '../model.ts';
import { DELIMITERS } from './detect-table.ts';
import { lineStart, NO_HEADER } from './parse-delimited.ts';
import { splitDelimited } from './split-delimited.ts';

const NAMES: Readonly<Record<string, string>> = {
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'pipes',
};
/** A footer may have no delimiter. */
const MOST = 0.9;

/**
 * @param prefix the first part of a body
 * @throws CheckError malformed_body: no row is as wide as the header, and most are under another delimiter
 */
export function refuseMixedDelimiters(
  prefix: string,
  isWhole: boolean,
  dialect: Pick<Dialect, 'delimiter' | 'headerRow'>,
): void {
  const { delimiter } = dialect;
  const headerRow = headerRowOf(dialect);
  if (delimiter === null || headerRow === null || headerRow === NO_HEADER) return;
  const table = prefix.slice(lineStart(prefix, headerRow) ?? prefix.length);
  const widthsBy = (each: string): number[] =>
    splitDelimited(table, each, isWhole).rows.map(({ length }) => length);
  const given = widthsBy(delimiter);
  if (given.length < 2 || given.slice(1).some((width) => width === given[0])) return;
  for (const other of DELIMITERS.filter((each) => each !== delimiter)) {
    const widths = widthsBy(other);
    for (const [header, rows] of [[given, widths] as const, [widths, given] as const]) {
      if (!isMixed(header, rows)) continue;
      const [ofHeader, ofRows] = header === given ? [delimiter, other] : [other, delimiter];
      throw new CheckError(
        'malformed_body',
        `Line ${headerRow} has its names between ${nameOf(ofHeader)}, and the rows below have their cells between ${nameOf(ofRows)}.`,
      );
    }
  }
}

/** @param header widths of all rows under the delimiter of the header @param rows the same under that of the rows */
function isMixed([width = 0]: readonly number[], [alone, ...rows]: readonly number[]): boolean {
  const fitting = rows.filter((each) => each === width).length;
  return width > 1 && alone === 1 && fitting >= rows.length * MOST;
}

const nameOf = (delimiter: string): string => NAMES[delimiter] ?? `“${delimiter}”`;
