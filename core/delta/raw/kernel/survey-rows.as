// Surveys rows of delimited text: whether each has a cell for every column and nothing unusual, and what is in the columns that
// a key may have. What it cannot be sure of must be read by parsing.

import { ENTRY, isInQuotes, mode, quotesOr } from './found-rows';
import { copy, MAX_CELL } from './plain-text';
import { addUnique, addValue, COLUMN, hasGrown, isOutOfMemory, kindOnceClosed, setUnfilled } from './column-values';
import { isShort, mayBeAmount } from './cell-text';
import { hash64 } from './sip-hash';
import { beginWritten, endWritten, writeCell } from './write-rows';

const QUOTE: u8 = 0x22;

// What happens with a column. Any other number: its values are told apart.
const SKIPPED: u8 = 0;
/** It is told whether each row has a short value. */
const FILLED: u8 = 2;
/** It is a part of the key. */
const KEY: u8 = 3;
/** It is written. */
const WRITTEN: u8 = 4;

// Outcomes.
const DONE: u32 = 0;
/** Continue after the values in `doubts` were looked at, memory was counted, or written rows were taken. */
const PAUSED: u32 = 1;
const UNUSUAL: u32 = 2;
/** A row has an incomplete key. */
const INCOMPLETE: u32 = 3;

/** Bodies are parsed in pieces of this size, and memory is counted after each. */
const PIECE_SHIFT: u64 = 14;
/** Each: column, offset, length. */
const DOUBT: usize = 12;

let kinds: usize = 0;
let width: u32 = 0;
let values: usize = 0;
let room: usize = 0;
let doubts: usize = 0;
let doubtsEnd: usize = 0;
let doubt: usize = 0;
let shaped: u64 = 0;
let rowCount: u64 = 0;
let piece: u64 = 0;
let longest: u32 = 0;
let keyParts: u32 = 0;
let isWriting = false;
let keyEnd: usize = 0;
let mostKeyBytes: usize = 0;
let outcome: u32 = DONE;

/**
 * @param kindsAt a byte for each of the columns
 * @param valuesAt what is known of each column; of the key, only the first
 * @param roomAt space for the texts of a row, and 16 bytes more
 * @param shapedRows of so many first rows, amounts are not looked for
 * @param parts how many columns the key has
 * @param writes whether rows are written; then no column is anything but written or skipped
 */
export function beginSurvey(
  kindsAt: usize, columnCount: u32, valuesAt: usize, roomAt: usize, doubtsAt: usize, doubtCount: u32, shapedRows: u32,
  parts: u32, keyBytes: u32, writes: bool,
): void {
  kinds = kindsAt;
  width = columnCount;
  values = valuesAt;
  room = roomAt;
  doubts = doubtsAt;
  doubtsEnd = doubtsAt + <usize>doubtCount * DOUBT;
  doubt = doubts;
  shaped = shapedRows;
  rowCount = 0;
  piece = 0;
  longest = 0;
  keyParts = parts;
  mostKeyBytes = keyBytes;
  isWriting = writes;
}

export function surveyOutcome(): u32 {
  return outcome;
}

/** How many values may be amounts; they are forgotten. */
export function takeDoubts(): u32 {
  const count = <u32>((doubt - doubts) / DOUBT);
  doubt = doubts;
  return count;
}

export function longestRow(): u32 {
  return longest;
}

/**
 * @param first of the rows that were found, the one to begin with
 * @param base position in the body minus offset in the window
 * @returns the row to continue with
 */
export function survey(found: usize, first: u32, count: u32, base: u64): u32 {
  outcome = DONE;
  for (let row = first; row < count; row++) {
    const entry = found + <usize>row * ENTRY;
    const from = <usize>load<u32>(entry, 16);
    const length = load<u32>(entry, 20);
    const itsPiece = (base + from + length) >> PIECE_SHIFT;
    if (itsPiece != piece) {
      piece = itsPiece;
      if (hasGrown()) outcome = PAUSED;
    }
    if (doubt + <usize>width * DOUBT > doubtsEnd) outcome = PAUSED;
    // A longer row may hold a value above the limit, and has no room.
    if (length > <u32>MAX_CELL) outcome = UNUSUAL;
    else if (isWriting && !beginWritten(length)) outcome = PAUSED;
    if (outcome != DONE) return row;
    if (length > longest) longest = length;
    rowCount++;
    keyEnd = room;
    if (!surveyRow(from, from + length)) {
      if (outcome == DONE) outcome = UNUSUAL;
      return row;
    }
    if (keyParts > 0 && !endKey()) return row;
    if (isWriting) endWritten();
  }
  return count;
}

function surveyRow(from: usize, to: usize): bool {
  const quotes = quotesOr(<u8>mode);
  const delimiters = i8x16.splat(<u8>mode);
  const nothing = i8x16.splat(0);
  let column: u32 = 0;
  let cellAt = from;
  let closedAt: usize = 0;
  let hasPairs = false;
  // The second quote of a pair is literal.
  let skipped: usize = 0;
  let quoted = false;
  for (let block = from; block < to; block += 16) {
    const bytes = v128.load(block);
    const marks = v128.or(i8x16.eq(bytes, quotes), v128.or(i8x16.eq(bytes, delimiters), i8x16.eq(bytes, nothing)));
    let events: u32 = i8x16.bitmask(marks);
    if (to - block < 16) events &= (1 << <u32>(to - block)) - 1;
    while (events != 0) {
      const at = block + ctz(events);
      events &= events - 1;
      const byte = load<u8>(at);
      if (byte == QUOTE) {
        if (at == skipped) continue;
        if (!quoted) {
          quoted = at == cellAt;
        } else if (at + 1 < to && load<u8>(at + 1) == QUOTE) {
          skipped = at + 1;
          hasPairs = true;
        } else {
          quoted = false;
          closedAt = at;
        }
      } else if (byte == 0) {
        return false;
      } else if (!quoted) {
        if (column + 1 >= width || !takeCell(column, cellAt, at, closedAt, hasPairs)) return false;
        column++;
        cellAt = at + 1;
        closedAt = 0;
        hasPairs = false;
      }
    }
  }
  return column + 1 == width && !quoted && takeCell(column, cellAt, to, closedAt, hasPairs);
}

/** @returns whether the cell is usual: with text after a closing quote, all of its quotes are literal */
// @ts-ignore: decorator
@inline
function takeCell(column: u32, cellAt: usize, cellEnd: usize, closedAt: usize, hasPairs: bool): bool {
  let from = cellAt;
  let to = cellEnd;
  if (isInQuotes(from, to)) {
    if (closedAt + 1 != to) return false;
    from++;
    to--;
  }
  const kind = load<u8>(kinds + column);
  if (kind == SKIPPED) return true;
  if (kind == KEY) return takePart(from, to, hasPairs);
  if (kind == WRITTEN) {
    writeCell(column, from, to, hasPairs);
    return true;
  }
  if (hasPairs) {
    to = unescape(from, to, room);
    from = room;
  }
  return takeValue(column, kind, from, to, !hasPairs);
}

function takeValue(column: u32, kind: u8, from: usize, to: usize, isLiteral: bool): bool {
  const its = values + <usize>column * COLUMN;
  if (from == to || !isShort(from, to)) {
    store<u8>(kinds + column, SKIPPED);
    setUnfilled(its);
    return true;
  }
  if (kind == FILLED) return true;
  // No amount has a quote in it.
  if (isLiteral && rowCount > shaped && mayBeAmount(from, to)) noteDoubt(column, from, to);
  if (!addValue(its, hash64(from, to - from))) store<u8>(kinds + column, kindOnceClosed(its));
  return !isOutOfMemory();
}

function noteDoubt(column: u32, from: usize, to: usize): void {
  store<u32>(doubt, column);
  store<u32>(doubt, <u32>from, 4);
  store<u32>(doubt, <u32>(to - from), 8);
  doubt += DOUBT;
}

/** The parts of a key are hashed together, with NUL between them, which no text has. */
function takePart(from: usize, to: usize, hasPairs: bool): bool {
  if (from == to) {
    outcome = INCOMPLETE;
    return false;
  }
  if (keyEnd > room) store<u8>(keyEnd++, 0);
  keyEnd = hasPairs ? unescape(from, to, keyEnd) : copy(from, to, keyEnd);
  return true;
}

function endKey(): bool {
  const length = keyEnd - room;
  if (length > mostKeyBytes) outcome = UNUSUAL;
  else if (!addUnique(values, hash64(room, length))) outcome = UNUSUAL;
  return outcome == DONE;
}

/** Copies text with each pair of quotes as one. @returns the end of the copy */
function unescape(from: usize, to: usize, out: usize): usize {
  const quotes = i8x16.splat(QUOTE);
  let rest = from;
  let end = out;
  let at = from;
  while (at < to) {
    const pairs: u32 = i8x16.bitmask(i8x16.eq(v128.load(at), quotes));
    if (pairs == 0) {
      at += 16;
      continue;
    }
    at += ctz(pairs);
    if (at >= to) break;
    end = copy(rest, at + 1, end);
    at += 2;
    rest = at;
  }
  return copy(rest, to, end);
}
