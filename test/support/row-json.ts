// A row's data as JSON object text, made from its columns and cells.
import { memberName, writeMembers } from '../../core/delta/json/row-json.ts';
import type { Cell } from '../../core/delta/model.ts';

/** Members in column order; a missing cell is left out. */
export const rowToJson = (columns: readonly string[], cells: readonly Cell[]): string =>
  writeMembers(columns.map(memberName), [...columns.keys()], cells);
