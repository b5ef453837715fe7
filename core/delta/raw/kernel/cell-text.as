// What the text of a cell may be, without its outer quotes and with no quote doubled. The text is valid UTF-8.

const QUOTE: u8 = 0x22;
const BACKSLASH: u8 = 0x5c;
const SPACE: u8 = 0x20;

/** In characters of UTF-16, as a JSON token with quotes and escapes. */
const MOST: u32 = 200;
/** An escape has six characters. */
const SURELY_SHORT: usize = 33;
/** A character of UTF-16 has at most three bytes. */
const SURELY_LONG: usize = 600;

/** Whether the text is short enough for a key. */
export function isShort(from: usize, to: usize): bool {
  const bytes = to - from;
  if (bytes <= SURELY_SHORT) return true;
  if (bytes > SURELY_LONG) return false;
  let length: u32 = 2;
  for (let block = from; block < to; block += 16) {
    const text = v128.load(block);
    const mask: u32 = to - block < 16 ? (1 << <u32>(to - block)) - 1 : 0xffff;
    // As signed numbers, the later bytes of a character are the lowest.
    const starts: u32 = i8x16.bitmask(i8x16.ge_s(text, i8x16.splat(-64)));
    const pairs: u32 = i8x16.bitmask(i8x16.ge_u(text, i8x16.splat(<i8>0xf0)));
    const marks = v128.or(i8x16.eq(text, i8x16.splat(QUOTE)), i8x16.eq(text, i8x16.splat(BACKSLASH)));
    const controls: u32 = i8x16.bitmask(i8x16.lt_u(text, i8x16.splat(SPACE))) & mask;
    const escaped: u32 = i8x16.bitmask(marks);
    length += popcnt(starts & mask) + popcnt(pairs & mask) + popcnt(escaped & mask);
    if (controls != 0) length += escapes(block, controls);
  }
  return length <= MOST;
}

function escapes(block: usize, controls: u32): u32 {
  let length: u32 = 0;
  for (let left = controls; left != 0; left &= left - 1) {
    const byte = load<u8>(block + ctz(left));
    length += (byte >= 0x08 && byte <= 0x0a) || byte == 0x0c || byte == 0x0d ? 1 : 5;
  }
  return length;
}

/** Whether the text may match AMOUNT in field-profile.ts. Most texts do not, by their first characters. */
export function mayBeAmount(from: usize, to: usize): bool {
  let at = from;
  let byte = load<u8>(at);
  if (byte == 0x2d || byte == 0x2b) {
    if (++at == to) return false;
    byte = load<u8>(at);
  }
  if (!isDigit(byte)) return byte == 0x24 || byte == 0x2e || byte == 0x2c || byte == 0xc2 || byte == 0xe2;
  while (isDigit(byte)) {
    if (++at == to) return false;
    byte = load<u8>(at);
  }
  return isAfterDigits(byte);
}

// @ts-ignore: decorator
@inline
function isDigit(byte: u8): bool {
  return byte >= 0x30 && byte <= 0x39;
}

// @ts-ignore: decorator
@inline
function isAfterDigits(byte: u8): bool {
  return byte == 0x2e || byte == 0x2c || byte == 0x25 || byte == 0x27 || byte <= 0x20 || byte >= 0x80;
}
