// Counts how often each text was seen, in about 25 bytes for each text, whatever its length. Compares 64-bit hashes with a
// random seed: among 1,000,000 texts two collide with a probability of 1 in 30,000,000, and a feed cannot provoke it.

export interface FingerprintTable {
  /** Returns how often the text has been added, including this time. */
  add(text: string): number;
  /** Whether the text has been added. Very rarely true by mistake. */
  has(text: string): boolean;
  sizeBytes(): number;
}

const WORDS = 3;
const FIRST_SLOTS = 1024;
const MAX_LOAD = 0.7;

const isTooFull = (used: number, words: number): boolean => used * WORDS > words * MAX_LOAD;

/** How large a table is with so many texts, and with how many it grows. */
export function tableSize(used: number): { sizeBytes: number; growsAt: number } {
  let words = FIRST_SLOTS * WORDS;
  while (isTooFull(used, words)) words *= 2;
  let growsAt = Math.floor((words * MAX_LOAD) / WORDS);
  while (!isTooFull(growsAt, words)) growsAt++;
  return { sizeBytes: words * Uint32Array.BYTES_PER_ELEMENT, growsAt };
}

export function createFingerprintTable(): FingerprintTable {
  const seeds = crypto.getRandomValues(new Uint32Array(2));
  let slots = new Uint32Array(FIRST_SLOTS * WORDS);
  let used = 0;
  const grow = (): void => {
    const old = slots;
    slots = new Uint32Array(old.length * 2);
    for (let from = 0; from < old.length; from += WORDS) {
      if (old[from + 2] === 0) continue;
      const to = findSlot(slots, old[from] ?? 0, old[from + 1] ?? 0);
      slots.set(old.subarray(from, from + WORDS), to);
    }
  };
  return {
    add(text) {
      const [low, high] = fingerprint(text, seeds);
      let slot = findSlot(slots, low, high);
      if (slots[slot + 2] === 0 && isTooFull(++used, slots.length)) {
        grow();
        slot = findSlot(slots, low, high);
      }
      slots[slot] = low;
      slots[slot + 1] = high;
      const count = (slots[slot + 2] ?? 0) + 1;
      slots[slot + 2] = count;
      return count;
    },
    has(text) {
      const [low, high] = fingerprint(text, seeds);
      return slots[findSlot(slots, low, high) + 2] !== 0;
    },
    sizeBytes: () => slots.byteLength,
  };
}

/** The slot of this fingerprint, or the free slot for it. */
function findSlot(slots: Uint32Array, low: number, high: number): number {
  const mask = slots.length / WORDS - 1;
  let index = low & mask;
  for (;;) {
    const slot = index * WORDS;
    if (slots[slot + 2] === 0 || (slots[slot] === low && slots[slot + 1] === high)) return slot;
    index = (index + 1) & mask;
  }
}

/** Two 32-bit lanes like MurmurHash3, each mixed into the other. */
function fingerprint(text: string, seeds: Uint32Array): [low: number, high: number] {
  let low = seeds[0] ?? 0;
  let high = seeds[1] ?? 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    low = Math.imul(((low << 13) | (low >>> 19)) ^ code, 0xcc9e2d51);
    high = Math.imul(((high << 15) | (high >>> 17)) + code, 0x1b873593) ^ low;
  }
  low = mix(low ^ text.length);
  high = mix(high ^ low);
  return [mix(low + high) >>> 0, high >>> 0];
}

function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
