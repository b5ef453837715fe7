// One row in a row index: 16 bytes of hash, then 5 that say at which byte of the body it begins and 3 for how many it has,
// little-endian.

export const ENTRY_BYTES = 24;
const PLACE_AT = 16;
const PLACE_BYTES = 5;

export interface ByteRange {
  start: number;
  /** Exclusive. */
  end: number;
}

/** Where a row stands in its body, without what ends it. */
export function rangeOf(entries: Uint8Array, row: number): ByteRange {
  const view = Buffer.from(entries.buffer, entries.byteOffset, entries.byteLength);
  const at = row * ENTRY_BYTES + PLACE_AT;
  const start = view.readUIntLE(at, PLACE_BYTES);
  return { start, end: start + view.readUIntLE(at + PLACE_BYTES, ENTRY_BYTES - PLACE_AT - PLACE_BYTES) };
}
