// Counts the rows of a file of the service while it arrives.

const LINE_END = 10;
const QUOTE = 34;

export interface RowCounter {
  add: (chunk: Uint8Array) => void;
  /** The complete rows so far. */
  rows: () => number;
}

/** JSON Lines have a line for each row. In CSV a header comes first, and a cell in quotes may have line ends. */
export function createRowCounter(format: 'csv' | 'jsonl'): RowCounter {
  let [lines, isQuoted] = [0, false];
  const countLines = (chunk: Uint8Array): void => {
    for (let at = chunk.indexOf(LINE_END); at !== -1; at = chunk.indexOf(LINE_END, at + 1)) lines += 1;
  };
  const countCsv = (chunk: Uint8Array): void => {
    for (const byte of chunk) {
      // A quote within a cell is doubled, so it changes nothing.
      if (byte === QUOTE) isQuoted = !isQuoted;
      else if (byte === LINE_END && !isQuoted) lines += 1;
    }
  };
  return format === 'csv'
    ? { add: countCsv, rows: () => Math.max(0, lines - 1) }
    : { add: countLines, rows: () => lines };
}
