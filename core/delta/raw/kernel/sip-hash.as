// SipHash-1-3 with 128 bits of output. Keyed, so that nobody can make rows collide without the key.

let k0: u64 = 0;
let k1: u64 = 0;

export function seedHash(key0: u64, key1: u64): void {
  k0 = key0;
  k1 = key1;
}

/** Reads up to 7 bytes beyond the end, which do not count. Writes 16 bytes. */
export function hash(from: usize, length: usize, to: usize): void {
  let v0: u64 = k0 ^ 0x736f6d6570736575;
  let v1: u64 = k1 ^ 0x646f72616e646f6d ^ 0xee;
  let v2: u64 = k0 ^ 0x6c7967656e657261;
  let v3: u64 = k1 ^ 0x7465646279746573;
  const wordsEnd = from + (length & ~7);
  let at = from;
  let word: u64 = 0;
  let isLast = false;
  while (!isLast) {
    if (at < wordsEnd) {
      word = load<u64>(at);
      at += 8;
    } else {
      // The bytes after the row are readable and are shifted out.
      const unused: u64 = 64 - 8 * <u64>(length & 7);
      word = (unused == 64 ? 0 : (load<u64>(at) << unused) >> unused) | (<u64>length << 56);
      isLast = true;
    }
    v3 ^= word;
    v0 += v1; v1 = rotl(v1, 13); v1 ^= v0; v0 = rotl(v0, 32);
    v2 += v3; v3 = rotl(v3, 16); v3 ^= v2;
    v0 += v3; v3 = rotl(v3, 21); v3 ^= v0;
    v2 += v1; v1 = rotl(v1, 17); v1 ^= v2; v2 = rotl(v2, 32);
    v0 ^= word;
  }
  v2 ^= 0xee;
  for (let round = 0; round < 6; round++) {
    if (round == 3) {
      store<u64>(to, v0 ^ v1 ^ v2 ^ v3);
      v1 ^= 0xdd;
    }
    v0 += v1; v1 = rotl(v1, 13); v1 ^= v0; v0 = rotl(v0, 32);
    v2 += v3; v3 = rotl(v3, 16); v3 ^= v2;
    v0 += v3; v3 = rotl(v3, 21); v3 ^= v0;
    v2 += v1; v1 = rotl(v1, 17); v1 ^= v2; v2 = rotl(v2, 32);
  }
  store<u64>(to, v0 ^ v1 ^ v2 ^ v3, 8);
}

/** The same hash with 64 bits of output. Never 0. */
export function hash64(from: usize, length: usize): u64 {
  let v0: u64 = k0 ^ 0x736f6d6570736575;
  let v1: u64 = k1 ^ 0x646f72616e646f6d;
  let v2: u64 = k0 ^ 0x6c7967656e657261;
  let v3: u64 = k1 ^ 0x7465646279746573;
  const wordsEnd = from + (length & ~7);
  for (let at = from; at < wordsEnd; at += 8) {
    const word = load<u64>(at);
    v3 ^= word;
    v0 += v1; v1 = rotl(v1, 13); v1 ^= v0; v0 = rotl(v0, 32);
    v2 += v3; v3 = rotl(v3, 16); v3 ^= v2;
    v0 += v3; v3 = rotl(v3, 21); v3 ^= v0;
    v2 += v1; v1 = rotl(v1, 17); v1 ^= v2; v2 = rotl(v2, 32);
    v0 ^= word;
  }
  const unused: u64 = 64 - 8 * <u64>(length & 7);
  const last = (unused == 64 ? 0 : (load<u64>(wordsEnd) << unused) >> unused) | (<u64>length << 56);
  v3 ^= last;
  for (let round = 0; round < 4; round++) {
    v0 += v1; v1 = rotl(v1, 13); v1 ^= v0; v0 = rotl(v0, 32);
    v2 += v3; v3 = rotl(v3, 16); v3 ^= v2;
    v0 += v3; v3 = rotl(v3, 21); v3 ^= v0;
    v2 += v1; v1 = rotl(v1, 17); v1 ^= v2; v2 = rotl(v2, 32);
    if (round == 0) {
      v0 ^= last;
      v2 ^= 0xff;
    }
  }
  const result = v0 ^ v1 ^ v2 ^ v3;
  return result == 0 ? 1 : result;
}
