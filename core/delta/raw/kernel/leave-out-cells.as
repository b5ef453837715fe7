// Copies a row of delimited text without its ignored cells. Their delimiters stay, so that different rows stay different.

import { ignored, ignoredCount } from './found-rows';
import { copy, isText } from './plain-text';

const QUOTE: u8 = 0x22;

/**
 * A cell that may not be valid text is kept, so that only equal bytes count as equal.
 * @param room receives the copy @returns the end of the copy
 */
export function withoutCells(from: usize, to: usize, delimiter: u8, room: usize): usize {
  const quotes = i8x16.splat(QUOTE);
  const delimiters = i8x16.splat(delimiter);
  let out = room;
  let copied = from;
  let column: u32 = 0;
  let cellAt = from;
  // The second quote of a pair is literal.
  let skipped: usize = 0;
  let quoted = false;
  for (let block = from; block < to && column < ignoredCount; block += 16) {
    const bytes = v128.load(block);
    let events: u32 = i8x16.bitmask(v128.or(i8x16.eq(bytes, quotes), i8x16.eq(bytes, delimiters)));
    if (to - block < 16) events &= (1 << <u32>(to - block)) - 1;
    while (events != 0 && column < ignoredCount) {
      const at = block + ctz(events);
      events &= events - 1;
      if (load<u8>(at) == QUOTE) {
        if (at == skipped) continue;
        if (!quoted) quoted = at == cellAt;
        else if (at + 1 < to && load<u8>(at + 1) == QUOTE) skipped = at + 1;
        else quoted = false;
      } else if (!quoted) {
        if (isLeftOut(column, cellAt, at)) {
          out = copy(copied, cellAt, out);
          copied = at;
        }
        column++;
        cellAt = at + 1;
      }
    }
  }
  if (column < ignoredCount && isLeftOut(column, cellAt, to)) {
    out = copy(copied, cellAt, out);
    copied = to;
  }
  return copy(copied, to, out);
}

// @ts-ignore: decorator
@inline
function isLeftOut(column: u32, from: usize, to: usize): bool {
  return load<u8>(ignored + column) != 0 && isText(from, to);
}
