// Numbers in columns with a tolerance. The hash of a row leaves them out; beside each row's entry are the numbers that were
// reported last, in the order in which the row has them. A row matches only if each of its numbers is surely within the tolerance
// of the reported one. All arithmetic is exact: what does not fit makes the row be read.
//
// A number takes 8 bytes: whether it was only seen (1 bit), its column from 1 (3 bits), its exponent plus 32 (6 bits), and the
// digits, up to 15, as a signed number. 0: there is none. core/delta/raw/tolerant-columns.ts writes them, too.

const MAX_DIGITS: usize = 15;
const MIN_EXPONENT: i32 = -32;
const MAX_EXPONENT: i32 = 31;
const SEEN: u64 = 1;
const COLUMN: u64 = 7 << 1;
// The most that a product may be.
const LIMIT: u64 = 1_000_000_000_000_000_000;
const TOO_MUCH: u64 = u64.MAX_VALUE;

/** How many numbers a row may have. */
export let slots: u32 = 0;
let found: usize = 0;
let before: usize = 0;
// For each column, in 16 bytes: the digits of its tolerance, the exponent, and whether it is per cent.
let tolerances: usize = 0;
// Of the row that is being written.
let next: usize = 0;
let end: usize = 0;

/** @param foundAt room for the numbers of a window's rows @param count of columns with a tolerance */
export function setTolerances(at: usize, count: u32, foundAt: usize): void {
  tolerances = at;
  slots = count;
  found = foundAt;
}

/** @param at numbers of the rows of the ring, as match-rows.as numbers them */
export function setReported(at: usize): void {
  before = at;
}

// @ts-ignore: decorator
@inline
function ofRow(at: usize, row: u32): usize {
  return at + (<usize>row * slots << 3);
}

export function beginRow(row: u32): void {
  next = ofRow(found, row);
  end = next + (<usize>slots << 3);
  memory.fill(next, 0, end - next);
}

/**
 * Notes a number of the row.
 * @param form the number as plain-number.as writes it, up to `to` @param column from 1
 * @returns false if it does not fit
 */
export function noteNumber(form: usize, to: usize, column: u8): bool {
  const digits = form + 5;
  if (next == end || to - digits > MAX_DIGITS) return false;
  let exponent: i32 = 0;
  for (let n = 0; n < 4; n++) exponent |= <i32>(load<u8>(form + 1 + n) - 0x61) << (4 * n);
  exponent = <i32>(<i16>exponent);
  if (exponent < MIN_EXPONENT || exponent > MAX_EXPONENT) return false;
  let size: i64 = 0;
  for (let at = digits; at < to; at++) size = size * 10 + <i64>(load<u8>(at) - 0x30);
  if (load<u8>(form) == 0x2d) size = -size;
  store<i64>(next, (size << 10) | (<i64>(exponent - MIN_EXPONENT) << 4) | (<i64>column << 1));
  next += 8;
  return true;
}

/** Whether the numbers of a row in the window are surely within the tolerances of those of a row in the ring. */
export function isNear(row: u32, rowBefore: u32): bool {
  const now = ofRow(found, row);
  const reported = ofRow(before, rowBefore);
  for (let slot: u32 = 0; slot < slots; slot++) {
    if (!isWithin(load<u64>(reported + (<usize>slot << 3)), load<u64>(now + (<usize>slot << 3)))) return false;
  }
  return true;
}

/** Keeps the reported numbers for a row that matched. */
export function keepReported(row: u32, rowBefore: u32): void {
  memory.copy(ofRow(found, row), ofRow(before, rowBefore), <usize>slots << 3);
}

/** Nobody knows yet whether the numbers of a row without a match are reported. */
export function markSeen(row: u32): void {
  const at = ofRow(found, row);
  for (let slot: u32 = 0; slot < slots; slot++) {
    const number = at + (<usize>slot << 3);
    if (load<u64>(number) != 0) store<u64>(number, load<u64>(number) | SEEN);
  }
}

function isWithin(reported: u64, now: u64): bool {
  // An equal number is the same, also if it was only seen.
  if ((reported & ~SEEN) == now) return true;
  if ((reported & SEEN) != 0 || reported == 0 || now == 0 || (reported & COLUMN) != (now & COLUMN)) return false;
  const tolerance = tolerances + ((<usize>((reported & COLUMN) >> 1) - 1) << 4);
  const wasExponent = exponentOf(reported);
  const isExponent = exponentOf(now);
  const exponent = min(wasExponent, isExponent);
  const was = scaled(sizeOf(reported), wasExponent - exponent);
  const is = scaled(sizeOf(now), isExponent - exponent);
  if (was == TOO_MUCH || is == TOO_MUCH) return false;
  // Both are at most 10^18, so their sum is no overflow.
  const sameSign = (<i64>reported < 0) == (<i64>now < 0);
  const distance = sameSign ? max(was, is) - min(was, is) : was + is;
  const size = <u64>load<i64>(tolerance);
  const unit = load<i32>(tolerance, 8);
  if (load<i32>(tolerance, 12) == 0) return isAtMost(distance, exponent, size, unit);
  // distance × 100 ≤ |reported| × size × 10^unit
  const reportedSize = sizeOf(reported);
  if (distance > LIMIT / 100 || (size != 0 && reportedSize > LIMIT / size)) return false;
  return isAtMost(distance * 100, exponent, reportedSize * size, wasExponent + unit);
}

/** Whether left × 10^leftExponent is surely at most right × 10^rightExponent. */
function isAtMost(left: u64, leftExponent: i32, right: u64, rightExponent: i32): bool {
  const exponent = min(leftExponent, rightExponent);
  const least = scaled(left, leftExponent - exponent);
  const most = scaled(right, rightExponent - exponent);
  return least != TOO_MUCH && most != TOO_MUCH && least <= most;
}

/** A number of at most 10^18 times a power of ten. */
function scaled(size: u64, shift: i32): u64 {
  let result = size;
  for (let n = 0; n < shift; n++) {
    if (result > LIMIT / 10) return TOO_MUCH;
    result *= 10;
    if (result == 0) return 0;
  }
  return result;
}

// @ts-ignore: decorator
@inline
function exponentOf(number: u64): i32 {
  return <i32>((number >> 4) & 63) + MIN_EXPONENT;
}

/** Without the sign. */
// @ts-ignore: decorator
@inline
function sizeOf(number: u64): u64 {
  const size = <i64>number >> 10;
  return <u64>(size < 0 ? -size : size);
}
