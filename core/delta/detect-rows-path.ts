// Finds the rows of a JSON document whose root is an object: its only array of objects, else the longest.
import { CheckError } from '../errors.ts';
import type { RowLimits } from './model.ts';
import { splitStream } from './split-stream.ts';
import { createDocumentWalk } from './walk-document.ts';

export interface RowsCandidate {
  /** Dot path to the array; empty: the root. */
  path: string;
  rowCount: number;
}

export interface DetectedRowsPath extends RowsCandidate {
  /** The other arrays of objects, in the order of the document; not all of very many. */
  others: RowsCandidate[];
}

const MAX_CANDIDATES = 100;

/**
 * Reads the whole body. Of arrays of the same length the first is taken. An array with anything but objects in it is
 * none, and an empty one is taken only if it is the only one and there is no other.
 * @throws CheckError malformed_body when there is none; also body_truncated, invalid_character and the limits
 */
export async function detectRowsPath(
  texts: AsyncIterable<string>,
  limits: RowLimits,
): Promise<DetectedRowsPath> {
  const arrays: (RowsCandidate & { isTable: boolean })[] = [];
  const { walk, place } = createDocumentWalk({
    takeArray(path) {
      if (path === '' || arrays.length === MAX_CANDIDATES) return undefined;
      const found = { path: path ?? '', rowCount: 0, isTable: true };
      arrays.push(found);
      return (text) => {
        found.rowCount++;
        found.isTable &&= text.startsWith('{');
      };
    },
    nameElement: () => `element ${(arrays.at(-1)?.rowCount ?? 0) + 1} of an array`,
    limits,
  });
  const split = (text: string, isEnd: boolean) => ({ rows: [], consumedLength: walk(text, isEnd) });
  for await (const _ of splitStream(texts, split, limits.maxRowLength, place)) {
    // The walk itself fills the list.
  }
  return choose(arrays.filter(({ isTable }) => isTable));
}

function choose(tables: readonly RowsCandidate[]): DetectedRowsPath {
  const filled = tables.filter(({ rowCount }) => rowCount > 0);
  const [first, ...rest] = filled.length === 0 && tables.length === 1 ? tables : filled;
  if (first === undefined) throw noTable();
  const longest = rest.reduce((best, other) => (other.rowCount > best.rowCount ? other : best), first);
  const others = filled.filter((table) => table !== longest);
  const plain = ({ path, rowCount }: RowsCandidate): RowsCandidate => ({ path, rowCount });
  return { ...plain(longest), others: others.map(plain) };
}

function noTable(): CheckError {
  return new CheckError(
    'malformed_body',
    'The document has no array of objects to take rows from. If its one object is a row, have it written on one line, and set the format to jsonl.',
  );
}
