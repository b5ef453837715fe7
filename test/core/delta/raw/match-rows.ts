// Runs the kernel over whole bodies: what its tests share.
import { createRowMatcher, type RowMatcher } from '../../../../core/delta/raw/row-matcher.ts';
import { ENTRY_BYTES, placeOf } from '../../../../core/delta/raw/row-entry.ts';
import { cut } from '../read-body.ts';

export interface Sizes {
  chunkBytes: number;
  windowBytes: number;
  capacity: number;
}

export interface FoundRows {
  hashes: string[];
  starts: number[];
  entries: Buffer;
  /** Texts of the rows without a match. */
  unmatched: Buffer[];
  header: Uint8Array | undefined;
}

/** Secret in no test. */
export const SEED = Buffer.from('000102030405060708090a0b0c0d0e0f', 'hex');

export const createMatcher = (
  delimiter: number | null,
  { windowBytes, capacity }: Partial<Sizes> = {},
): RowMatcher => createRowMatcher(delimiter, windowBytes ?? 64 * 1024, capacity ?? 4096);

/** @throws NeedsExactPath */
export async function findRows(
  matcher: RowMatcher,
  body: Uint8Array,
  chunkBytes = Infinity,
  skipped = 0,
): Promise<FoundRows> {
  const [parts, unmatched]: [Buffer[], Buffer[]] = [[], []];
  for await (const window of matcher.windows(cut(body, chunkBytes), SEED, skipped)) {
    parts.push(Buffer.from(window.entries));
    unmatched.push(...window.unmatched().map((row) => Buffer.from(row)));
  }
  const entries = Buffer.concat(parts);
  const numbers = [...Array(entries.length / ENTRY_BYTES).keys()];
  return {
    hashes: numbers.map((row) => entries.toString('hex', row * ENTRY_BYTES, row * ENTRY_BYTES + 16)),
    starts: numbers.map((row) => placeOf(entries, row)),
    entries,
    unmatched,
    header: matcher.header(),
  };
}
