// Recognises an error of several lines that an export wrote after its last row: a message with the stack of PHP, Python, Java and
// others, or an HTML page.
import { cellText } from './keys/keyed-row.ts';
import type { Batch, Cell } from './model.ts';
import type { Warning, Warnings } from './warnings.ts';

/** What nobody writes below a table on purpose. A line of the table's width is never compared with these. */
const SIGNS = [
  // PHP
  /(?:^|<br \/>)\s*(?:<b>)?(?:PHP )?(?:Fatal|Parse|Catchable fatal|Recoverable fatal) error(?:<\/b>)?: /,
  / in (?:<b>)?\S*[./\\]\S*(?:<\/b>)? on line (?:<b>)?\d+(?:<\/b>)?(?:<br \/>)?\s*$/,
  // Python
  /Traceback \(most recent call last\):\s*$/,
  /^\s+File "[^"]+", line \d+/,
  // Java
  /^(?:Exception in thread "|Caused by: )/,
  /^(?:\w+\.)+\w*(?:Exception|Error)(?::|\s*$)/,
  /^\s*at [\w$.<>/]+\((?:\w+\.(?:java|kt|scala|groovy):\d+|Native Method|Unknown Source)\)/,
  // JavaScript and .NET
  /^\s+at \S.*:\d+:\d+\)?\s*$/,
  /^\s+at \S+\(.*\) in .+:line \d+\s*$/,
  // Ruby, Perl and Go
  /^\s*(?:from )?\S+\.rb:\d+:in [`']/,
  / at \S+\.(?:pl|pm|cgi) line \d+\.\s*$/,
  /^(?:panic: |goroutine \d+ \[)/,
  // Web pages
  /^\s*<(?:!doctype html|html|head|body)\b/i,
  /^\s*<\/(?:body|html)>/i,
];

/** A page may end in lines like this, because it needs no end tags. */
const TAG = /^\s*<\/?[a-z]/i;

/** A stack, and a page without its text, is rarely longer. */
export const MOST_LINES = 100;
/** Of a line, enough for every sign. */
const MOST_LENGTH = 500;

interface Line {
  text: string;
  width: number;
}

const isSigned = ({ text }: Line): boolean => SIGNS.some((sign) => sign.test(text));

export interface ErrorEnd {
  /** Takes the rows of delimited text, in order, each batch after its warnings. */
  look: (batch: Batch) => void;
  /**
   * How many rows at the end are lines of such an error. Undefined unless they begin with the first short row of the body, and one
   * of those that are too short or too long is surely a line of an error. Neither the last one nor most of them
   * may look like rows of the table, which may have such lines as cells without quotes.
   */
  lineCount: () => number | undefined;
}

export function createErrorEnd(warnings: Pick<Warnings, 'list'>, delimiter: string): ErrorEnd {
  const lines: Line[] = [];
  let rowCount = 0;
  /** Of the last row before the lines: as wide as the header. */
  let tableWidth: number | undefined;

  const take = (row: readonly Cell[]): void => {
    if (lines.length > MOST_LINES) return;
    lines.push({ text: row.map(cellText).join(delimiter).slice(0, MOST_LENGTH), width: row.length });
  };

  return {
    look({ rows }) {
      const start = firstRow(warnings.list(), 'ragged_rows');
      const at = start === undefined ? rows.length : Math.max(0, start - 1 - rowCount);
      if (lines.length === 0) tableWidth = rows[at - 1]?.length ?? tableWidth;
      rowCount += rows.length;
      for (const row of rows.slice(at)) take(row);
    },
    lineCount() {
      const start = rowCount - lines.length + 1;
      const isTail = lines.length > 1 && lines.length <= MOST_LINES;
      if (!isTail || (firstRow(warnings.list(), 'extra_cells') ?? start) < start) return undefined;
      const odd = lines.filter(({ width }) => width !== tableWidth);
      if (!odd.some(isSigned)) return undefined;
      const likeRows = lines.filter(
        (line) => line.width === tableWidth && !isSigned(line) && !TAG.test(line.text),
      );
      const endsInRow = likeRows.at(-1) === lines.at(-1);
      return endsInRow || likeRows.length * 2 > lines.length ? undefined : lines.length;
    },
  };
}

/** The number of the first row with a warning. */
function firstRow(warnings: readonly Warning[], wanted: Warning['code']): number | undefined {
  const sample = warnings.find(({ code }) => code === wanted)?.samples[0];
  return sample === undefined ? undefined : Number(sample.slice('row '.length));
}
