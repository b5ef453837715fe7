// Writes a value with a rule as it is compared: in its canonical form (core/delta/rules/canonical-cell.ts) if its bytes are
// plain enough to be sure of that, or else as it is. Two values with equal forms are the same under the rule. Two that are the
// same may have different forms: then their rows are read, which decides.
//
// A mark precedes each value, and NUL, which no form has, follows a form. So rows that are written alike have the same
// structure, also those that no reader would accept. A number in a column with a tolerance is noted beside the row instead of being
// written, so rows that differ only in such numbers are written alike.

import { isInQuotes } from './found-rows';
import { dateEnd } from './plain-date';
import { numberEnd } from './plain-number';
import { isNumber } from './json-scalars';
import { noteNumber } from './near-numbers';
import { copy, MAX_CELL } from './plain-text';

export const LEFT_OUT: u8 = 1;
export const RULED: u8 = 2;
const NUMBER: u8 = 4;
const DATE: u8 = 8;
const TRIM: u8 = 16;
const FOLD: u8 = 32;
const NORMALIZE: u8 = 64;

const AS_IT_IS: u8 = 1;
const AS_TEXT: u8 = 2;
const AS_NUMBER: u8 = 3;
const AS_DATE: u8 = 4;
const AS_NEAR: u8 = 5;

const QUOTE: u8 = 0x22;

/**
 * Writes a cell of delimited text.
 * @param near the number of the column among those with a tolerance; 0 for others
 * @returns the end of what was written
 */
export function writeCell(from: usize, to: usize, rule: u8, near: u8, out: usize): usize {
  const isQuoted = isInQuotes(from, to);
  const first = isQuoted ? from + 1 : from;
  const last = isQuoted ? to - 1 : to;
  const isWhole = !isQuoted || (last >= first && load<u8>(last) == QUOTE);
  const end = isWhole && isPlain(first, last, rule, 0, QUOTE) ? writeText(first, last, rule, near, out) : 0;
  return end == 0 ? writeAsItIs(from, to, out) : end;
}

/** Writes a JSON value, like writeCell. */
export function writeValue(from: usize, to: usize, rule: u8, near: u8, out: usize): usize {
  let end: usize = 0;
  if (load<u8>(from) == QUOTE) {
    if (isPlain(from + 1, to - 1, rule, 0x1f, 0x5c)) end = writeText(from + 1, to - 1, rule, near, out);
  } else if ((rule & NUMBER) != 0 && isNumber(from, to)) {
    end = writeNumber(from, to, near, out);
  }
  return end == 0 ? writeAsItIs(from, to, out) : end;
}

function writeAsItIs(from: usize, to: usize, out: usize): usize {
  store<u8>(out, AS_IT_IS);
  return copy(from, to, out + 1);
}

/**
 * Whether the bytes are the text, with no byte up to the lowest and none like the escaping one, and in ASCII where the rule
 * normalizes. 16 bytes after `to` must be readable.
 */
function isPlain(from: usize, to: usize, rule: u8, lowest: u8, escape: u8): bool {
  if (to - from > MAX_CELL) return false;
  const low = i8x16.splat(lowest);
  const escapes = i8x16.splat(escape);
  const zero = i8x16.splat(0);
  for (let block = from; block < to; block += 16) {
    const bytes = v128.load(block);
    let marks = v128.or(i8x16.le_u(bytes, low), i8x16.eq(bytes, escapes));
    // As signed numbers, bytes beyond ASCII are negative.
    if ((rule & NORMALIZE) != 0) marks = v128.or(marks, i8x16.lt_s(bytes, zero));
    let odd: u32 = i8x16.bitmask(marks);
    if (to - block < 16) odd &= (1 << <u32>(to - block)) - 1;
    if (odd != 0) return false;
  }
  return true;
}

/**
 * Only ASCII is trimmed and folded. In other texts that leaves differences which a reader would not see, and adds none:
 * ASCII letters change their case in the same way beside any others.
 * The value is read before case is folded; core/delta/rules/canonical-cell.ts folds first. That is the same for numbers and
 * dates: their only letters are e, t and z, which are read in both cases.
 */
function writeText(from: usize, to: usize, rule: u8, near: u8, out: usize): usize {
  let first = from;
  let last = to;
  if ((rule & TRIM) != 0) {
    while (first < last && isWhite(load<u8>(first))) first++;
    while (first < last && isWhite(load<u8>(last - 1))) last--;
  }
  let end: usize = 0;
  if ((rule & NUMBER) != 0) end = writeNumber(first, last, near, out);
  else if ((rule & DATE) != 0) end = writeDate(first, last, out);
  if (end != 0) return end;
  store<u8>(out, AS_TEXT);
  end = copy(first, last, out + 1);
  if ((rule & FOLD) != 0) fold(out + 1, end);
  return close(end);
}

function writeNumber(from: usize, to: usize, near: u8, out: usize): usize {
  const end = numberEnd(from, to, out + 1);
  if (end == 0) return 0;
  if (near != 0 && noteNumber(out + 1, end, near)) {
    store<u8>(out, AS_NEAR);
    return close(out + 1);
  }
  store<u8>(out, AS_NUMBER);
  return close(end);
}

function writeDate(from: usize, to: usize, out: usize): usize {
  const end = dateEnd(from, to, out + 1);
  if (end == 0) return 0;
  store<u8>(out, AS_DATE);
  return close(end);
}

// @ts-ignore: decorator
@inline
function close(end: usize): usize {
  store<u8>(end, 0);
  return end + 1;
}

// @ts-ignore: decorator
@inline
function isWhite(byte: u8): bool {
  return byte == 0x20 || (byte >= 0x09 && byte <= 0x0d);
}

/** Makes ASCII letters upper case, also in up to 15 bytes after `to`. */
function fold(from: usize, to: usize): void {
  const before = i8x16.splat(0x60);
  const after = i8x16.splat(0x7b);
  const distance = i8x16.splat(0x20);
  for (let block = from; block < to; block += 16) {
    const bytes = v128.load(block);
    const letters = v128.and(i8x16.gt_s(bytes, before), i8x16.lt_s(bytes, after));
    v128.store(block, i8x16.sub(bytes, v128.and(letters, distance)));
  }
}
