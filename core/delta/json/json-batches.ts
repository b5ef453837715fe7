// Texts of JSON objects to batches of rows, small enough to be held in memory whatever the objects lack.
import { createJsonColumns } from './json-columns.ts';
import type { JsonPlace } from './json-fault.ts';
import type { Batch, Cell, RowLimits } from '../model.ts';
import type { Warnings } from '../warnings.ts';

export interface JsonRow extends JsonPlace {
  text: string;
}

/** Rows times columns: a row of two characters can be one of a thousand columns, so a chunk could be gigabytes. */
const MAX_BATCH_CELLS = 100_000;

/**
 * Makes the batches of one body, chunk after chunk.
 * @throws CheckError malformed_body, body_truncated, invalid_character and the limits, with the row's place
 */
export function createJsonBatches(
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
