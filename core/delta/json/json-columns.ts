// Turns JSON objects into rows. Members of nested objects become dot paths; the columns are all paths of all rows.
import { CheckError } from '../../errors.ts';
import { type JsonLocation, toCheckError } from './json-fault.ts';
import { type JsonLayout, layoutOf } from './json-layout.ts';
import type { Cell, RowLimits } from '../model.ts';
import { decodeString, JsonScanError, scanJson, type JsonMembers } from './scan-json.ts';
import { shorten, type Warnings } from '../warnings.ts';

export interface JsonColumns {
  /** Paths in the order of their first occurrence. Grows with the rows. */
  readonly columns: string[];
  /**
   * @throws CheckError malformed_body, body_truncated (only if the location is open), invalid_character and the limits
   */
  toCells: (text: string, location: JsonLocation) => Cell[];
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

  let known: KnownLayout | undefined;
  /** Rows without the known layout, minus those with it. A high count means that the rows share no layout. */
  let misses = 0;

  const learn = (text: string): void => {
    // Tries again now and then, because the rest of the body may share a layout.
    if (++misses > MANY_MISSES && misses % MANY_MISSES !== 0) return;
    const layout = layoutOf(text);
    if (layout !== undefined) known = { layout, indexes: layout.paths.map(indexOf) };
  };

  const readMembers = (text: string, location: JsonLocation): Cell[] => {
    const { members, duplicates } = readObject(text, location, limits.maxDepth);
    const paths = flatten(members, duplicates, limits, location.name);
    for (const name of duplicates) warnings.add('duplicate_member', `${location.name}, member ${name}`);
    const cells: Cell[] = columns.map(() => undefined);
    for (const [path, token] of paths) {
      if (isTooLong(token, limits)) {
        throw new CheckError('row_too_large', `It is ${location.name}, column “${shorten(path)}”.`);
      }
      cells[indexOf(path)] = token;
    }
    if (duplicates.length === 0) learn(text);
    return cells;
  };

  return {
    columns,
    toCells(text, location) {
      if (text.length > limits.maxRowLength) throw new CheckError('row_too_large', `It is ${location.name}.`);
      const cells = known && readByLayout(known, columns.length, text, limits);
      if (cells === undefined) return readMembers(text, location);
      misses = Math.max(0, misses - 1);
      return cells;
    },
  };
}

interface KnownLayout {
  layout: JsonLayout;
  /** The columns of the values. */
  indexes: readonly number[];
}

/** Learning a layout for every row costs more than it saves when all rows differ. */
const MANY_MISSES = 100;

/** @returns undefined when the row must be read in full, also to report an error */
function readByLayout(
  { layout, indexes }: KnownLayout,
  columnCount: number,
  text: string,
  limits: RowLimits,
): Cell[] | undefined {
  const values = layout.valuesOf(text);
  if (values === undefined || values.some((token) => isTooLong(token, limits))) return undefined;
  if (indexes.every((column, index) => column === index)) return values;
  const cells: Cell[] = Array.from({ length: columnCount });
  for (const [index, value] of values.entries()) cells[indexes[index] ?? 0] = value;
  return cells;
}

/** Quotes and escapes do not count: a text is as long as the same text in a cell of CSV. */
const isTooLong = (token: string, { maxFieldLength }: RowLimits): boolean =>
  token.length > maxFieldLength &&
  (token.startsWith('"') ? decodeString(token) : token).length > maxFieldLength;

function readObject(
  text: string,
  location: JsonLocation,
  maxDepth: number,
): { members: JsonMembers; duplicates: string[] } {
  try {
    const { root, duplicates } = scanJson(text, maxDepth);
    if (typeof root !== 'string') return { members: root, duplicates };
  } catch (error) {
    if (!(error instanceof JsonScanError)) throw error;
    throw toCheckError(error, text, location);
  }
  throw new CheckError('malformed_body', `At ${location.name} there is no JSON object.`);
}

/** An empty object is a value. Of two members with the same path the greater token counts, whatever their order. */
function flatten(
  members: JsonMembers,
  duplicates: string[],
  limits: RowLimits,
  location: string,
): Map<string, string> {
  const paths = new Map<string, string>();
  const visit = (object: JsonMembers, prefix: string): void => {
    for (const [name, node] of object) {
      if (prefix.length + name.length > limits.maxNameLength) {
        throw new CheckError('row_too_large', `A name in ${location} is too long.`);
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
      if (paths.size > limits.maxColumns) throw new CheckError('too_many_columns', `It is ${location}.`);
    }
  };
  visit(members, '');
  return paths;
}
