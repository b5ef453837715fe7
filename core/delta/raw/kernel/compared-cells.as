// Copies a row of delimited text as it is compared: without its ignored cells, and with its cells with a rule as
// compared-value.as writes them. Delimiters stay, so that different rows stay different.

import { columnCount, columns, isInQuotes, quotesOr } from './found-rows';
import { copy, isText } from './plain-text';
import { LEFT_OUT, writeCell } from './compared-value';

const QUOTE: u8 = 0x22;

let out: usize = 0;
// Where the bytes begin that are not yet copied.
let rest: usize = 0;

/** @param room receives the copy @returns the end of the copy */
export function comparedCells(from: usize, to: usize, delimiter: u8, room: usize): usize {
  const quotes = quotesOr(delimiter);
  const delimiters = i8x16.splat(delimiter);
  out = room;
  rest = from;
  let column: u32 = 0;
  let cellAt = from;
  let closedAt: usize = 0;
  // The second quote of a pair is literal.
  let skipped: usize = 0;
  let quoted = false;
  for (let block = from; block < to && column < columnCount; block += 16) {
    const bytes = v128.load(block);
    let events: u32 = i8x16.bitmask(v128.or(i8x16.eq(bytes, quotes), i8x16.eq(bytes, delimiters)));
    if (to - block < 16) events &= (1 << <u32>(to - block)) - 1;
    while (events != 0 && column < columnCount) {
      const at = block + ctz(events);
      events &= events - 1;
      if (load<u8>(at) == QUOTE) {
        if (at == skipped) continue;
        if (!quoted) quoted = at == cellAt;
        else if (at + 1 < to && load<u8>(at + 1) == QUOTE) skipped = at + 1;
        else {
          quoted = false;
          closedAt = at;
        }
      } else if (!quoted) {
        if (ruleOf(column) != 0) takeCell(cellAt, at, closedAt, column);
        column++;
        cellAt = at + 1;
        closedAt = 0;
      }
    }
  }
  if (column < columnCount && ruleOf(column) != 0) takeCell(cellAt, to, closedAt, column);
  return copy(rest, to, out);
}

/**
 * An ignored cell is kept, so that only equal bytes count as equal, if it may not be valid text, or if text follows its closing
 * quote: it may be several rows with a stray quote (split-delimited.ts).
 */
function takeCell(from: usize, to: usize, closedAt: usize, column: u32): void {
  const rule = ruleOf(column);
  if (rule == LEFT_OUT && (hasTextAfter(from, to, closedAt) || !isText(from, to))) return;
  out = copy(rest, from, out);
  if (rule != LEFT_OUT) out = writeCell(from, to, rule, load<u8>(columns + (<usize>column << 1), 1), out);
  rest = to;
}

// @ts-ignore: decorator
@inline
function hasTextAfter(from: usize, to: usize, closedAt: usize): bool {
  return isInQuotes(from, to) && closedAt + 1 != to;
}

// @ts-ignore: decorator
@inline
function ruleOf(column: u32): u8 {
  return load<u8>(columns + (<usize>column << 1));
}
