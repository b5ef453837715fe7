// Writes rows of delimited text as they are stored: as a JSON object of texts, with its members in the order of the columns. Rows
// are hashed over the object with its members in the order of their names.

import { copy } from './plain-text';

const QUOTE: u8 = 0x22;
const BACKSLASH: u8 = 0x5c;
const SPACE: u8 = 0x20;
const COMMA: u8 = 0x2c;
const OPEN: u8 = 0x7b;
const CLOSE: u8 = 0x7d;

/** Of each column: where its name begins and ends, written with a colon, then where its token does in the row. */
const COLUMN: usize = 16;
/** Of each row: where the stored object begins and ends, then the hashed one, then the token of each part of the key. */
const ROW: usize = 16;
const PART: usize = 8;
/** An escaped byte takes six. */
const ESCAPED: usize = 6;
/** Copies may be longer than what they copy. */
const SLACK: usize = 64;

let columns: usize = 0;
/** Of a row of empty texts, in bytes. */
let emptyBytes: usize = 0;
/** The columns in the order of their names; none: they are in this order already. */
let byName: usize = 0;
let byNameCount: u32 = 0;
let keyColumns: usize = 0;
let keyParts: u32 = 0;
let out: usize = 0;
let outEnd: usize = 0;
let rows: usize = 0;
let count: u32 = 0;
let rowAt: usize = 0;
let end: usize = 0;

/** @param parts how many columns the key has @param rowsAt space for as many rows as are surveyed at a time */
export function beginWriting(
  columnsAt: usize, sizeOfEmpty: u32, byNameAt: usize, orderedCount: u32, keyColumnsAt: usize, parts: u32, outAt: usize,
  outBytes: u32, rowsAt: usize,
): void {
  columns = columnsAt;
  emptyBytes = sizeOfEmpty;
  byName = byNameAt;
  byNameCount = orderedCount;
  keyColumns = keyColumnsAt;
  keyParts = parts;
  out = outAt;
  outEnd = outAt + outBytes;
  rows = rowsAt;
  count = 0;
  end = out;
}

/** How many rows were written; their space is used again. */
export function takeWritten(): u32 {
  const written = count;
  count = 0;
  end = out;
  return written;
}

/** @returns whether a row of so many bytes surely has room */
export function beginWritten(bytes: u32): bool {
  rowAt = end;
  return end + 2 * (emptyBytes + ESCAPED * <usize>bytes + SLACK) <= outEnd;
}

/** @param isPaired whether each quote in the text is doubled */
export function writeCell(column: u32, from: usize, to: usize, isPaired: bool): void {
  const its = columns + <usize>column * COLUMN;
  end = writeName(its, end, rowAt);
  store<u32>(its, <u32>end, 8);
  store<u8>(end++, QUOTE);
  end = writeText(from, to, isPaired, end);
  store<u8>(end++, QUOTE);
  store<u32>(its, <u32>end, 12);
}

export function endWritten(): void {
  const row = rows + <usize>count * (ROW + <usize>keyParts * PART);
  count++;
  store<u8>(end++, CLOSE);
  store<u32>(row, <u32>rowAt);
  store<u32>(row, <u32>end, 4);
  const hashedAt = byNameCount == 0 ? rowAt : end;
  if (byNameCount > 0) writeByName();
  store<u32>(row, <u32>hashedAt, 8);
  store<u32>(row, <u32>end, 12);
  for (let part: u32 = 0; part < keyParts; part++) {
    const its = columns + <usize>load<u32>(keyColumns + (<usize>part << 2)) * COLUMN;
    store<u64>(row + ROW + <usize>part * PART, load<u64>(its, 8));
  }
}

function writeByName(): void {
  const start = end;
  for (let place: u32 = 0; place < byNameCount; place++) {
    const its = columns + <usize>load<u32>(byName + (<usize>place << 2)) * COLUMN;
    end = writeName(its, end, start);
    end = copy(load<u32>(its, 8), load<u32>(its, 12), end);
  }
  store<u8>(end++, CLOSE);
}

// @ts-ignore: decorator
@inline
function writeName(its: usize, at: usize, start: usize): usize {
  store<u8>(at, at == start ? OPEN : COMMA);
  return copy(load<u32>(its), load<u32>(its, 4), at + 1);
}

function writeText(from: usize, to: usize, isPaired: bool, start: usize): usize {
  const quotes = i8x16.splat(QUOTE);
  const backslashes = i8x16.splat(BACKSLASH);
  const spaces = i8x16.splat(SPACE);
  let at = from;
  let written = start;
  while (at < to) {
    const bytes = v128.load(at);
    const marks = v128.or(i8x16.eq(bytes, quotes), v128.or(i8x16.eq(bytes, backslashes), i8x16.lt_u(bytes, spaces)));
    let events: u32 = i8x16.bitmask(marks);
    const left = to - at;
    if (left < 16) events &= (1 << <u32>left) - 1;
    const plain: usize = events != 0 ? ctz(events) : left < 16 ? left : 16;
    v128.store(written, bytes);
    written += plain;
    at += plain;
    if (events == 0) continue;
    const byte = load<u8>(at);
    written = writeEscape(byte, written);
    at += isPaired && byte == QUOTE ? 2 : 1;
  }
  return written;
}

/** As JSON.stringify does. */
function writeEscape(byte: u8, at: usize): usize {
  store<u8>(at, BACKSLASH);
  const short = shortOf(byte);
  if (short != 0) {
    store<u8>(at, short, 1);
    return at + 2;
  }
  // In the order of the bytes: u00.
  store<u32>(at, 0x303075, 1);
  store<u8>(at, 0x30 + (byte >> 4), 4);
  const low = byte & 15;
  store<u8>(at, low < 10 ? 0x30 + low : 0x57 + low, 5);
  return at + 6;
}

/** The letter of a short escape; 0 if there is none. */
// @ts-ignore: decorator
@inline
function shortOf(byte: u8): u8 {
  if (byte == QUOTE || byte == BACKSLASH) return byte;
  if (byte == 0x08) return 0x62;
  if (byte == 0x09) return 0x74;
  if (byte == 0x0a) return 0x6e;
  if (byte == 0x0c) return 0x66;
  return byte == 0x0d ? 0x72 : 0;
}
