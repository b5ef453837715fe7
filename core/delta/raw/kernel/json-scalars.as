// JSON strings, numbers and words: where they end, and whether they are valid.

import { isText } from './plain-text';

/** The offset after the string that begins here; 0 if it does not end. 16 bytes after `to` must be readable. */
export function stringEnd(from: usize, to: usize): usize {
  const quotes = i8x16.splat(0x22);
  const backslashes = i8x16.splat(0x5c);
  let skipped: usize = 0;
  for (let block = from + 1; block < to; block += 16) {
    const bytes = v128.load(block);
    let events: u32 = i8x16.bitmask(v128.or(i8x16.eq(bytes, quotes), i8x16.eq(bytes, backslashes)));
    if (to - block < 16) events &= (1 << <u32>(to - block)) - 1;
    while (events != 0) {
      const at = block + ctz(events);
      events &= events - 1;
      if (at == skipped) continue;
      if (load<u8>(at) == 0x22) return at + 1;
      skipped = at + 1;
    }
  }
  return 0;
}

/** The end of a number or a word. */
export function plainEnd(from: usize, to: usize): usize {
  let at = from;
  while (at < to) {
    const byte = load<u8>(at);
    if (byte <= 0x20 || byte == 0x2c || byte == 0x7d || byte == 0x5d) break;
    at++;
  }
  return at == from ? 0 : at;
}

export function isScalar(from: usize, to: usize): bool {
  const first = load<u8>(from);
  if (first == 0x22) return isString(from + 1, to - 1);
  if (to - from == 4 && (load<u32>(from) == 0x65757274 || load<u32>(from) == 0x6c6c756e)) return true;
  if (to - from == 5 && first == 0x66 && load<u32>(from + 1) == 0x65736c61) return true;
  return isNumber(from, to);
}

function isString(from: usize, to: usize): bool {
  if (!isText(from, to)) return false;
  for (let at = from; at < to; at++) {
    const byte = load<u8>(at);
    if (byte < 0x20) return false;
    if (byte != 0x5c) continue;
    const escape = load<u8>(++at);
    if (escape == 0x75) {
      const unit = hex(at + 1, to);
      at += 4;
      if (unit <= 0 || (unit >= 0xdc00 && unit < 0xe000)) return false;
      if (unit < 0xd800 || unit >= 0xe000) continue;
      // The first half of a surrogate pair.
      if (at + 2 >= to || load<u16>(at + 1) != 0x755c) return false;
      const second = hex(at + 3, to);
      if (second < 0xdc00 || second >= 0xe000) return false;
      at += 6;
    } else if (!isShortEscape(escape)) return false;
  }
  return true;
}

function isShortEscape(byte: u8): bool {
  return (
    byte == 0x22 || byte == 0x5c || byte == 0x2f || byte == 0x6e || byte == 0x72 || byte == 0x74 ||
    byte == 0x62 || byte == 0x66
  );
}

/** The value of four hexadecimal digits; -1 without them. */
function hex(from: usize, to: usize): i32 {
  if (from + 4 > to) return -1;
  let value = 0;
  for (let at = from; at < from + 4; at++) {
    const byte = <i32>load<u8>(at);
    const letter = byte | 0x20;
    if (byte >= 0x30 && byte <= 0x39) value = (value << 4) | (byte - 0x30);
    else if (letter >= 0x61 && letter <= 0x66) value = (value << 4) | (letter - 0x57);
    else return -1;
  }
  return value;
}

export function isNumber(from: usize, to: usize): bool {
  let at = from;
  if (at < to && load<u8>(at) == 0x2d) at++;
  const whole = digitsEnd(at, to);
  if (whole == at || (whole > at + 1 && load<u8>(at) == 0x30)) return false;
  at = whole;
  if (at < to && load<u8>(at) == 0x2e) {
    const end = digitsEnd(++at, to);
    if (end == at) return false;
    at = end;
  }
  if (at < to && (load<u8>(at) | 0x20) == 0x65) {
    at++;
    if (at < to && (load<u8>(at) == 0x2b || load<u8>(at) == 0x2d)) at++;
    const end = digitsEnd(at, to);
    if (end == at) return false;
    at = end;
  }
  return at == to;
}

export function digitsEnd(from: usize, to: usize): usize {
  let at = from;
  while (at < to && load<u8>(at) >= 0x30 && load<u8>(at) <= 0x39) at++;
  return at;
}
