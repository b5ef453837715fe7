// The inner loop over the bytes of a body, in AssemblyScript: finds rows, hashes them, and looks each up among the
// rows of the body before. What it must do is said in readable TypeScript in test/core/delta/raw/reference.ts, and
// tests hold it to that. Compiled into kernel-wasm.ts by `npm run kernel`; a test holds the two together.
//
// All state is in one linear memory, laid out by row-matcher.ts, which passes the places in. Nothing is allocated.

const QUOTE: u8 = 0x22;
const LF: u8 = 0x0a;
const CR: u8 = 0x0d;

// A row's entry: its hash, then where it begins in the body. In `found`, the window's rows, the second half of the
// place is the row's length and the first its offset in the window.
const ENTRY: usize = 24;

let k0: u64 = 0;
let k1: u64 = 0;
// -1 for lines.
let delimiter: i32 = -1;

// Where the row begins that scan is in.
let rowStart: usize = 0;

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

export function configure(key0: u64, key1: u64, delimiterByte: i32): void {
  k0 = key0;
  k1 = key1;
  delimiter = delimiterByte;
}

/** Where to go on: at the row that was not complete, or did not fit. */
export function unfinishedAt(): usize {
  return rowStart;
}

/**
 * Finds complete rows from a row's start on and writes an entry for each, up to `capacity` of them; goes on at
 * unfinishedAt(). At the end of the body the last row is complete unless a quote is open in it.
 * At least 16 bytes after `end` must be readable.
 */
export function scan(start: usize, end: usize, isEnd: bool, found: usize, capacity: u32): u32 {
  return delimiter < 0
    ? scanLines(start, end, isEnd, found, capacity)
    : scanDelimited(start, end, isEnd, found, capacity);
}

function scanLines(start: usize, end: usize, isEnd: bool, found: usize, capacity: u32): u32 {
  const lf = i8x16.splat(LF);
  let count: u32 = 0;
  rowStart = start;
  for (let block = start; block < end; block += 16) {
    let events: u32 = i8x16.bitmask(i8x16.eq(v128.load(block), lf));
    if (end - block < 16) events &= (1 << <u32>(end - block)) - 1;
    while (events != 0) {
      if (count == capacity) return count;
      const at = block + ctz(events);
      events &= events - 1;
      count += emitLine(at, found, count);
      rowStart = at + 1;
    }
  }
  if (isEnd && rowStart < end) {
    if (count == capacity) return count;
    count += emitLine(end, found, count);
    rowStart = end;
  }
  return count;
}

// A line without its carriage return; blank ones are no rows.
// @ts-ignore: decorator
@inline
function emitLine(end: usize, found: usize, count: u32): u32 {
  let last = end;
  if (last > rowStart && load<u8>(last - 1) == CR) last--;
  let first = rowStart;
  while (first < last && isBlank(load<u8>(first))) first++;
  if (first == last) return 0;
  emit(rowStart, last, found, count);
  return 1;
}

// @ts-ignore: decorator
@inline
function isBlank(byte: u8): bool {
  return byte == 0x20 || (byte >= 0x09 && byte <= 0x0d);
}

function scanDelimited(start: usize, end: usize, isEnd: bool, found: usize, capacity: u32): u32 {
  const quotes = i8x16.splat(QUOTE);
  const lf = i8x16.splat(LF);
  const cr = i8x16.splat(CR);
  let count: u32 = 0;
  // The second quote of a pair, which means nothing by itself.
  let skipped: usize = 0;
  let quoted = false;
  rowStart = start;
  for (let block = start; block < end; block += 16) {
    const bytes = v128.load(block);
    const marks = v128.or(i8x16.eq(bytes, quotes), v128.or(i8x16.eq(bytes, lf), i8x16.eq(bytes, cr)));
    let events: u32 = i8x16.bitmask(marks);
    if (end - block < 16) events &= (1 << <u32>(end - block)) - 1;
    while (events != 0) {
      const at = block + ctz(events);
      events &= events - 1;
      if (load<u8>(at) == QUOTE) {
        if (at == skipped) continue;
        if (!quoted) {
          // Elsewhere in a field a quote is an ordinary character.
          quoted = at == rowStart || <i32>load<u8>(at - 1) == delimiter;
        } else if (at + 1 < end && load<u8>(at + 1) == QUOTE) {
          skipped = at + 1;
        } else {
          quoted = false;
        }
      } else if (!quoted) {
        if (at > rowStart) {
          if (count == capacity) return count;
          emit(rowStart, at, found, count++);
        }
        rowStart = at + 1;
      }
    }
  }
  if (isEnd && !quoted && rowStart < end) {
    if (count == capacity) return count;
    emit(rowStart, end, found, count++);
    rowStart = end;
  }
  return count;
}

// @ts-ignore: decorator
@inline
function emit(from: usize, to: usize, found: usize, count: u32): void {
  const entry = found + <usize>count * ENTRY;
  hash(from, to - from, entry);
  store<u32>(entry, <u32>from, 16);
  store<u32>(entry, <u32>(to - from), 20);
}

// SipHash-1-3 with 128 bits of output: keyed, so that nobody who does not know the key can make two rows collide.
function hash(from: usize, length: usize, to: usize): void {
  let v0: u64 = k0 ^ 0x736f6d6570736575;
  let v1: u64 = k1 ^ 0x646f72616e646f6d ^ 0xee;
  let v2: u64 = k0 ^ 0x6c7967656e657261;
  let v3: u64 = k1 ^ 0x7465646279746573;
  const wordsEnd = from + (length & ~7);
  let at = from;
  let word: u64 = 0;
  let isLast = false;
  while (!isLast) {
    if (at < wordsEnd) {
      word = load<u64>(at);
      at += 8;
    } else {
      // The bytes behind the row are readable, and shifted out.
      const unused: u64 = 64 - 8 * <u64>(length & 7);
      word = (unused == 64 ? 0 : (load<u64>(at) << unused) >> unused) | (<u64>length << 56);
      isLast = true;
    }
    v3 ^= word;
    v0 += v1; v1 = rotl(v1, 13); v1 ^= v0; v0 = rotl(v0, 32);
    v2 += v3; v3 = rotl(v3, 16); v3 ^= v2;
    v0 += v3; v3 = rotl(v3, 21); v3 ^= v0;
    v2 += v1; v1 = rotl(v1, 17); v1 ^= v2; v2 = rotl(v2, 32);
    v0 ^= word;
  }
  v2 ^= 0xee;
  for (let round = 0; round < 6; round++) {
    if (round == 3) {
      store<u64>(to, v0 ^ v1 ^ v2 ^ v3);
      v1 ^= 0xdd;
    }
    v0 += v1; v1 = rotl(v1, 13); v1 ^= v0; v0 = rotl(v0, 32);
    v2 += v3; v3 = rotl(v3, 16); v3 ^= v2;
    v0 += v3; v3 = rotl(v3, 21); v3 ^= v0;
    v2 += v1; v1 = rotl(v1, 17); v1 ^= v2; v2 = rotl(v2, 32);
  }
  store<u64>(to, v0 ^ v1 ^ v2 ^ v3, 8);
}

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
 * those that get none to `unmatched` (8 bytes each), and into each entry the row's place in the body.
 * @param skipped so many rows at the beginning get none whatever their bytes
 * @param base what to add to a place in the window
 */
export function match(found: usize, count: u32, skipped: u32, base: u64, unmatched: usize): u32 {
  let left: u32 = 0;
  for (let row: u32 = 0; row < count; row++) {
    const entry = found + <usize>row * ENTRY;
    const place = load<u64>(entry, 16);
    if (row < skipped || !take(load<u64>(entry), load<u64>(entry, 8))) {
      store<u64>(unmatched + (<usize>left << 3), place);
      left++;
    }
    store<u64>(entry, base + (place & 0xffffffff), 16);
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
