// Finds the end of JSON values by quotes and brackets only. Does not validate them.

// @ts-ignore: decorator
@inline
export function skipSpace(from: usize, to: usize): usize {
  let at = from;
  while (at < to && isSpace(load<u8>(at))) at++;
  return at;
}

// @ts-ignore: decorator
@inline
function isSpace(byte: u8): bool {
  return byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09;
}

/** The offset after the object or array that begins here; 0 if it does not end. 16 bytes after `to` must be readable. */
export function nestedEnd(from: usize, to: usize): usize {
  const quotes = i8x16.splat(0x22);
  const backslashes = i8x16.splat(0x5c);
  const opening = i8x16.splat(0x7b);
  const closing = i8x16.splat(0x7d);
  const fold = i8x16.splat(0x20);
  let depth = 0;
  let isString = false;
  // A character after a backslash is literal.
  let skipped: usize = 0;
  for (let block = from; block < to; block += 16) {
    const bytes = v128.load(block);
    // Maps square brackets to curly ones.
    const folded = v128.or(bytes, fold);
    const brackets = v128.or(i8x16.eq(folded, opening), i8x16.eq(folded, closing));
    const texts = v128.or(i8x16.eq(bytes, quotes), i8x16.eq(bytes, backslashes));
    let events: u32 = i8x16.bitmask(v128.or(brackets, texts));
    if (to - block < 16) events &= (1 << <u32>(to - block)) - 1;
    while (events != 0) {
      const at = block + ctz(events);
      events &= events - 1;
      if (at == skipped) continue;
      const byte = load<u8>(at);
      if (byte == 0x22) isString = !isString;
      else if (byte == 0x5c) skipped = isString ? at + 1 : 0;
      else if (!isString) {
        depth += (byte | 0x20) == 0x7b ? 1 : -1;
        if (depth == 0) return at + 1;
      }
    }
  }
  return 0;
}
