// Puts the bytes of some rows one behind the other, to be read as text at once.

import { copy } from './plain-text';

/**
 * @param rows where each stands, and its length
 * @param out gets them, each behind a separator, with 16 bytes to spare
 * @returns how many bytes that takes
 */
export function gather(rows: usize, count: u32, separator: u8, out: usize): usize {
  let at = out;
  for (let row: u32 = 0; row < count; row++) {
    const from = <usize>load<u32>(rows + (<usize>row << 3));
    const length = <usize>load<u32>(rows + (<usize>row << 3), 4);
    store<u8>(at, separator);
    at = copy(from, from + length, at + 1);
  }
  return at - out;
}
