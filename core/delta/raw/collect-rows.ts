// Splits a whole body into rows by bytes, and keeps their entries in memory.
import { randomBytes } from 'node:crypto';
import type { RowsIndex } from '../keys/body-scan.ts';
import { headerHash } from './compare-bytes.ts';
import type { ReadAt } from './read-at.ts';
import type { RowEntries, RowMatcher } from './row-matcher.ts';

const SEED_BYTES = 16;

/** Nobody can make hashes collide that are made with it. */
export const newSeed = (): Uint8Array => randomBytes(SEED_BYTES);

/**
 * @param matcher without a previous body @param look is called with all rows, in order
 * @throws NeedsExactPath, CheckError: the body cannot be split
 */
export async function collectRows(
  matcher: RowMatcher,
  read: ReadAt,
  look?: (rows: RowEntries) => void,
): Promise<RowsIndex> {
  const seed = newSeed();
  const parts: Buffer[] = [];
  let rowCount = 0;
  for await (const window of matcher.windows(read, seed, 0, look)) {
    parts.push(Buffer.from(window.entries));
    rowCount += window.count;
  }
  return {
    rowCount,
    entries: Buffer.concat(parts),
    seed: Buffer.from(seed).toString('hex'),
    headerSha256: headerHash(matcher),
  };
}
