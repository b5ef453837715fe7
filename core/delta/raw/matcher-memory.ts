// The layout of the kernel's memory for a row matcher, and the windows of the body in it.
import { align, bytesAt, type Kernel, reach } from './load-kernel.ts';
import { ENTRY_BYTES } from './row-index.ts';
import { comparedBytes, type ComparedColumns } from './compared-columns.ts';
import { NeedsExactPath } from './row-bytes.ts';
import type { ReadAt } from './read-at.ts';
import { NUMBER_BYTES, writeTolerances } from './tolerant-columns.ts';

export interface MatcherMemory {
  windowsAt: number;
  /** Offsets for entries and for the positions of rows without a match, `capacity` rows at a time. */
  foundAt: number;
  unmatchedAt: number;
  /** For the numbers of these rows in the window, and of each row that was found those that were reported last. */
  unmatchedRowsAt: number;
  numbersAt: number;
  tolerancesAt: number;
  capacity: number;
  /** For the bytes of rows without a match, each after a separator. */
  gatheredAt: number;
  /** For the columns that are ignored or have a rule, and for a row as it is compared. */
  columnsAt: number;
  rowAt: number;
  /** Everything after this belongs to the rows of the previous body. */
  beforeAt: number;
}

/** The kernel uses the memory below. */
const BEGIN = 64 * 1024;
const UNMATCHED_BYTES = 8;
const ROW_NUMBER_BYTES = 4;
/** The kernel may read or write this far past the end of what it works on. */
const SLACK_BYTES = 64;

export function layOutMemory(
  kernel: Kernel,
  { windowBytes, capacity, columns }: { windowBytes: number; capacity: number; columns: ComparedColumns },
): MatcherMemory {
  const foundAt = align(BEGIN + windowsBytes(windowBytes));
  const unmatchedAt = align(foundAt + capacity * ENTRY_BYTES);
  const unmatchedRowsAt = align(unmatchedAt + capacity * UNMATCHED_BYTES);
  const numbersAt = align(unmatchedRowsAt + capacity * ROW_NUMBER_BYTES);
  const tolerancesAt = align(numbersAt + capacity * columns.tolerant.length * NUMBER_BYTES);
  const gatheredAt = align(tolerancesAt + writeTolerances(columns.tolerant).length);
  const { columnsBytes, growthBytes } = comparedBytes(columns);
  const columnsAt = align(gatheredAt + 2 * windowBytes + capacity + SLACK_BYTES);
  const rowAt = align(columnsAt + columnsBytes);
  const beforeAt = align(rowAt + 2 * windowBytes + growthBytes + SLACK_BYTES);
  reach(kernel, beforeAt);
  return {
    windowsAt: BEGIN,
    foundAt,
    unmatchedAt,
    unmatchedRowsAt,
    numbersAt,
    tolerancesAt,
    capacity,
    gatheredAt,
    columnsAt,
    rowAt,
    beforeAt,
  };
}

/** The bytes of a row whose position and length the kernel has written at an offset. */
export function notedRow(kernel: Kernel, at: number): Buffer {
  const [start = 0, length = 0] = new Uint32Array(kernel.memory.buffer, at, 2);
  return bytesAt(kernel, start, length);
}

export interface BodyWindow {
  /** Offsets of the window in memory, with the rest of the previous window. */
  start: number;
  end: number;
  /** Position in the body minus offset in memory. */
  base: number;
  isLast: boolean;
}

export interface BodyWindows {
  /** @param rest start of the unprocessed rest of the previous window @throws NeedsExactPath the rest is too long */
  next: (rest: number) => Promise<BodyWindow>;
  /** Call it at the end. Nothing is read into the memory after that. */
  close: () => Promise<void>;
}

/** Memory for two windows, each after space for the rest of the other. */
const windowsBytes = (windowBytes: number): number => 2 * slotBytes(windowBytes);
const slotBytes = (windowBytes: number): number => align(2 * windowBytes + SLACK_BYTES);

export function openWindows(kernel: Kernel, at: number, windowBytes: number, read: ReadAt): BodyWindows {
  let offset = 0;
  let slot = 0;
  let end = 0;
  const placeOf = (n: number): number => at + (n % 2) * slotBytes(windowBytes) + windowBytes;
  const readInto = (n: number, from: number): Promise<number> => {
    const pending = read(bytesAt(kernel, placeOf(n), windowBytes), from);
    // The rejection is reported when this is awaited. A caller that stops early never awaits it.
    pending.catch(() => undefined);
    return pending;
  };
  let pending = readInto(0, 0);
  return {
    async next(rest) {
      const count = await pending;
      const place = placeOf(slot);
      const start = place - (slot === 0 ? 0 : end - rest);
      if (place - start > windowBytes) throw new NeedsExactPath('A row is longer than the window');
      new Uint8Array(kernel.memory.buffer).copyWithin(start, rest, slot === 0 ? rest : end);
      const base = offset - place;
      end = place + count;
      offset += count;
      slot++;
      const isLast = count < windowBytes;
      if (!isLast) pending = readInto(slot, offset);
      return { start, end, base, isLast };
    },
    close: () =>
      pending.then(
        () => undefined,
        () => undefined,
      ),
  };
}
