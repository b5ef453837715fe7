// The rows of the previous body in the kernel's memory: their entries, and hash tables to find them by their bytes. Of many rows
// only two segments are there at a time, which move along with the current body, so that memory does not grow with a body
// whose rows keep their order.
import { align, bytesAt, type Kernel, reach } from './load-kernel.ts';
import type { ReadAt } from './read-at.ts';
import { type ByteRange, ENTRY_BYTES, rangeOf } from './row-index.ts';
import { NUMBER_BYTES } from './tolerant-columns.ts';
import { NeedsExactPath } from './row-bytes.ts';

export interface RowsBefore {
  /**
   * Begins to read entries and the numbers after them, once. Until then, no row has a match.
   * @param isWhole keeps all rows in memory, whatever their number
   * @throws NeedsExactPath there is not enough memory, or there are fewer entries
   */
  begin: (read: ReadAt, count: number, isWhole?: boolean) => Promise<void>;
  /** Moves on if the current body has come far enough. Call it before each match. */
  advance: () => Promise<void>;
  /** Whether only some rows are in memory at a time. */
  isPart: () => boolean;
  /**
   * The number of consecutive rows that may lack a match. More mean that the rows were reordered, unless all previous rows have
   * been read.
   */
  patience: () => number;
  /** Positions of the rows that no row matched, in order. Call it once, at the end of the current body. */
  unmatched: () => AsyncGenerator<ByteRange[], void, undefined>;
}

/** 20 MB of memory each. */
export const SEGMENT_ROWS = 512 * 1024;

interface Ring {
  read: ReadAt;
  rowCount: number;
  segments: 1 | 2;
  segmentRows: number;
  takenAt: number;
  /** How many numbers a row has, and where they are. */
  numbers: number;
  numbersAt: number;
  /** How many entries were read. */
  readRows: number;
  /** Rows in each segment. */
  held: [number, number];
  oldest: 0 | 1;
  /** Entries of rows that have left the kernel's memory without a match. */
  left: Buffer[];
}

/** @param at offset in the kernel's memory; everything after it is used @param numbers of each row (reported-numbers.ts) */
export function createRowsBefore(
  kernel: Kernel,
  at: number,
  { mostRows, numbers }: { mostRows: number; numbers: number },
): RowsBefore {
  let ring: Ring | undefined;
  return {
    async begin(read, count, isWhole = count <= 2 * mostRows) {
      const segments = isWhole ? 1 : 2;
      ring = layOut(kernel, at, {
        read,
        rowCount: count,
        segments,
        segmentRows: isWhole ? count : mostRows,
        numbers,
      });
      for (const segment of [0, 1] as const) if (segment < segments) await fill(kernel, at, ring, segment);
    },
    async advance() {
      if (ring === undefined || ring.readRows === ring.rowCount) return;
      const { oldest, segmentRows } = ring;
      const newest = oldest === 0 ? 1 : 0;
      // Rows of both segments match until half of the newer one has.
      if (kernel.takenOf(newest) * 2 < segmentRows) return;
      ring.left.push(leftIn(kernel, at, ring, oldest));
      await fill(kernel, at, ring, oldest);
      ring.oldest = newest;
    },
    isPart: () => ring?.segments === 2,
    patience: () => (ring === undefined || ring.readRows === ring.rowCount ? Infinity : ring.segmentRows / 2),
    async *unmatched() {
      if (ring === undefined) return;
      const { oldest, segments, left } = ring;
      for (const entries of left) yield* rangesOf(entries);
      yield* rangesOf(leftIn(kernel, at, ring, oldest));
      if (segments === 2) yield* rangesOf(leftIn(kernel, at, ring, oldest === 0 ? 1 : 0));
      while (ring.readRows < ring.rowCount) {
        await fill(kernel, at, ring, 0);
        yield* rangesOf(leftIn(kernel, at, ring, 0));
      }
    },
  };
}

function layOut(
  kernel: Kernel,
  at: number,
  ring: Pick<Ring, 'read' | 'rowCount' | 'segments' | 'segmentRows' | 'numbers'>,
): Ring {
  const { segments, segmentRows, numbers } = ring;
  const rows = segments * segmentRows;
  const slotCount = 2 ** Math.ceil(Math.log2(Math.max(16, segmentRows * 1.5)));
  const slotsAt = align(at + rows * ENTRY_BYTES);
  const twinsAt = slotsAt + segments * slotCount * 4;
  const takenAt = twinsAt + rows * 4;
  const numbersAt = align(takenAt + rows);
  reach(kernel, numbersAt + rows * numbers * NUMBER_BYTES);
  kernel.layOutRing(at, segments, segmentRows, slotsAt, slotCount, twinsAt, takenAt, numbersAt);
  return { ...ring, takenAt, numbersAt, readRows: 0, held: [0, 0], oldest: 0, left: [] };
}

/** Reads the next entries into a segment. */
async function fill(kernel: Kernel, at: number, ring: Ring, segment: 0 | 1): Promise<void> {
  const { read, segmentRows, readRows, rowCount } = ring;
  const count = Math.min(segmentRows, rowCount - readRows);
  const entries = bytesAt(kernel, at + segment * segmentRows * ENTRY_BYTES, count * ENTRY_BYTES);
  const filled = count === 0 ? 0 : await read(entries, readRows * ENTRY_BYTES);
  if (filled < entries.length) throw new NeedsExactPath(TOO_SHORT);
  await fillNumbers(kernel, ring, segment, count);
  kernel.index(segment, count);
  ring.readRows += count;
  ring.held[segment] = count;
}

const TOO_SHORT = 'The row index is shorter than it says';

/** They follow the entries of all rows. */
async function fillNumbers(kernel: Kernel, ring: Ring, segment: 0 | 1, count: number): Promise<void> {
  const { read, segmentRows, readRows, rowCount, numbers, numbersAt } = ring;
  const rowBytes = numbers * NUMBER_BYTES;
  if (count * rowBytes === 0) return;
  const into = bytesAt(kernel, numbersAt + segment * segmentRows * rowBytes, count * rowBytes);
  const filled = await read(into, rowCount * ENTRY_BYTES + readRows * rowBytes);
  if (filled < into.length) throw new NeedsExactPath(TOO_SHORT);
}

/** Copies the entries of rows without a match. */
function leftIn(kernel: Kernel, at: number, ring: Ring, segment: 0 | 1): Buffer {
  const { segmentRows, takenAt, held } = ring;
  const first = segment * segmentRows;
  const taken = bytesAt(kernel, takenAt + first, held[segment]);
  const entries = bytesAt(kernel, at + first * ENTRY_BYTES, held[segment] * ENTRY_BYTES);
  const parts: Uint8Array[] = [];
  for (let row = taken.indexOf(0); row !== -1; row = taken.indexOf(0, row + 1)) {
    parts.push(entries.subarray(row * ENTRY_BYTES, (row + 1) * ENTRY_BYTES));
  }
  return Buffer.concat(parts);
}

const LIST_LENGTH = 4096;

function* rangesOf(entries: Buffer): Generator<ByteRange[], void, undefined> {
  const count = entries.length / ENTRY_BYTES;
  for (let row = 0; row < count; row += LIST_LENGTH) {
    yield Array.from({ length: Math.min(LIST_LENGTH, count - row) }, (_, at) => rangeOf(entries, row + at));
  }
}
