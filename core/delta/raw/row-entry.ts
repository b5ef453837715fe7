// One row in a row index: 16 bytes of hash, then 8 that say at which byte of the body it begins, little-endian.

export const ENTRY_BYTES = 24;
const PLACE_AT = 16;

/** Bodies are far smaller than 2^53 bytes. */
export function placeOf(entries: Uint8Array, row: number): number {
  const view = new DataView(entries.buffer, entries.byteOffset, entries.byteLength);
  return Number(view.getBigUint64(row * ENTRY_BYTES + PLACE_AT, true));
}
