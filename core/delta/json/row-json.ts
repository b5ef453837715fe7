// A row's data as JSON object text: how rows are stored, shown and compared field by field.
import type { Cell } from '../model.ts';
import { decodeString, scanJson, tokenOf } from './scan-json.ts';

/** A member's name as it stands in an object text, with its colon. */
export function memberName(column: string): string {
  return `${JSON.stringify(column)}:`;
}

/**
 * Object text of some cells.
 * @param names as memberName makes them, by column
 * @param order the columns to write, by number, in the order to write them
 */
export function writeMembers(
  names: readonly string[],
  order: readonly number[],
  cells: readonly Cell[],
): string {
  let text = '';
  for (const index of order) {
    const cell = cells[index];
    if (cell !== undefined) text += `${text === '' ? '{' : ','}${names[index] ?? ''}${cell}`;
  }
  return text === '' ? '{}' : `${text}}`;
}

/** The columns and tokens of a row's data, in its order: the inverse of writeMembers. */
export function splitRowJson(data: string): [column: string, token: string][] {
  const { root } = scanJson(data, Infinity);
  if (typeof root === 'string') throw new Error('Row data must be a JSON object');
  return [...root].map(([column, node]) => [column, tokenOf(node)]);
}

/** Columns whose values differ or that only one side has: in the order of `after`, then of `before`. */
export function changedFields(before: string, after: string): string[] {
  const old = new Map(splitRowJson(before));
  const changed: string[] = [];
  for (const [column, token] of splitRowJson(after)) {
    if (old.get(column) !== token) changed.push(column);
    old.delete(column);
  }
  return [...changed, ...old.keys()];
}

/** A cell as plain text, as it stands in a key or a CSV file: a string's characters, else the token itself. */
export function cellText(cell: Cell): string {
  if (cell === undefined || cell === 'null') return '';
  return cell.startsWith('"') ? decodeString(cell) : cell;
}
