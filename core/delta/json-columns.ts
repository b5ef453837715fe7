// JSON objects to rows: nested objects become dot paths, and the columns are the union of all rows' paths.
import { CheckError } from '../errors.ts';
import { type JsonPlace, toCheckError } from './json-fault.ts';
import type { Cell, RowLimits } from './model.ts';
import { JsonScanError, scanJson, type JsonMembers } from './scan-json.ts';
import { shorten, type Warnings } from './warnings.ts';

export interface JsonColumns {
  /** Paths in the order in which they first came; grows with the rows. */
  readonly columns: string[];
  /**
   * @throws CheckError malformed_body, body_truncated (only if the place is open), invalid_character and the limits
   */
  toCells: (text: string, place: JsonPlace) => Cell[];
}

export function createJsonColumns(limits: RowLimits, warnings: Warnings): JsonColumns {
  const columns: string[] = [];
  const indexes = new Map<string, number>();
  let namesLength = 0;

  const indexOf = (path: string): number => {
    const known = indexes.get(path);
    if (known !== undefined) return known;
    if (columns.length === limits.maxColumns) throw new CheckError('too_many_columns');
    namesLength += path.length;
    if (namesLength > limits.maxNamesLength) {
      throw new CheckError('row_too_large', 'The names of the columns are too long together.');
    }
    indexes.set(path, columns.length);
    return columns.push(path) - 1;
  };

  return {
    columns,
    toCells(text, place) {
      if (text.length > limits.maxRowLength) throw new CheckError('row_too_large', `It is ${place.name}.`);
      const { members, duplicates } = readObject(text, place, limits.maxDepth);
      const paths = flatten(members, duplicates, limits, place.name);
      for (const name of duplicates) warnings.add('duplicate_member', `${place.name}, member ${name}`);
      const cells: Cell[] = columns.map(() => undefined);
      for (const [path, token] of paths) {
        if (token.length > limits.maxFieldLength) {
          throw new CheckError('row_too_large', `It is ${place.name}, column “${shorten(path)}”.`);
        }
        cells[indexOf(path)] = token;
      }
      return cells;
    },
  };
}

function readObject(
  text: string,
  place: JsonPlace,
  maxDepth: number,
): { members: JsonMembers; duplicates: string[] } {
  try {
    const { root, duplicates } = scanJson(text, maxDepth);
    if (typeof root !== 'string') return { members: root, duplicates };
  } catch (error) {
    if (!(error instanceof JsonScanError)) throw error;
    throw toCheckError(error, text, place);
  }
  throw new CheckError('malformed_body', `At ${place.name} there is no JSON object.`);
}

/** An empty object stays a value; of two members with the same path the greater token counts, in any order. */
function flatten(
  members: JsonMembers,
  duplicates: string[],
  limits: RowLimits,
  place: string,
): Map<string, string> {
  const paths = new Map<string, string>();
  const visit = (object: JsonMembers, prefix: string): void => {
    for (const [name, node] of object) {
      if (prefix.length + name.length > limits.maxNameLength) {
        throw new CheckError('row_too_large', `A name in ${place} is too long.`);
      }
      const path = prefix + name;
      if (typeof node !== 'string' && node.size > 0) {
        visit(node, `${path}.`);
        continue;
      }
      const token = typeof node === 'string' ? node : '{}';
      const other = paths.get(path);
      if (other !== undefined) duplicates.push(path);
      paths.set(path, other !== undefined && other > token ? other : token);
      if (paths.size > limits.maxColumns) throw new CheckError('too_many_columns', `It is ${place}.`);
    }
  };
  visit(members, '');
  return paths;
}
