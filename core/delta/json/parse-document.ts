// A JSON document to batches: the objects of one array in it, the root or where a path leads, are the rows.
import { CheckError } from '../../errors.ts';
import { createJsonBatches, type JsonRow } from './json-batches.ts';
import type { Batch, RowLimits } from '../model.ts';
import { splitStream } from '../delimited/split-stream.ts';
import { createDocumentWalk } from './walk-document.ts';
import { shorten, type Warnings } from '../warnings.ts';

/**
 * @param rowsPath dot path to the array; empty: the root
 * @throws CheckError malformed_body (also when no array stands there), body_truncated, invalid_character and the
 * limits. Characters in messages are counted in the document, rows in the array.
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
  const { walk, place } = createDocumentWalk({
    takeArray(path) {
      // A member without a name has an empty path too, and is not the root.
      if ((path ?? '') !== rowsPath || path === '') return undefined;
      if (isFound) throw new CheckError('malformed_body', `Two arrays stand at ${nameOf(rowsPath)}.`);
      isFound = true;
      return (text, offset) => rows.push({ text, name: `row ${++rowCount}`, offset, isOpen: false });
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
      // What is wrong with the rows before is told first, wherever the chunks end.
      fault = error;
    }
    const complete = rows;
    rows = [];
    return { rows: complete, consumedLength };
  };
  for await (const complete of splitStream(texts, split, limits.maxRowLength, place)) {
    yield* toBatches(complete);
    if (fault !== undefined) throw fault;
  }
  if (isFound) return;
  throw new CheckError('malformed_body', `There is no array of objects at ${nameOf(rowsPath)}.`);
}

function nameOf(rowsPath: string): string {
  return rowsPath === '' ? 'the root of the document' : `“${shorten(rowsPath)}”`;
}
