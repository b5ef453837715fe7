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

interface DetectedRowsPath extends RowsCandidate {
  /** The other arrays of objects, at most 100 of them. */
  others: RowsCandidate[];
}

const MAX_OTHERS = 100;

/**
 * Reads the whole body. Of arrays with the same length the first one is chosen. An array with anything but objects does not
 * count, and an empty one is chosen only if it is the only array.
 * @throws CheckError malformed_body without such an array; also body_truncated, invalid_character and the limits
 */
export async function detectRowsPath(
  texts: AsyncIterable<string>,
  limits: RowLimits,
): Promise<DetectedRowsPath> {
  const tables = createTables();
  let array: RowsCandidate & { isTable: boolean } = { path: '', rowCount: 0, isTable: false };
  const { walk, place } = createDocumentWalk({
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
  for await (const _ of splitStream(texts, split, limits.maxRowLength, place)) {
    // The walk collects the tables.
  }
  if (array.isTable) tables.add(array);
  return tables.choose();
}

/** Collects tables and chooses the longest. */
function createTables(): { add: (table: RowsCandidate) => void; choose: () => DetectedRowsPath } {
  let best: RowsCandidate | undefined;
  const others: RowsCandidate[] = [];
  const empty: RowsCandidate[] = [];
  return {
    add({ path, rowCount }) {
      const table = { path, rowCount };
      const list = rowCount === 0 ? empty : others;
      const isBetter = rowCount > (best?.rowCount ?? 0);
      const other = isBetter ? best : table;
      if (isBetter) best = table;
      if (other !== undefined && list.length < MAX_OTHERS) list.push(other);
    },
    choose() {
      const [onlyEmpty, ...more] = empty;
      const found = best ?? (more.length === 0 ? onlyEmpty : undefined);
      if (found === undefined) throw noTable();
      return { ...found, others };
    },
  };
}

function noTable(): CheckError {
  return new CheckError(
    'malformed_body',
    'The document has no array of objects to take rows from. If its one object is a row, have it written on one line, and set the format to jsonl.',
  );
}
