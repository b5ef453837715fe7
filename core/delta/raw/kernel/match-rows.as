// Matches rows of the body with rows of the previous body that have the same hash, and numbers within their tolerances
// (near-numbers.as). Of the previous body one or two segments of consecutive rows are in memory, in a ring: a row's place in the
// ring is its number here.

import { ENTRY, LENGTH_SHIFT, UNSURE } from './found-rows';
import { isNear, keepReported, markSeen, setReported, slots as numbers } from './near-numbers';

let entries: usize = 0;
let ringRows: u32 = 0;
let segmentRows: u32 = 0;
// A hash table for each segment.
let slots: usize = 0;
let slotCount: u32 = 0;
// For each row: the number of the next row of its segment with the same hash, plus one.
let twins: usize = 0;
// For each row: whether a row of the current body has matched it, or there is none.
let taken: usize = 0;
let expected: u32 = 0;
let takenOfFirst: u32 = 0;
let takenOfSecond: u32 = 0;

/**
 * Sets where a ring of one or two segments is. Each segment must be indexed before a match.
 * @param reportedAt the numbers of its rows (near-numbers.as)
 */
export function layOutRing(
  at: usize, segments: u32, rows: u32, slotsAt: usize, slotsOfSegment: u32, twinsAt: usize, takenAt: usize,
  reportedAt: usize,
): void {
  entries = at;
  ringRows = segments * rows;
  segmentRows = rows;
  slots = slotsAt;
  slotCount = slotsOfSegment;
  twins = twinsAt;
  taken = takenAt;
  expected = 0;
  setReported(reportedAt);
}

/** Builds the table over the entries of a segment, of which there are `count`. Nothing in it is taken. */
export function index(segment: u32, count: u32): void {
  const first = segment * segmentRows;
  memory.fill(slotsOf(segment), 0, <usize>slotCount << 2);
  memory.fill(twins + (<usize>first << 2), 0, <usize>segmentRows << 2);
  memory.fill(taken + first, 0, count);
  memory.fill(taken + first + count, 1, segmentRows - count);
  if (segment == 0) takenOfFirst = 0;
  else takenOfSecond = 0;
  for (let row = first; row < first + count; row++) {
    const entry = entries + <usize>row * ENTRY;
    const slot = slotOf(segment, load<u64>(entry), load<u64>(entry, 8));
    const same = load<u32>(slot);
    if (same == 0) {
      store<u32>(slot, row + 1);
    } else {
      const twin = twins + (<usize>(same - 1) << 2);
      store<u32>(twins + (<usize>row << 2), load<u32>(twin));
      store<u32>(twin, row + 1);
    }
  }
}

/** How many rows of a segment were matched since it was indexed. */
export function takenOf(segment: u32): u32 {
  return segment == 0 ? takenOfFirst : takenOfSecond;
}

// @ts-ignore: decorator
@inline
function slotsOf(segment: u32): usize {
  return slots + <usize>(segment * slotCount) * 4;
}

/** The slot of the rows with this hash, or the free slot for them. */
function slotOf(segment: u32, low: u64, high: u64): usize {
  const first = slotsOf(segment);
  let place = <u32>low & (slotCount - 1);
  while (true) {
    const slot = first + (<usize>place << 2);
    const row = load<u32>(slot);
    if (row == 0) return slot;
    const entry = entries + <usize>(row - 1) * ENTRY;
    if (load<u64>(entry) == low && load<u64>(entry, 8) == high) return slot;
    place = (place + 1) & (slotCount - 1);
  }
}

/**
 * Matches each row of the window with a row of the previous body that has the same hash and near numbers, and uses none twice.
 * Writes of each unmatched row its offset in the window and its length to `unmatched` (4 bytes each), and its place among the
 * window's rows to `rows` (4 bytes). Writes into each entry the row's position and length in the body.
 * @param skipped how many rows at the start get no match
 * @param base position in the body minus offset in the window
 */
export function match(found: usize, count: u32, skipped: u32, base: u64, unmatched: usize, rows: usize): u32 {
  let left: u32 = 0;
  for (let row: u32 = 0; row < count; row++) {
    const entry = found + <usize>row * ENTRY;
    const at = load<u32>(entry, 16);
    const noted = load<u32>(entry, 20);
    const length = noted & ~UNSURE;
    if (row < skipped || noted != length || !take(row, load<u64>(entry), load<u64>(entry, 8))) {
      store<u32>(unmatched + (<usize>left << 3), at);
      store<u32>(unmatched + (<usize>left << 3), length, 4);
      store<u32>(rows + (<usize>left << 2), row);
      if (numbers != 0) markSeen(row);
      left++;
    }
    store<u64>(entry, (base + at) | (<u64>length << LENGTH_SHIFT), 16);
  }
  return left;
}

/** @param row in the window */
function take(row: u32, low: u64, high: u64): bool {
  if (ringRows == 0) return false;
  const segment: u32 = expected < segmentRows ? 0 : 1;
  // Most rows come in the same order as before, so the next row is tried first, which reads memory in order.
  if (isFree(expected) && has(expected, low, high) && (numbers == 0 || isNear(row, expected))) {
    markTaken(row, segment, expected);
    return true;
  }
  return takeFrom(row, segment, low, high) || (ringRows > segmentRows && takeFrom(row, 1 - segment, low, high));
}

function takeFrom(row: u32, segment: u32, low: u64, high: u64): bool {
  const first = load<u32>(slotOf(segment, low, high));
  if (first == 0) return false;
  let same = first - 1;
  const twin = twins + (<usize>same << 2);
  while (!isFree(same)) {
    const next = load<u32>(twin);
    if (next == 0) return false;
    same = next - 1;
    store<u32>(twin, load<u32>(twins + (<usize>same << 2)));
  }
  // Rows with such numbers have a key, so no other row has the same hash.
  if (numbers != 0 && !isNear(row, same)) return false;
  markTaken(row, segment, same);
  return true;
}

// @ts-ignore: decorator
@inline
function markTaken(row: u32, segment: u32, same: u32): void {
  if (numbers != 0) keepReported(row, same);
  store<u8>(taken + same, 1);
  if (segment == 0) takenOfFirst++;
  else takenOfSecond++;
  expected = same + 1 == ringRows ? 0 : same + 1;
}

// @ts-ignore: decorator
@inline
function isFree(row: u32): bool {
  return load<u8>(taken + row) == 0;
}

// @ts-ignore: decorator
@inline
function has(row: u32, low: u64, high: u64): bool {
  const entry = entries + <usize>row * ENTRY;
  return load<u64>(entry) == low && load<u64>(entry, 8) == high;
}
