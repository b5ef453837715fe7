// RFC 4180 and what is found in the wild, as a pure function from text to rows of fields:
// - a row ends at \r\n, \n or \r, mixed as they come; an empty line is no row;
// - a quote inside an unquoted field is an ordinary character;
// - text after a closing quote makes the whole field literal, its outer quotes included.

const QUOTE = 34;
const LF = 10;
const CR = 13;

/** A text and, for each character that matters, where it comes next: looked up again only once passed. */
interface Scan {
  text: string;
  delimiter: string;
  delimiterAt: number;
  quoteAt: number;
  lfAt: number;
  crAt: number;
}

/**
 * Splits off all complete rows.
 * @param delimiter one character, not a quote or a line end
 * @param isEnd whether the body ends here; then only a row with an open quote is left over
 * @param maxRows so many rows are enough
 */
export function splitDelimited(
  text: string,
  delimiter: string,
  isEnd: boolean,
  maxRows = Infinity,
): { rows: string[][]; consumedLength: number } {
  const scan: Scan = { text, delimiter, delimiterAt: -1, quoteAt: -1, lfAt: -1, crAt: -1 };
  const rows: string[][] = [];
  let start = 0;
  while (start < text.length && rows.length < maxRows) {
    if (isLineEnd(text.charCodeAt(start))) {
      start++;
      continue;
    }
    const { fields, end } = readRow(scan, start);
    if (end === -1 || (end === text.length && !isEnd)) break;
    rows.push(fields);
    // The second half of \r\n looks like an empty line, and those are skipped.
    start = Math.min(end + 1, text.length);
  }
  return { rows, consumedLength: start };
}

function isLineEnd(code: number): boolean {
  return code === LF || code === CR;
}

/** The fields of the row that begins here and where it ends; -1 if a quote is still open. */
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
  value += text.slice(from, quote);
  const end = fieldEndFrom(scan, quote + 1);
  return { value: end === quote + 1 ? value : `"${value}${text.slice(quote, end)}`, end };
}

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
