// Reads the rows of a body to store them: by a scan as far as it goes, and the others by parsing them.
import type { BodyScan, WrittenRow } from './body-scan.ts';
import { createFingerprintTable } from './fingerprint-table.ts';
import { cellText, contentKey, type KeyedRow, shortened, type StoredRow } from './keyed-row.ts';
import { CheckError } from '../../errors.ts';
import type { Batch, RowLimits } from '../model.ts';
import { createSeenKeys, type SeenKeys } from './seen-keys.ts';

/** The rows that a scan has read. */
interface Scanned {
  columns: readonly string[];
  rowCount: number;
  areAll: boolean;
}

/**
 * Reads rows up to the first one that must be parsed or repeats a key. None of them has a warning.
 * @param parsed the rows from the start, for the columns
 */
export async function* scannedRows(
  scan: BodyScan | undefined,
  parsed: AsyncIterable<Batch>,
  keyFields: readonly string[],
  { maxRows }: Pick<RowLimits, 'maxRows'>,
): AsyncGenerator<StoredRow[], Scanned, undefined> {
  const columns = scan === undefined ? [] : await findColumns(parsed);
  if (scan === undefined || columns.length === 0) return { columns, rowCount: 0, areAll: false };
  const open = () => scan.writeRows(columns, keyFields);
  const identify = keyFields.length === 0 ? byContent() : byFields(open);
  const source = open();
  let rowCount = 0;
  try {
    for (let next = await source.next(); ; next = await source.next()) {
      if (next.done === true) return { columns, rowCount, areAll: next.value };
      const rows = await identify(next.value, rowCount);
      const end = Math.min(rows.length, maxRows - rowCount);
      rowCount += end;
      if (end > 0) yield rows.slice(0, end);
      if (end < next.value.length) return { columns, rowCount, areAll: false };
    }
  } finally {
    await source.return(false);
  }
}

/** @returns rows with their keys, up to the first one that repeats a key @param before how many rows come before these */
type Identify = (rows: readonly WrittenRow[], before: number) => Promise<StoredRow[]> | StoredRow[];

const stored = ({ digest, data }: WrittenRow, key: string): StoredRow => ({
  key,
  hash: shortened(digest),
  data,
  isRepeat: false,
});

function byContent(): Identify {
  const contents = createFingerprintTable();
  return (rows) => rows.map((row) => stored(row, contentKey(row.digest, contents.add(row.digest))));
}

function byFields(open: () => ReturnType<BodyScan['writeRows']>): Identify {
  const seen = createSeenKeys();
  return async (rows, before) => {
    if (seen.needsEarlier(() => keysOf(rows))) await rememberKeys(open(), before, seen);
    const identified: StoredRow[] = [];
    for (const row of rows) {
      const { key = '' } = row;
      if (seen.add(key)) break;
      identified.push(stored(row, key));
    }
    return identified;
  };
}

const keysOf = (rows: readonly WrittenRow[]): string[] => rows.map(({ key = '' }) => key);

/** None for a body whose first rows are at fault, or are blank: it may be no table at all. */
async function findColumns(batches: AsyncIterable<Batch>): Promise<readonly string[]> {
  try {
    for await (const { columns, rows } of batches) {
      const isBlank = rows.every((cells) => cells.every((cell) => cellText(cell).trim() === ''));
      if (rows.length > 0) return isBlank ? [] : [...columns];
    }
  } catch (error) {
    if (!(error instanceof CheckError)) throw error;
  }
  return [];
}

/** Reads the first rows again, for their keys. */
async function rememberKeys(
  batches: AsyncIterable<readonly WrittenRow[]>,
  rowCount: number,
  seen: SeenKeys,
): Promise<void> {
  let left = rowCount;
  seen.remember([]);
  for await (const rows of batches) {
    seen.remember(keysOf(rows.slice(0, left)));
    left -= rows.length;
    if (left <= 0) return;
  }
  if (left > 0) throw new Error('The body has changed while it was read');
}

/** The rows after the first ones. */
export async function* skipRows(
  batches: AsyncIterable<KeyedRow[]>,
  skipped: number,
): AsyncGenerator<KeyedRow[], void, undefined> {
  let left = skipped;
  for await (const rows of batches) {
    const rest = rows.slice(left);
    left = Math.max(0, left - rows.length);
    if (rest.length > 0) yield rest;
  }
}
