// The rows of the body before, in the kernel's memory: their entries, and the table that finds them by their bytes.
import { align, bytesAt, type Kernel, reach } from './load-kernel.ts';
import type { ReadAt } from './read-at.ts';
import { type ByteRange, ENTRY_BYTES, rangeOf } from './row-entry.ts';

export interface RowsBefore {
  /** Reads entries, and what else is stored with them, once. @returns all of it, valid until the index is made */
  load: (read: ReadAt) => Promise<Uint8Array>;
  /** To be called once all is loaded, or not at all: then no row has a match. */
  index: (count: number) => void;
  /** Where the rows stand that no row was matched with, in their order. */
  unmatched: () => Generator<ByteRange, void, undefined>;
}

const STEP_BYTES = 4 * 1024 * 1024;

/** @param at where in the kernel's memory; all behind it is theirs */
export function createRowsBefore(kernel: Kernel, at: number): RowsBefore {
  let rowCount = 0;
  let sizeBytes = 0;
  let takenAt = at;
  return {
    async load(read) {
      for (;;) {
        reach(kernel, at + sizeBytes + STEP_BYTES);
        const count = await read(bytesAt(kernel, at + sizeBytes, STEP_BYTES), sizeBytes);
        sizeBytes += count;
        if (count < STEP_BYTES) return bytesAt(kernel, at, sizeBytes);
      }
    },
    index(count) {
      const slotCount = 2 ** Math.ceil(Math.log2(Math.max(16, count * 1.5)));
      const slotsAt = align(at + count * ENTRY_BYTES);
      const twinsAt = slotsAt + slotCount * 4;
      takenAt = twinsAt + count * 4;
      rowCount = count;
      reach(kernel, takenAt + count);
      // Memory that nothing was written to is zero, as the table must be; and mostly it stays untouched.
      bytesAt(kernel, slotsAt, Math.max(0, at + sizeBytes - slotsAt)).fill(0);
      kernel.index(at, count, slotsAt, slotCount, twinsAt, takenAt);
    },
    *unmatched() {
      const taken = bytesAt(kernel, takenAt, rowCount);
      const entries = bytesAt(kernel, at, rowCount * ENTRY_BYTES);
      for (let row = taken.indexOf(0); row !== -1; row = taken.indexOf(0, row + 1))
        yield rangeOf(entries, row);
    },
  };
}
