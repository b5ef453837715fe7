// What a row matcher keeps where in the kernel's memory.
import { windowsBytes } from './body-windows.ts';
import { align, bytesAt, type Kernel, reach } from './load-kernel.ts';
import { ENTRY_BYTES } from './row-entry.ts';

export interface MatcherMemory {
  windowsAt: number;
  /** Where the kernel writes entries, and the places of rows without a match; for so many rows at a time. */
  foundAt: number;
  unmatchedAt: number;
  capacity: number;
  /** For all rows without a match one behind the other, each with a separator. */
  gatheredAt: number;
  /** For what is ignored, and for a row without it. */
  ignoredAt: number;
  rowAt: number;
  /** All behind it belongs to the rows before. */
  beforeAt: number;
}

/** Below that stands what the kernel itself needs. */
const BEGIN = 64 * 1024;
const UNMATCHED_BYTES = 8;
const SLACK_BYTES = 64;

/** @param ignoredBytes for what is ignored, as the kernel wants it */
export function layOutMemory(
  kernel: Kernel,
  { windowBytes, capacity, ignoredBytes }: { windowBytes: number; capacity: number; ignoredBytes: number },
): MatcherMemory {
  const foundAt = align(BEGIN + windowsBytes(windowBytes));
  const unmatchedAt = align(foundAt + capacity * ENTRY_BYTES);
  const gatheredAt = align(unmatchedAt + capacity * UNMATCHED_BYTES);
  const ignoredAt = align(gatheredAt + 2 * windowBytes + capacity + SLACK_BYTES);
  const rowAt = align(ignoredAt + ignoredBytes);
  const beforeAt = align(rowAt + 2 * windowBytes + SLACK_BYTES);
  reach(kernel, beforeAt);
  return { windowsAt: BEGIN, foundAt, unmatchedAt, capacity, gatheredAt, ignoredAt, rowAt, beforeAt };
}

/** The bytes of a row that the kernel has noted at some place: where it begins, how long it is. */
export function notedRow(kernel: Kernel, at: number): Buffer {
  const [start = 0, length = 0] = new Uint32Array(kernel.memory.buffer, at, 2);
  return bytesAt(kernel, start, length);
}
