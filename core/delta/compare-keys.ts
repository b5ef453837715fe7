// The order of row keys and columns: by UTF-8 bytes, like PostgreSQL's C collation.

/** Returns a negative number, zero or a positive one. JavaScript's own order differs: it puts U+1F600 before U+FF01. */
export function compareKeys(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at++) {
    const a = left.charCodeAt(at);
    const b = right.charCodeAt(at);
    if (a !== b) return rank(a) - rank(b);
  }
  return left.length - right.length;
}

/** Ranks surrogates, which encode U+10000 and above, after all other code units. */
function rank(codeUnit: number): number {
  return codeUnit >= 0xd800 && codeUnit <= 0xdfff ? codeUnit + 0x10000 : codeUnit;
}
