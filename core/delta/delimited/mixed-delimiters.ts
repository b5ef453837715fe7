// Refuses a table whose header has one delimiter and whose rows have another. Read with either of them, all rows would be others.
import { CheckError } from '../../errors.ts';
import { headerRowOf, type Dialect, quotingOf } from '../model.ts';
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
  dialect: Pick<Dialect, 'delimiter' | 'headerRow' | 'quoting'>,
): void {
  const { delimiter } = dialect;
  const headerRow = headerRowOf(dialect);
  if (delimiter === null || headerRow === null || headerRow === NO_HEADER) return;
  const table = prefix.slice(lineStart(prefix, headerRow) ?? prefix.length);
  const quoting = quotingOf(dialect);
  const rowsBy = (each: string) => splitDelimited(table, { delimiter: each, quoting }, isWhole).rows;
  const [names = [], ...given] = rowsBy(delimiter);
  if (given.length === 0 || given.some((cells) => cells.length === names.length)) return;
  for (const other of DELIMITERS.filter((each) => each !== delimiter)) {
    for (const [ofHeader, ofRows] of [[delimiter, other] as const, [other, delimiter] as const]) {
      if (!isMixed(rowsBy(ofHeader), rowsBy(ofRows), ofHeader)) continue;
      throw new CheckError(
        'malformed_body',
        `Line ${headerRow} has its names between ${nameOf(ofHeader)}, and the rows below have their cells between ${nameOf(ofRows)}.`,
      );
    }
  }
}

/** @param header all rows under the delimiter of the header @param rows the same under that of the rows */
function isMixed(
  [names = []]: readonly (readonly string[])[],
  [alone = [], ...rows]: readonly (readonly string[])[],
  ofHeader: string,
): boolean {
  if (names.length < 2 || alone.length > 1 || rows.length === 0 || isPhrase(names, rows)) return false;
  // A short row has the delimiter of the header too.
  const isWhole = (cells: readonly string[]): boolean =>
    cells.length === names.length &&
    !cells.some((cell) => cell.replaceAll(DECIMAL_COMMA, '').includes(ofHeader));
  return rows.filter(isWhole).length >= rows.length * MOST;
}

const DECIMAL_COMMA = /(?<=\d),(?=\d)/g;

/** Whether two names are rather one with a comma, as in “Price, net”, because no cell below begins with a space. */
const isPhrase = (names: readonly string[], rows: readonly (readonly string[])[]): boolean =>
  names.length === 2 &&
  names[1]?.startsWith(' ') === true &&
  !rows.some((cells) => cells[1]?.startsWith(' '));

const nameOf = (delimiter: string): string => NAMES[delimiter] ?? `“${delimiter}”`;
