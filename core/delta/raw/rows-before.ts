// The rows of the body before, in the kernel's memory: their entries, and the table that finds them by their bytes.
import { align, bytesAt, type Kernel, reach } from './load-kernel.ts';
import { ENTRY_BYTES, placeOf } from './row-entry.ts';

export interface ByteRange {
  start: number;
  /** Exclusive. */
  end: number;
}

export interface RowsBefore {
  /** Takes up entries, and what else is stored with them, in pieces. */
  add: (bytes: Uint8Array) => void;
  /** All that was added; valid until more is. */
  bytes: () => Uint8Array;
  /** To be called once all is added, or not at all: then no row has a match. */
  index: (count: number) => void;
  /** Where the rows stand that no row was matched with, each up to where the next one begins. */
  unmatched: (bodyBytes: number) => Generator<ByteRange, void, undefined>;
}

/** @param at where in the kernel's memory; all behind it is theirs */
export function createRowsBefore(kernel: Kernel, at: number): RowsBefore {
  let sizeBytes = 0;
  let rowCount = 0;
  let takenAt = at;
  return {
    add(bytes) {
      const end = at + sizeBytes + bytes.length;
      // In large steps, because each may copy all.
      if (end > kernel.memory.buffer.byteLength) reach(kernel, at + Math.ceil((end - at) * 1.25));
      bytesAt(kernel, at + sizeBytes, bytes.length).set(bytes);
      sizeBytes += bytes.length;
    },
    bytes: () => bytesAt(kernel, at, sizeBytes),
    index(count) {
      const slotCount = 2 ** Math.ceil(Math.log2(Math.max(16, count * 1.5)));
      const slotsAt = align(at + count * ENTRY_BYTES);
      const twinsAt = slotsAt + slotCount * 4;
      takenAt = twinsAt + count * 4;
      rowCount = count;
      reach(kernel, takenAt + count);
      bytesAt(kernel, slotsAt, takenAt + count - slotsAt).fill(0);
      kernel.index(at, count, slotsAt, slotCount, twinsAt, takenAt);
    },
    *unmatched(bodyBytes) {
      const taken = bytesAt(kernel, takenAt, rowCount);
      const entries = bytesAt(kernel, at, rowCount * ENTRY_BYTES);
      for (let row = taken.indexOf(0); row !== -1; row = taken.indexOf(0, row + 1)) {
        const end = row + 1 < rowCount ? placeOf(entries, row + 1) : bodyBytes;
        yield { start: placeOf(entries, row), end };
      }
    },
  };
}
