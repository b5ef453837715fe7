// The oracle of public addresses, written from the IANA special-purpose registries as masks over numbers. It shares neither
// table nor arithmetic with the code under test.

/** Network and mask. */
export const V4_MASKS: readonly (readonly [number, number])[] = [
  [0x00000000, 0xff000000], [0x0a000000, 0xff000000], [0x64400000, 0xffc00000], [0x7f000000, 0xff000000],
  [0xa83f8110, 0xffffffff], [0xa9fe0000, 0xffff0000], [0xac100000, 0xfff00000], [0xc0000000, 0xffffff00],
  [0xc0000200, 0xffffff00], [0xc01fc400, 0xffffff00], [0xc034c100, 0xffffff00], [0xc0586300, 0xffffff00],
  [0xc0a80000, 0xffff0000], [0xc0af3000, 0xffffff00], [0xc6120000, 0xfffe0000], [0xc6336400, 0xffffff00],
  [0xcb007100, 0xffffff00], [0xe0000000, 0xf0000000], [0xf0000000, 0xf0000000],
]; // prettier-ignore

export function isPublicIpv4(bits: number): boolean {
  return !V4_MASKS.some(([network, mask]) => (bits & mask) >>> 0 === network);
}

/** @param groups eight of 16 bits */
export function isPublicIpv6(groups: readonly number[]): boolean {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = groups;
  if ((a | b | c | d | e) === 0 && f === 0xffff) return isPublicIpv4(((g << 16) | h) >>> 0);
  if (a >> 13 !== 1) return false;
  const isSpecial =
    (a === 0x2001 && b < 0x200) ||
    (a === 0x2001 && b === 0xdb8) ||
    a === 0x2002 ||
    (a === 0x2620 && b === 0x4f && c === 0x8000) ||
    (a === 0x3fff && b < 0x1000);
  const isIsatap = f === 0x5efe && [0, 0x100, 0x200, 0x300].includes(e);
  return !isSpecial && !isIsatap;
}
