// Splits delimited text into rows of fields, after RFC 4180 and common deviations from it:
// - a row ends at \r\n, \n or \r, in any mixture; an empty line is not a row;
// - without quoting, every quote is an ordinary character;
// - a quote inside an unquoted field is an ordinary character;
// - text after a closing quote makes the whole field literal: its quotes stay as they are written.
import { CheckError } from '../../errors.ts';
import type { Quoting } from '../model.ts';

const QUOTE = 34;
const LF = 10;
const CR = 13;

/** What divides a row into cells. */
export interface CellMarks {
  /** One character, not a quote or a line end. */
  delimiter: string;
  quoting: Quoting;
}

export const COMMAS: CellMarks = { delimiter: ',', quoting: 'double' };

/** A text with the next position of each special character, which is searched again only once it was passed. */
interface Scan {
  text: string;
  delimiter: string;
  delimiterAt: number;
  /** Infinity without quoting: no quote is looked for. */
  quoteAt: number;
  lfAt: number;
  crAt: number;
  /** Whether a quote opened a cell that goes on over the rows below: text follows its closing quote. */
  hasStrayQuote: boolean;
}

interface SplitRows {
  rows: string[][];
  consumedLength: number;
  /**
   * The place in `rows` of the first row with a stray quote, if there is one. Its cell has a line end between the quotes and text
   * after them, as when the first quote belongs to the text, and the second to a row below.
   */
  strayAt?: number;
}

/**
 * Splits off all complete rows.
 * @param isEnd whether the body ends here; only a row with an open quote is incomplete then
 * @param maxRows stops after this many rows
 */
export function splitDelimited(
  text: string,
  { delimiter, quoting }: CellMarks,
  isEnd: boolean,
  maxRows = Infinity,
): SplitRows {
  const scan: Scan = {
    text,
    delimiter,
    delimiterAt: -1,
    quoteAt: quoting === 'none' ? Infinity : -1,
    lfAt: -1,
    crAt: -1,
    hasStrayQuote: false,
  };
  let strayAt: number | undefined;
  const rows: string[][] = [];
  let start = 0;
  while (start < text.length && rows.length < maxRows) {
    if (isLineEnd(text.charCodeAt(start))) {
      start++;
      continue;
    }
    const { fields, end } = readRow(scan, start);
    if (end === -1 || (end === text.length && !isEnd)) break;
    if (scan.hasStrayQuote) strayAt ??= rows.length;
    rows.push(fields);
    // The \n of \r\n is skipped like an empty line.
    start = Math.min(end + 1, text.length);
  }
  return { rows, consumedLength: start, ...(strayAt !== undefined && { strayAt }) };
}

function isLineEnd(code: number): boolean {
  return code === LF || code === CR;
}

/** The fields and the end of the row that begins here; the end is -1 if a quote is still open. */
function readRow(scan: Scan, start: number): { fields: string[]; end: number } {
  const lineEnd = lineEndFrom(scan, start);
  if (quoteFrom(scan, start) > lineEnd) {
    return { fields: scan.text.slice(start, lineEnd).split(scan.delimiter), end: lineEnd };
  }
  const fields: string[] = [];
  for (let at = start; ; at += scan.delimiter.length) {
    const { value, end } = readField(scan, at);
    if (end === -1) return { fields, end };
    fields.push(value);
    at = end;
    if (end === lineEndFrom(scan, end)) return { fields, end };
  }
}

function readField(scan: Scan, start: number): { value: string; end: number } {
  const { text } = scan;
  if (text.charCodeAt(start) !== QUOTE) {
    const end = fieldEndFrom(scan, start);
    return { value: text.slice(start, end), end };
  }
  let value = '';
  let from = start + 1;
  let quote = quoteFrom(scan, from);
  while (text.charCodeAt(quote + 1) === QUOTE) {
    value += text.slice(from, quote + 1);
    from = quote + 2;
    quote = quoteFrom(scan, from);
  }
  if (quote === text.length) return { value, end: -1 };
  const end = fieldEndFrom(scan, quote + 1);
  if (end === quote + 1) return { value: value + text.slice(from, quote), end };
  scan.hasStrayQuote ||= isOverRows(text.slice(start, quote), text.slice(quote + 1, end));
  return { value: text.slice(start, end), end };
}

/** White space after the closing quote is no text: some writers pad their cells. */
const isOverRows = (quoted: string, after: string): boolean => /[\r\n]/.test(quoted) && /[^ \t]/.test(after);

function fieldEndFrom(scan: Scan, at: number): number {
  if (scan.delimiterAt < at) scan.delimiterAt = find(scan.text, scan.delimiter, at);
  return Math.min(scan.delimiterAt, lineEndFrom(scan, at));
}

function lineEndFrom(scan: Scan, at: number): number {
  if (scan.lfAt < at) scan.lfAt = find(scan.text, '\n', at);
  if (scan.crAt < at) scan.crAt = find(scan.text, '\r', at);
  return Math.min(scan.lfAt, scan.crAt);
}

function quoteFrom(scan: Scan, at: number): number {
  if (scan.quoteAt < at) scan.quoteAt = find(scan.text, '"', at);
  return scan.quoteAt;
}

function find(text: string, character: string, from: number): number {
  const at = text.indexOf(character, from);
  return at === -1 ? text.length : at;
}

/** Takes all complete rows from the start of a text. The rest at the end of the body is a truncated row. */
export type SplitText<T> = (text: string, isEnd: boolean) => { rows: T[]; consumedLength: number };

/**
 * Splits a stream of text into rows, whatever the boundaries of its chunks. Yields the rows that each chunk completes; a
 * list may be empty.
 * @param location names the incomplete row after this many rows, for messages
 * @throws CheckError row_too_large, invalid_character, body_truncated, each with its location
 */
export async function* splitStream<T>(
  texts: AsyncIterable<string>,
  split: SplitText<T>,
  maxRowLength: number,
  location = (rowCount: number): string => `row ${rowCount + 1}`,
): AsyncGenerator<T[], void, undefined> {
  let rest = '';
  let wantedLength = 0;
  let rowCount = 0;
  const take = (isEnd: boolean): T[] => {
    const { rows, consumedLength } = split(rest, isEnd);
    rest = rest.slice(consumedLength);
    // Waits until an incomplete row has doubled. Otherwise many small chunks of a long row would take quadratic time.
    wantedLength = 2 * rest.length;
    rowCount += rows.length;
    return rows;
  };
  for await (const text of texts) {
    const nulAt = text.indexOf('\0');
    rest += nulAt === -1 ? text : text.slice(0, nulAt);
    const isDue = rest.length >= Math.min(wantedLength, maxRowLength);
    if (isDue || nulAt !== -1) yield take(false);
    if (rest.length > maxRowLength) throw new CheckError('row_too_large', `It is ${location(rowCount)}.`);
    if (nulAt !== -1) throw new CheckError('invalid_character', `It is NUL, in ${location(rowCount)}.`);
  }
  yield take(true);
  if (rest !== '') throw new CheckError('body_truncated', `A quote in ${location(rowCount)} is not closed.`);
}
