// Runs the kernel over whole bodies: what its tests share.
import { type ReadAt, readChunks } from '../../../../core/delta/raw/read-at.ts';
import { createKeptNumbers, createReportedNumbers } from '../../../../core/delta/raw/reported-numbers.ts';
import { readDecoded, type RowBytes } from '../../../../core/delta/raw/row-bytes.ts';
import { type ByteRange, ENTRY_BYTES, rangeOf } from '../../../../core/delta/raw/row-index.ts';
import { createRowMatcher, type RowMatcher } from '../../../../core/delta/raw/row-matcher.ts';
import { cut } from '../read-body.ts';

export interface Sizes {
  chunkBytes: number;
  windowBytes: number;
  capacity: number;
  segmentRows: number;
}

export interface MatchedRows {
  hashes: string[];
  ranges: ByteRange[];
  entries: Buffer;
  /** As after a commit that kept no values. */
  numbers: Buffer;
  /** The rows without a match, each behind a separator; a character for each byte. */
  unmatched: string;
  unmatchedCount: number;
  head: Uint8Array | undefined;
  tail: Uint8Array;
}

/** Secret in no test. */
export const SEED = Buffer.from('000102030405060708090a0b0c0d0e0f', 'hex');

export const createMatcher = (
  bytes: Partial<RowBytes>,
  { windowBytes = 64 * 1024, capacity = 4096, segmentRows }: Partial<Sizes> = {},
): RowMatcher =>
  createRowMatcher(
    {
      split: 'lines',
      quoting: 'double',
      charset: 'utf-8',
      decodedFrom: undefined,
      rowsPath: '',
      headerRow: 1,
      ignored: [],
      rules: new Map(),
      tolerant: [],
      ...bytes,
    },
    { windowBytes, capacity, segmentRows },
  );

/** @throws NeedsExactPath */
export async function findRows(
  matcher: RowMatcher,
  body: Uint8Array,
  chunkBytes = Infinity,
  skipped = 0,
): Promise<MatchedRows> {
  const parts: Buffer[] = [];
  const reported = createReportedNumbers(matcher.bytes.tolerant);
  let [unmatched, unmatchedCount] = ['', 0];
  const read = readBytes(body, matcher.bytes, chunkBytes);
  for await (const window of matcher.windows(read, SEED, skipped)) {
    parts.push(Buffer.from(window.entries));
    reported.add(window.numbers, window.unmatchedRows);
    unmatched += window.unmatched().toString('latin1');
    unmatchedCount += window.unmatchedCount;
  }
  const entries = Buffer.concat(parts);
  const numbers = [...Array(entries.length / ENTRY_BYTES).keys()];
  return {
    hashes: numbers.map((row) => entries.toString('hex', row * ENTRY_BYTES, row * ENTRY_BYTES + 16)),
    ranges: numbers.map((row) => rangeOf(entries, row)),
    entries,
    numbers: Buffer.concat(reported.end(createKeptNumbers([]))),
    unmatched,
    unmatchedCount,
    head: matcher.head(),
    tail: matcher.tail(),
  };
}

export function readBytes(body: Uint8Array, bytes: RowBytes, chunkBytes = Infinity): ReadAt {
  const chunks = cut(body, chunkBytes);
  return bytes.decodedFrom === undefined ? readChunks(chunks) : readDecoded(chunks, bytes);
}

/** Gives a matcher the rows before: what is left of them has no match. */
export async function setBefore(
  matcher: RowMatcher,
  entries: Uint8Array,
  chunkBytes = Infinity,
  isWhole?: boolean,
): Promise<void> {
  await matcher.before.begin(readChunks(cut(entries, chunkBytes)), entries.length / ENTRY_BYTES, isWhole);
}
