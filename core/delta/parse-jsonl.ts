// JSONL to batches: one JSON object a line; blank lines are no rows.
import { createJsonColumns } from './json-columns.ts';
import type { Batch, Cell, RowLimits } from './model.ts';
import { splitStream } from './split-stream.ts';
import type { Warnings } from './warnings.ts';

/** Rows times columns: a line of two characters can be a row of a thousand columns, so a chunk could be gigabytes. */
const MAX_BATCH_CELLS = 100_000;

/**
 * @throws CheckError malformed_body, body_truncated (the last line stops in the middle), invalid_character and
 * the limits, with the line's number
 */
export async function* parseJsonl(
  texts: AsyncIterable<string>,
  limits: RowLimits,
  warnings: Warnings,
): AsyncGenerator<Batch, void, undefined> {
  const { columns, toCells } = createJsonColumns(limits, warnings);
  let lineCount = 0;
  for await (const lines of splitStream(texts, splitLines, limits.maxRowLength)) {
    let rows: Cell[][] = [];
    for (const line of lines) {
      lineCount++;
      if (line.trim() === '') continue;
      rows.push(toCells(line, `line ${lineCount}`, !line.endsWith('\n')));
      if (rows.length * columns.length < MAX_BATCH_CELLS) continue;
      yield { columns, rows };
      rows = [];
    }
    yield { columns, rows };
  }
}

/** Lines with their line ends, so that a last line without one is seen. */
function splitLines(text: string, isEnd: boolean): { rows: string[]; consumedLength: number } {
  const rows: string[] = [];
  let start = 0;
  for (let lf = text.indexOf('\n'); lf !== -1; lf = text.indexOf('\n', start)) {
    rows.push(text.slice(start, lf + 1));
    start = lf + 1;
  }
  if (!isEnd || start === text.length) return { rows, consumedLength: start };
  rows.push(text.slice(start));
  return { rows, consumedLength: text.length };
}
