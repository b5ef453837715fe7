// The order of row keys and columns: that of their UTF-8 bytes, as PostgreSQL's C collation has it.

/** Negative, zero or positive. JavaScript's own order differs: it puts U+1F600 before U+FF01. */
export function compareKeys(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at++) {
    const a = left.charCodeAt(at);
    const b = right.charCodeAt(at);
    if (a !== b) return rank(a) - rank(b);
  }
  return left.length - right.length;
}

/** Moves surrogates, which stand for U+10000 and more, behind all other code units. */
function rank(codeUnit: number): number {
  return codeUnit >= 0xd800 && codeUnit <= 0xdfff ? codeUnit + 0x10000 : codeUnit;
}
