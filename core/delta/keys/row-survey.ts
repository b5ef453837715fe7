// Collects the columns, the number of rows and the uniqueness of keys in one pass over all rows.
import type { Batch } from '../model.ts';
import { createFingerprintTable } from './fingerprint-table.ts';
import type { HasKey } from './detect-key.ts';
import { cellText, rowKey } from './keyed-row.ts';

/** Of the batches that were read so far. */
export interface Overview {
  columns: readonly string[];
  rowCount: number;
}

/** Passes batches on and counts what they have. */
export async function* overviewed(
  batches: AsyncIterable<Batch>,
  overview: Overview,
): AsyncGenerator<Batch, void, undefined> {
  for await (const batch of batches) {
    overview.columns = batch.columns;
    overview.rowCount += batch.rows.length;
    yield batch;
  }
}

/** Reads all keys. @returns undefined when a key field is missing, or a key is incomplete or repeats */
export async function readKeys(
  batches: AsyncIterable<Batch>,
  keyFields: readonly string[],
): Promise<HasKey | undefined> {
  const seen = createFingerprintTable();
  let columnCount = -1;
  let places: number[] = [];
  for await (const { columns, rows } of batches) {
    if (columns.length !== columnCount) places = keyFields.map((field) => columns.indexOf(field));
    columnCount = columns.length;
    if (rows.length > 0 && places.includes(-1)) return undefined;
    for (const cells of rows) {
      const texts = places.map((at) => cellText(cells[at]));
      if (texts.includes('') || seen.add(rowKey(texts)) > 1) return undefined;
    }
  }
  return (key) => seen.has(key);
}
