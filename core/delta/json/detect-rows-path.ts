// Finds the rows of a JSON document whose root is an object: its longest array of objects.
import { CheckError } from '../../errors.ts';
import type { RowLimits } from '../model.ts';
import { splitStream } from '../delimited/split-delimited.ts';
import { createDocumentWalk } from './walk-document.ts';

interface RowsCandidate {
  /** Dot path to the array; empty: the root. */
  path: string;
  rowCount: number;
}

/**
 * Reads the whole body. Of arrays with the same length the first one is chosen. An array with anything but objects does not
 * count, and an empty one is chosen only if it is the only array.
 * @returns the dot path
 * @throws CheckError malformed_body without such an array; also body_truncated, invalid_character and the limits
 */
export async function detectRowsPath(texts: AsyncIterable<string>, limits: RowLimits): Promise<string> {
  const tables = createTables();
  let array: RowsCandidate & { isTable: boolean } = { path: '', rowCount: 0, isTable: false };
  const { walk, location } = createDocumentWalk({
    takeArray(path) {
      if (array.isTable) tables.add(array);
      // A member with an empty name has the path of the root and cannot be named.
      array = { path: path ?? '', rowCount: 0, isTable: path !== '' };
      return (text) => {
        array.rowCount++;
        array.isTable &&= text.startsWith('{');
      };
    },
    nameElement: () => `element ${array.rowCount + 1} of an array`,
    limits,
  });
  const split = (text: string, isEnd: boolean) => ({ rows: [], consumedLength: walk(text, isEnd) });
  for await (const _ of splitStream(texts, split, limits.maxRowLength, location)) {
    // The walk collects the tables.
  }
  if (array.isTable) tables.add(array);
  return tables.choose();
}

/** Collects tables and chooses the longest. */
function createTables(): { add: (table: RowsCandidate) => void; choose: () => string } {
  let best: RowsCandidate | undefined;
  let empty: RowsCandidate | undefined;
  let emptyCount = 0;
  return {
    add({ path, rowCount }) {
      const table = { path, rowCount };
      if (rowCount > (best?.rowCount ?? 0)) best = table;
      if (rowCount > 0) return;
      empty = table;
      emptyCount++;
    },
    choose() {
      const found = best ?? (emptyCount === 1 ? empty : undefined);
      if (found === undefined) throw noTable();
      return found.path;
    },
  };
}

function noTable(): CheckError {
  return new CheckError(
    'malformed_body',
    'The document has no array of objects to take rows from. If its one object is a row, have it written on one line, and set the format to jsonl.',
  );
}
