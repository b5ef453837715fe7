// Collects the columns, the number of rows and the uniqueness of keys in one pass over all rows.
import type { Batch } from '../model.ts';
import type { BodyScan, ScannedRows } from './body-scan.ts';
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

interface KeysRead {
  hasKey: HasKey;
  /** The rows, if a scan has read them. */
  scanned?: ScannedRows;
}

/**
 * Reads all keys.
 * @param scan reads them faster, where it can
 * @returns undefined when a key field is missing, or a key is incomplete or repeats
 */
export async function surveyKeys(
  batches: AsyncIterable<Batch>,
  keyFields: readonly string[],
  scan?: BodyScan,
): Promise<KeysRead | undefined> {
  const seen = createFingerprintTable();
  let columnCount = -1;
  let keyIndexes: number[] = [];
  for await (const { columns, rows } of batches) {
    const found = columnCount === -1 ? await scan?.surveyKeys(columns, keyFields) : undefined;
    if (found !== undefined) return found === 'unfit' ? undefined : found;
    if (columns.length !== columnCount) keyIndexes = keyFields.map((field) => columns.indexOf(field));
    columnCount = columns.length;
    if (rows.length > 0 && keyIndexes.includes(-1)) return undefined;
    for (const cells of rows) {
      const texts = keyIndexes.map((at) => cellText(cells[at]));
      if (texts.includes('') || seen.add(rowKey(texts)) > 1) return undefined;
    }
  }
  return { hasKey: (key) => seen.has(key) };
}
