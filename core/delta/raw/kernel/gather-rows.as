// Copies the bytes of several rows into one block, to be decoded together.

import { copy } from './plain-text';

/**
 * @param rows offset and length of each
 * @param out receives them, each after a separator, plus 16 spare bytes
 * @returns how many bytes were written
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
