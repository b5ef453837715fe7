// Checks that bytes are valid text, and copies them.

import { isUtf8 } from './found-rows';

/** The limit for a cell, in characters, of which it has no more than bytes. */
export const MAX_CELL: usize = 1 << 20;

/** Whether the bytes are text without NUL and within the limit. 16 bytes after `to` must be readable. */
export function isText(from: usize, to: usize): bool {
  if (to - from > MAX_CELL) return false;
  const one = i8x16.splat(1);
  for (let block = from; block < to; block += 16) {
    // As signed numbers, NUL and bytes beyond ASCII are below one.
    let odd: u32 = i8x16.bitmask(i8x16.lt_s(v128.load(block), one));
    if (to - block < 16) odd &= (1 << <u32>(to - block)) - 1;
    if (odd != 0) return isUtf8 && isUtf8Text(block, to);
  }
  return true;
}

function isUtf8Text(from: usize, to: usize): bool {
  let at = from;
  while (at < to) {
    const first = load<u8>(at++);
    if (first == 0) return false;
    if (first < 0x80) continue;
    const more: usize = first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
    if (first < 0xc2 || first > 0xf4 || to - at < more) return false;
    // The second byte shows overlong forms, surrogates and code points beyond U+10FFFF.
    const second = load<u8>(at);
    const least: u8 = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    const most: u8 = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    if (second < least || second > most) return false;
    for (let other: usize = 1; other < more; other++) if ((load<u8>(at + other) & 0xc0) != 0x80) return false;
    at += more;
  }
  return true;
}

/** Copies bytes, and up to 15 more after them. @returns the end of the copy */
export function copy(from: usize, to: usize, out: usize): usize {
  let at = from;
  for (; at < to; at += 16) v128.store(out + (at - from), v128.load(at));
  return out + (to - from);
}
