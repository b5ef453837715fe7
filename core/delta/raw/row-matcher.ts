// Splits a body into rows by its bytes alone, and tells which of them stood, byte for byte, in the body before. Memory is
// bounded by a window and by the number of rows before, whatever the body's size.
import { type BodyWindow, type BodyWindows, openWindows } from './body-windows.ts';
import { ignoredBytes, ignoredCells, ignoredMembers } from './ignored-bytes.ts';
import { lineStart } from '../delimited/header-row.ts';
import { bytesAt, type Kernel, loadKernel } from './load-kernel.ts';
import { layOutMemory, type MatcherMemory, notedRow } from './matcher-memory.ts';
import { NeedsExactPath } from './needs-exact-path.ts';
import type { ReadAt } from './read-at.ts';
import type { RowBytes } from './row-bytes.ts';
import { ENTRY_BYTES } from './row-entry.ts';
import { rowText } from './row-text.ts';
import { createRowsBefore, type RowsBefore } from './rows-before.ts';
import { findRowsStart } from './rows-start.ts';

/** Rows that lie together in the body, at least one. Its bytes are valid until the next window. */
interface RowWindow {
  count: number;
  /** As in a row index. */
  entries: Uint8Array;
  unmatchedCount: number;
  /** The rows without a match, or the first of them, in their order, each behind the separator. */
  unmatched: (count?: number) => Buffer;
}

export interface RowMatcher {
  bytes: RowBytes;
  before: RowsBefore;
  /**
   * Splits the body, once.
   * @param seed 16 bytes, secret: who knows them can make rows that are taken for one another
   * @param skipped rows at the beginning that get no match whatever their bytes
   * @throws NeedsExactPath a row is longer than the window, or the body ends within one
   * @throws CheckError the header, or what stands before the rows of a document, cannot be read
   */
  windows: (read: ReadAt, seed: Uint8Array, skipped?: number) => AsyncGenerator<RowWindow, void, undefined>;
  /** What stands before the rows, once a window has come: a header and the lines above it, or a document up to its first row. */
  head: () => Uint8Array | undefined;
  /** What stands behind the rows of a document, once the windows have ended. */
  tail: () => Uint8Array;
}

const MARK = Buffer.from('\ufeff');
const MODES = { lines: -1, elements: -2 } as const;
const LINE_END = 10;
const COMMA = 44;
/** What the kernel answers when anything but objects stands in the array. */
const ODD = 1;

/** @param windowBytes also the length of the longest row */
export function createRowMatcher(
  bytes: RowBytes,
  windowBytes = 1024 * 1024,
  capacity = windowBytes / 16,
): RowMatcher {
  const kernel = loadKernel();
  const memory = layOutMemory(kernel, { windowBytes, capacity, ignoredBytes: ignoredBytes(bytes.ignored) });
  const state: State = {
    kernel,
    memory,
    bytes,
    windowBytes,
    head: undefined,
    above: new Uint8Array(),
    tail: [],
    toSkip: 0,
    hasEnded: false,
  };
  return {
    bytes,
    before: createRowsBefore(kernel, memory.beforeAt),
    head: () => state.head,
    tail: () => Buffer.concat(state.tail),
    async *windows(read, seed, skipped = 0) {
      configure(state, seed);
      state.toSkip = skipped;
      const windows = openWindows(kernel, memory.windowsAt, windowBytes, read);
      try {
        yield* splitAll(state, windows);
      } finally {
        await windows.close();
      }
    },
  };
}

interface State {
  readonly kernel: Kernel;
  readonly memory: MatcherMemory;
  readonly bytes: RowBytes;
  readonly windowBytes: number;
  head: Uint8Array | undefined;
  /** The lines above a header. */
  above: Uint8Array;
  tail: Uint8Array[];
  /** So many of the next rows get no match. */
  toSkip: number;
  /** Whether no more rows follow, whatever does. */
  hasEnded: boolean;
}

function configure({ kernel, bytes }: State, seed: Uint8Array): void {
  const { split, charset } = bytes;
  const key = new DataView(seed.buffer, seed.byteOffset, seed.byteLength);
  const mode = typeof split === 'number' ? split : MODES[split];
  kernel.configure(key.getBigUint64(0, true), key.getBigUint64(8, true), mode, charset === 'utf-8');
}

async function* splitAll(state: State, windows: BodyWindows): AsyncGenerator<RowWindow, void, undefined> {
  let window = await windows.next(0);
  let rest = begin(state, window);
  for (;;) {
    rest = yield* splitWindow(state, window, rest);
    if (window.isLast) break;
    window = await windows.next(rest);
    rest = window.start;
  }
  if (state.bytes.split === 'elements') {
    if (!state.hasEnded) throw new NeedsExactPath('The array does not end');
  } else if (rest < window.end) throw new NeedsExactPath('A quote is open at the end');
}

/** Takes what stands before the rows, except for a header. @returns where to go on */
function begin(state: State, { start, end }: BodyWindow): number {
  const { kernel, bytes } = state;
  const first = bytesAt(kernel, start, end - start);
  const hasMark =
    bytes.charset === 'utf-8' &&
    bytes.decodedFrom === undefined &&
    first.subarray(0, MARK.length).equals(MARK);
  const from = hasMark ? MARK.length : 0;
  if (typeof bytes.split === 'number') return start + from + skipAbove(state, first.subarray(from));
  ignore(state, ignoredMembers(bytes.ignored), bytes.ignored.length);
  if (bytes.split === 'lines') {
    state.head = new Uint8Array();
    return start + from;
  }
  const rowsAt = from + findRowsStart(first.subarray(from), bytes);
  state.head = Uint8Array.from(first.subarray(from, rowsAt));
  return start + rowsAt;
}

/** Takes the lines above the header. @returns how many bytes they have */
function skipAbove(state: State, first: Buffer): number {
  const { headerRow } = state.bytes;
  if (headerRow === 1) return 0;
  // Bytes of line ends are part of nothing else in charsets whose rows are told by their bytes.
  const length = lineStart(first.toString('latin1'), headerRow);
  if (length === undefined) throw new NeedsExactPath('The header is too far down');
  state.above = Uint8Array.from(first.subarray(0, length));
  return length;
}

function ignore({ kernel, memory }: State, ignored: Uint8Array, count: number): void {
  bytesAt(kernel, memory.ignoredAt, ignored.length).set(ignored);
  kernel.ignore(memory.ignoredAt, count, memory.rowAt);
}

/** Finds all complete rows in the window. @returns where the rest begins */
function* splitWindow(
  state: State,
  { end, base, isLast }: BodyWindow,
  start: number,
): Generator<RowWindow, number> {
  const { kernel, memory } = state;
  let rest = start;
  while (!state.hasEnded) {
    const capacity = state.head === undefined ? 1 : memory.capacity;
    const found = kernel.scan(rest, end, isLast, memory.foundAt, capacity);
    rest = kernel.unfinishedAt();
    if (state.head === undefined && found > 0) takeHeader(state);
    else if (found > 0) yield match(state, found, base);
    if (found < capacity || kernel.elementsEnd() > 0) break;
  }
  if (state.bytes.split !== 'elements') return rest;
  if (kernel.elementsEnd() === ODD) throw new NeedsExactPath('Not only objects stand in the array');
  state.hasEnded ||= kernel.elementsEnd() > 0;
  if (state.hasEnded) takeTail(state, rest, end);
  return state.hasEnded ? end : rest;
}

/** The first row is the header. */
function takeHeader(state: State): void {
  const { kernel, memory, bytes } = state;
  const header = notedRow(kernel, memory.foundAt + ENTRY_BYTES - 8);
  state.head = Uint8Array.from(Buffer.concat([state.above, header]));
  if (typeof bytes.split !== 'number' || bytes.ignored.length === 0) return;
  const cells = ignoredCells(rowText(header, bytes.charset), bytes.split, bytes.ignored);
  ignore(state, cells, cells.length);
}

function takeTail({ kernel, tail, windowBytes }: State, from: number, end: number): void {
  tail.push(Uint8Array.from(bytesAt(kernel, from, end - from)));
  const sizeBytes = tail.reduce((sum, part) => sum + part.length, 0);
  if (sizeBytes > 2 * windowBytes) throw new NeedsExactPath('Too much stands behind the rows');
}

/** Gives the rows that were found their matches. */
function match(state: State, found: number, base: number): RowWindow {
  const { kernel, memory, bytes, toSkip } = state;
  const { foundAt, unmatchedAt, gatheredAt } = memory;
  const unmatchedCount = kernel.match(foundAt, found, toSkip, BigInt(base), unmatchedAt);
  state.toSkip = Math.max(0, toSkip - found);
  return {
    count: found,
    entries: bytesAt(kernel, foundAt, found * ENTRY_BYTES),
    unmatchedCount,
    unmatched(count = unmatchedCount) {
      const separator = bytes.split === 'elements' ? COMMA : LINE_END;
      const rows = Math.min(count, unmatchedCount);
      return bytesAt(kernel, gatheredAt, kernel.gather(unmatchedAt, rows, separator, gatheredAt));
    },
  };
}
