// Matches rows of the body with rows of the previous body that have the same hash.

import { ENTRY, LENGTH_SHIFT, UNSURE } from './found-rows';

// Rows of the previous body, and the hash table to find them.
let entries: usize = 0;
let entryCount: u32 = 0;
let slots: usize = 0;
let slotMask: u32 = 0;
// For each row: the number of the next row with the same hash, plus one.
let twins: usize = 0;
// For each row: whether a row of the current body has matched it.
let taken: usize = 0;
let expected: u32 = 0;

/** Builds the table over entries in memory. Slots, twins and taken must be zero. */
export function index(at: usize, count: u32, slotsAt: usize, slotCount: u32, twinsAt: usize, takenAt: usize): void {
  entries = at;
  entryCount = count;
  slots = slotsAt;
  slotMask = slotCount - 1;
  twins = twinsAt;
  taken = takenAt;
  expected = 0;
  for (let row: u32 = 0; row < count; row++) {
    const entry = at + <usize>row * ENTRY;
    const slot = slotOf(load<u64>(entry), load<u64>(entry, 8));
    const first = load<u32>(slot);
    if (first == 0) {
      store<u32>(slot, row + 1);
    } else {
      const twin = twins + (<usize>(first - 1) << 2);
      store<u32>(twins + (<usize>row << 2), load<u32>(twin));
      store<u32>(twin, row + 1);
    }
  }
}

/** The slot of the rows with this hash, or the free slot for them. */
function slotOf(low: u64, high: u64): usize {
  let place = <u32>low & slotMask;
  while (true) {
    const slot = slots + (<usize>place << 2);
    const row = load<u32>(slot);
    if (row == 0) return slot;
    const entry = entries + <usize>(row - 1) * ENTRY;
    if (load<u64>(entry) == low && load<u64>(entry, 8) == high) return slot;
    place = (place + 1) & slotMask;
  }
}

/**
 * Matches each row of the window with a row of the previous body that has the same bytes, and uses none twice. Writes the
 * positions of unmatched rows to `unmatched` (8 bytes each), and into each entry the row's position and length in the body.
 * @param skipped how many rows at the start get no match
 * @param base position in the body minus offset in the window
 */
export function match(found: usize, count: u32, skipped: u32, base: u64, unmatched: usize): u32 {
  let left: u32 = 0;
  for (let row: u32 = 0; row < count; row++) {
    const entry = found + <usize>row * ENTRY;
    const at = load<u32>(entry, 16);
    const noted = load<u32>(entry, 20);
    const length = noted & ~UNSURE;
    if (row < skipped || noted != length || !take(load<u64>(entry), load<u64>(entry, 8))) {
      store<u32>(unmatched + (<usize>left << 3), at);
      store<u32>(unmatched + (<usize>left << 3), length, 4);
      left++;
    }
    store<u64>(entry, (base + at) | (<u64>length << LENGTH_SHIFT), 16);
  }
  return left;
}

function take(low: u64, high: u64): bool {
  // Most rows come in the same order as before, so the next row is tried first, which reads memory in order.
  if (expected < entryCount && isFree(expected) && has(expected, low, high)) {
    store<u8>(taken + expected, 1);
    expected++;
    return true;
  }
  if (entryCount == 0) return false;
  const first = load<u32>(slotOf(low, high));
  if (first == 0) return false;
  let row = first - 1;
  const twin = twins + (<usize>row << 2);
  while (!isFree(row)) {
    const next = load<u32>(twin);
    if (next == 0) return false;
    row = next - 1;
    store<u32>(twin, load<u32>(twins + (<usize>row << 2)));
  }
  store<u8>(taken + row, 1);
  expected = row + 1;
  return true;
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
