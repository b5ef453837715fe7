// Finds the objects of an array in a JSON document by quotes and brackets only.

import { emit } from './found-rows';
import { nestedEnd, skipSpace } from './json-values';

let rowStart: usize = 0;
let end_: usize = 0;

/** The offset of the array's closing bracket; 0 before the end; 1 if the array has anything but objects. */
export function elementsEnd(): usize {
  return end_;
}

/** @returns where to continue, at an object's start or before */
export function elementStart(): usize {
  return rowStart;
}

export function scanElements(start: usize, end: usize, found: usize, capacity: u32): u32 {
  let count: u32 = 0;
  end_ = 0;
  rowStart = skipSpace(start, end);
  while (rowStart < end) {
    if (load<u8>(rowStart) != 0x7b) {
      end_ = 1;
      break;
    }
    const close = nestedEnd(rowStart, end);
    const next = close == 0 ? end : skipSpace(close, end);
    if (next == end || count == capacity) break;
    const byte = load<u8>(next);
    if (byte != 0x2c && byte != 0x5d) {
      end_ = 1;
      break;
    }
    emit(rowStart, close, found, count++);
    rowStart = next;
    if (byte == 0x5d) {
      end_ = next;
      break;
    }
    rowStart = skipSpace(next + 1, end);
  }
  return count;
}
