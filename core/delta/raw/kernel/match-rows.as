// Pairs off rows of the body with rows of the body before that have the same hash.

import { ENTRY, LENGTH_SHIFT, UNSURE } from './found-rows';

// Rows of the body before, and the table that finds them by hash.
let entries: usize = 0;
let entryCount: u32 = 0;
let slots: usize = 0;
let slotMask: u32 = 0;
// Per row: the next one with the same hash, by number plus one.
let twins: usize = 0;
// Per row: whether a row of the new body has taken it.
let taken: usize = 0;
let expected: u32 = 0;

/** Builds the table over entries that stand in memory. Slots, twins and taken must be zero. */
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

/** The slot of the rows with this hash, or the free one where they would belong. */
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
 * Gives each of the window's rows a row of the body before that has the same bytes, none twice. Writes the places of
 * those that get none to `unmatched` (8 bytes each), and into each entry the row's place and length in the body.
 * @param skipped so many rows at the beginning get none whatever their bytes
 * @param base what to add to a place in the window
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
  // Most rows come in the order in which they came before; then memory is read in order too.
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
