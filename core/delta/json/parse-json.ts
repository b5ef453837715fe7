// Parses JSON documents, whose rows are the objects of one array, and JSONL, with one object on each line.
import { CheckError } from '../../errors.ts';
import type { Batch, Cell, RowLimits } from '../model.ts';
import { splitStream } from '../delimited/split-delimited.ts';
import { createDocumentWalk } from './walk-document.ts';
import { shorten, type Warnings } from '../warnings.ts';
import { createJsonColumns } from './json-columns.ts';
import type { JsonLocation } from './json-fault.ts';

/**
 * Parses a document. Warns about other arrays of objects, whose rows are not read.
 * @param rowsPath dot path to the array; empty: the root
 * @throws CheckError malformed_body (also without an array there), body_truncated, invalid_character and the
 * limits. Messages give the position in the document, or the row in the array.
 */
export async function* parseDocument(
  texts: AsyncIterable<string>,
  rowsPath: string,
  limits: RowLimits,
  warnings: Warnings,
): AsyncGenerator<Batch, void, undefined> {
  const toBatches = createJsonBatches(limits, warnings);
  let rows: JsonRow[] = [];
  let rowCount = 0;
  let isFound = false;
  let other: OtherArray | undefined;
  const warnOfOther = (): void => {
    if (other?.isTable === true && other.rowCount > 0)
      warnings.add('other_arrays', `${other.path} (${other.rowCount})`);
    other = undefined;
  };
  const { walk, location } = createDocumentWalk({
    takeArray(path) {
      // A member with an empty name has an empty path, too, but is not the root.
      if ((path ?? '') !== rowsPath || path === '') return undefined;
      if (isFound) throw new CheckError('malformed_body', `There are two arrays at ${nameOf(rowsPath)}.`);
      isFound = true;
      return (text, offset) => rows.push({ text, name: `row ${++rowCount}`, offset, isOpen: false });
    },
    passArray(path) {
      warnOfOther();
      const passed = { path: path ?? '', rowCount: 0, isTable: path !== '' };
      other = passed;
      return (firstCharacter) => {
        passed.rowCount++;
        passed.isTable &&= firstCharacter === '{';
      };
    },
    nameElement: () => `row ${rowCount + 1}`,
    limits,
  });
  let fault: unknown;
  const split = (text: string, isEnd: boolean) => {
    let consumedLength = text.length;
    try {
      consumedLength = walk(text, isEnd);
    } catch (error) {
      // Errors in earlier rows are reported first, whatever the chunks.
      fault = error;
    }
    const complete = rows;
    rows = [];
    return { rows: complete, consumedLength };
  };
  for await (const complete of splitStream(texts, split, limits.maxRowLength, location)) {
    yield* toBatches(complete);
    if (fault !== undefined) throw fault;
  }
  warnOfOther();
  if (isFound) return;
  throw new CheckError('malformed_body', `There is no array of objects at ${nameOf(rowsPath)}.`);
}

interface OtherArray {
  path: string;
  rowCount: number;
  /** All of its elements are objects. */
  isTable: boolean;
}

function nameOf(rowsPath: string): string {
  return rowsPath === '' ? 'the root of the document' : `“${shorten(rowsPath)}”`;
}

/**
 * Parses JSONL. Blank lines are skipped.
 * @throws CheckError malformed_body, body_truncated (the last line is incomplete), invalid_character and the limits, with
 * the line's number
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
  const location = (count: number): string => `line ${count + 1}`;
  for await (const lines of splitStream(texts, splitLines, limits.maxRowLength, location)) {
    yield* toBatches(lines.flatMap(toRows));
  }
}

/** Keeps line ends, so that a last line without one is noticed. */
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

interface JsonRow extends JsonLocation {
  text: string;
}

/** Rows times columns. A row of two characters may have a thousand columns, so one chunk could become gigabytes. */
const MAX_BATCH_CELLS = 100_000;

/**
 * Turns rows into batches of limited size.
 * @throws CheckError malformed_body, body_truncated, invalid_character and the limits, with the row's position
 */
function createJsonBatches(
  limits: RowLimits,
  warnings: Warnings,
): (chunk: readonly JsonRow[]) => Generator<Batch, void, undefined> {
  const { columns, toCells } = createJsonColumns(limits, warnings);
  return function* (chunk) {
    let rows: Cell[][] = [];
    for (const row of chunk) {
      rows.push(toCells(row.text, row));
      if (rows.length * columns.length < MAX_BATCH_CELLS) continue;
      yield { columns, rows };
      rows = [];
    }
    yield { columns, rows };
  };
}
