// JSONL to batches: one JSON object a line; blank lines are no rows.
import { createJsonBatches, type JsonRow } from './json-batches.ts';
import type { Batch, RowLimits } from '../model.ts';
import { splitStream } from '../delimited/split-stream.ts';
import type { Warnings } from '../warnings.ts';

/**
 * @throws CheckError malformed_body, body_truncated (the last line stops in the middle), invalid_character and
 * the limits, with the line's number
 */
export async function* parseJsonl(
  texts: AsyncIterable<string>,
  limits: RowLimits,
  warnings: Warnings,
): AsyncGenerator<Batch, void, undefined> {
  const toBatches = createJsonBatches(limits, warnings);
  let lineCount = 0;
  const toRows = (line: string): JsonRow[] => {
    lineCount++;
    if (line.trim() === '') return [];
    return [{ text: line, name: `line ${lineCount}`, offset: 0, isOpen: !line.endsWith('\n') }];
  };
  const place = (count: number): string => `line ${count + 1}`;
  for await (const lines of splitStream(texts, splitLines, limits.maxRowLength, place)) {
    yield* toBatches(lines.flatMap(toRows));
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
