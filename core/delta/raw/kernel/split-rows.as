// Finds rows of delimited text, and lines.

import { ELEMENTS, emit, LINES, mode, quotesOr } from './found-rows';
import { elementStart, scanElements } from './split-elements';

const QUOTE: u8 = 0x22;
const LF: u8 = 0x0a;
const CR: u8 = 0x0d;

// Start of the current row.
let rowStart: usize = 0;

/** Where to continue: the row that was incomplete or did not fit. */
export function unfinishedAt(): usize {
  return rowStart;
}

/**
 * Finds complete rows from a row's start on and writes an entry for each, up to `capacity` of them. Continue at
 * unfinishedAt(). At the end of the body the last row is complete unless a quote is open in it.
 * At least 16 bytes after `end` must be readable.
 */
export function scan(start: usize, end: usize, isEnd: bool, found: usize, capacity: u32): u32 {
  if (mode == LINES) return scanLines(start, end, isEnd, found, capacity);
  if (mode != ELEMENTS) return scanDelimited(start, end, isEnd, found, capacity);
  const count = scanElements(start, end, found, capacity);
  rowStart = elementStart();
  return count;
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

// A line without its carriage return. Blank lines are not rows.
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
  const quotes = quotesOr(LF);
  const lf = i8x16.splat(LF);
  const cr = i8x16.splat(CR);
  let count: u32 = 0;
  // The second quote of a pair is literal.
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
          // Within an unquoted field a quote is an ordinary character.
          quoted = at == rowStart || <i32>load<u8>(at - 1) == mode;
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
