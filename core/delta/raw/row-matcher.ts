// Splits a body into rows by bytes and finds the rows that the previous body had, byte for byte or in equal forms. Memory depends
// on the window and on the number of previous rows, not on the size of the body.
import {
  type BodyWindow,
  type BodyWindows,
  layOutMemory,
  type MatcherMemory,
  notedRow,
  openWindows,
} from './matcher-memory.ts';
import { COLUMN_BYTES, comparedCells, comparedMembers, isPlain } from './compared-columns.ts';
import { NeedsExactPath, type RowBytes, decodeRow } from './row-bytes.ts';
import { lineStart } from '../delimited/parse-delimited.ts';
import { bytesAt, type Kernel, loadKernel } from './load-kernel.ts';
import type { ReadAt } from './read-at.ts';
import { NUMBER_BYTES, writeTolerances } from './tolerant-columns.ts';
import { ENTRY_BYTES } from './row-index.ts';
import { createRowsBefore, type RowsBefore, SEGMENT_ROWS } from './rows-before.ts';
import { END_MARK_BYTE } from '../end-mark.ts';
import { TextDecoder } from '@exodus/bytes/encoding.js';
import { ROW_LIMITS } from '../model.ts';
import { createDocumentWalk } from '../json/walk-document.ts';

/** Consecutive rows, at least one. The bytes are valid until the next window. */
interface RowWindow {
  count: number;
  /** In the format of a row index. */
  entries: Uint8Array;
  /** The numbers of these rows (reported-numbers.ts). */
  numbers: Uint8Array;
  /** Places of the rows without a match. */
  unmatchedRows: Uint32Array;
  unmatchedCount: number;
  /** The rows without a match, or the first `count` of them, in order, each after a separator. */
  unmatched: (count?: number) => Buffer;
}

/** Rows in the kernel's memory that were just found. They may be looked at before they are matched. */
export interface RowEntries {
  /** Offset of their entries, each with the offset of the row and its length. */
  at: number;
  count: number;
  /** Position in the body minus offset in memory. */
  base: number;
}

export interface RowMatcher {
  bytes: RowBytes;
  kernel: Kernel;
  /** The memory from here on is free as long as no previous body is begun. */
  freeAt: number;
  /** How many rows are looked at and matched at a time. */
  capacity: number;
  before: RowsBefore;
  /**
   * Splits the body, once.
   * @param seed 16 secret bytes; somebody who knows them could make different rows with equal hashes
   * @param skipped how many rows at the start get no match
   * @param look is called with all rows, in order
   * @throws NeedsExactPath a row is longer than the window, or the body ends within a row
   * @throws CheckError the header, or the part of a document before its rows, cannot be read
   */
  windows: (
    read: ReadAt,
    seed: Uint8Array,
    skipped?: number,
    look?: (rows: RowEntries) => void,
  ) => AsyncGenerator<RowWindow, void, undefined>;
  /** What precedes the rows: the header and the lines above it, or a document up to its first row. Known after the first window. */
  head: () => Uint8Array | undefined;
  /** What follows the rows of a document. Known after the last window. */
  tail: () => Uint8Array;
}

const MARK = Buffer.from('\ufeff');
const MODES = { lines: -1, elements: -2 } as const;
const LINE_END = 10;
const COMMA = 44;
/** The kernel's answer when the array has anything but objects. */
const ODD = 1;

const MAX_WINDOW_BYTES = 1024 * 1024;
/** UTF-8 has at most so many bytes for one byte of another encoding. */
const MOST_DECODED_BYTES = 3;

interface MatcherSizes {
  /** Size of the body. A small one gets a small window. */
  bodyBytes?: number | undefined;
  /** Also the limit for a row. */
  windowBytes?: number | undefined;
  /** How many rows are matched at a time. */
  capacity?: number | undefined;
  /** Rows of the previous body in a segment, of which two are in memory. */
  segmentRows?: number | undefined;
}

export function createRowMatcher(
  bytes: RowBytes,
  { bodyBytes = Infinity, segmentRows = SEGMENT_ROWS, ...sizes }: MatcherSizes = {},
): RowMatcher {
  const { windowBytes = Math.min(MAX_WINDOW_BYTES, bodyBytes * MOST_DECODED_BYTES + 1) } = sizes;
  // Between two matches, the previous body moves on by a segment at most.
  const { capacity = Math.ceil(Math.min(windowBytes / 16, segmentRows / 2)) } = sizes;
  const kernel = loadKernel();
  const memory = layOutMemory(kernel, { windowBytes, capacity, columns: bytes });
  const before = createRowsBefore(kernel, memory.beforeAt, {
    mostRows: segmentRows,
    numbers: bytes.tolerant.length,
  });
  const state: State = {
    kernel,
    before,
    memory,
    bytes,
    windowBytes,
    head: undefined,
    above: new Uint8Array(),
    tail: [],
    toSkip: 0,
    look: () => undefined,
    hasEnded: false,
  };
  return {
    bytes,
    kernel,
    freeAt: memory.beforeAt,
    capacity,
    before,
    head: () => state.head,
    tail: () => Buffer.concat(state.tail),
    async *windows(read, seed, skipped = 0, look = () => undefined) {
      configure(state, seed);
      state.toSkip = skipped;
      state.look = look;
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
  readonly before: RowsBefore;
  readonly memory: MatcherMemory;
  readonly bytes: RowBytes;
  readonly windowBytes: number;
  head: Uint8Array | undefined;
  /** The lines above a header. */
  above: Uint8Array;
  tail: Uint8Array[];
  /** How many of the next rows get no match. */
  toSkip: number;
  look: (rows: RowEntries) => void;
  /** Whether all rows were found. */
  hasEnded: boolean;
}

function configure({ kernel, bytes, memory }: State, seed: Uint8Array): void {
  const { split, quoting, charset } = bytes;
  const key = new DataView(seed.buffer, seed.byteOffset, seed.byteLength);
  const mode = typeof split === 'number' ? split : MODES[split];
  const seeds = [key.getBigUint64(0, true), key.getBigUint64(8, true)] as const;
  kernel.configure(...seeds, mode, quoting === 'double', charset === 'utf-8');
  const tolerances = writeTolerances(bytes.tolerant);
  bytesAt(kernel, memory.tolerancesAt, tolerances.length).set(tolerances);
  kernel.setTolerances(memory.tolerancesAt, bytes.tolerant.length, memory.numbersAt);
}

async function* splitAll(state: State, windows: BodyWindows): AsyncGenerator<RowWindow, void, undefined> {
  let window = await windows.next(0);
  let rest = begin(state, window);
  for (;;) {
    if (window.isLast) refuseEndMark(state, rest, window.end);
    rest = yield* splitWindow(state, window, rest);
    if (window.isLast) break;
    window = await windows.next(rest);
    rest = window.start;
  }
  if (state.bytes.split === 'elements') {
    if (!state.hasEnded) throw new NeedsExactPath('The array does not end');
  } else if (rest < window.end) throw new NeedsExactPath('A quote is open at the end');
}

/** The kernel would take the mark for a part of the last row. */
function refuseEndMark({ kernel, bytes }: State, start: number, end: number): void {
  if (bytes.split === 'elements' || start === end) return;
  if (bytesAt(kernel, end - 1, 1)[0] === END_MARK_BYTE) throw new NeedsExactPath('The body has an end mark');
}

/** Reads what precedes the rows, except for a header. @returns where to continue */
function begin(state: State, { start, end }: BodyWindow): number {
  const { kernel, bytes } = state;
  const first = bytesAt(kernel, start, end - start);
  const hasMark =
    bytes.charset === 'utf-8' &&
    bytes.decodedFrom === undefined &&
    first.subarray(0, MARK.length).equals(MARK);
  const from = hasMark ? MARK.length : 0;
  if (typeof bytes.split === 'number') return start + from + skipAbove(state, first.subarray(from));
  const { list, count } = comparedMembers(bytes);
  setColumns(state, list, count);
  if (bytes.split === 'lines') {
    state.head = new Uint8Array();
    return start + from;
  }
  const rowsAt = from + findRowsStart(first.subarray(from), bytes);
  state.head = Uint8Array.from(first.subarray(from, rowsAt));
  return start + rowsAt;
}

/** Reads the lines above the header. @returns their size in bytes */
function skipAbove(state: State, first: Buffer): number {
  const { headerRow } = state.bytes;
  if (headerRow === 1) return 0;
  // In these charsets the bytes of line ends are never part of another character.
  const length = lineStart(first.toString('latin1'), headerRow);
  if (length === undefined) throw new NeedsExactPath('The header is too far down');
  state.above = Uint8Array.from(first.subarray(0, length));
  return length;
}

function setColumns({ kernel, memory }: State, list: Uint8Array, count: number): void {
  bytesAt(kernel, memory.columnsAt, list.length).set(list);
  kernel.setColumns(memory.columnsAt, count, memory.rowAt);
}

/** Finds all complete rows in the window. @returns where the incomplete rest begins */
async function* splitWindow(
  state: State,
  { end, base, isLast }: BodyWindow,
  start: number,
): AsyncGenerator<RowWindow, number, undefined> {
  const { kernel, memory } = state;
  let rest = start;
  while (!state.hasEnded) {
    const capacity = state.head === undefined ? 1 : memory.capacity;
    const found = kernel.scan(rest, end, isLast, memory.foundAt, capacity);
    rest = kernel.unfinishedAt();
    if (state.head === undefined && found > 0) takeHeader(state);
    else if (found > 0) {
      state.look({ at: memory.foundAt, count: found, base });
      await state.before.advance();
      yield match(state, found, base);
    }
    if (found < capacity || kernel.elementsEnd() > 0) break;
  }
  if (state.bytes.split !== 'elements') return rest;
  if (kernel.elementsEnd() === ODD) throw new NeedsExactPath('The array has elements that are not objects');
  state.hasEnded ||= kernel.elementsEnd() > 0;
  if (state.hasEnded) takeTail(state, rest, end);
  return state.hasEnded ? end : rest;
}

/** The first row is the header. */
function takeHeader(state: State): void {
  const { kernel, memory, bytes } = state;
  const header = notedRow(kernel, memory.foundAt + ENTRY_BYTES - 8);
  state.head = Uint8Array.from(Buffer.concat([state.above, header]));
  if (typeof bytes.split !== 'number' || isPlain(bytes)) return;
  const marks = { delimiter: String.fromCharCode(bytes.split), quoting: bytes.quoting };
  const cells = comparedCells(decodeRow(header, bytes.charset), marks, bytes);
  setColumns(state, cells, cells.length / COLUMN_BYTES);
}

function takeTail({ kernel, tail, windowBytes }: State, from: number, end: number): void {
  tail.push(Uint8Array.from(bytesAt(kernel, from, end - from)));
  const sizeBytes = tail.reduce((sum, part) => sum + part.length, 0);
  if (sizeBytes > 2 * windowBytes) throw new NeedsExactPath('Too much follows the rows');
}

/** Matches the rows that were found with those of the previous body. */
function match(state: State, found: number, base: number): RowWindow {
  const { kernel, memory, bytes, toSkip } = state;
  const { foundAt, unmatchedAt, unmatchedRowsAt, numbersAt, gatheredAt } = memory;
  const unmatchedCount = kernel.match(foundAt, found, toSkip, BigInt(base), unmatchedAt, unmatchedRowsAt);
  state.toSkip = Math.max(0, toSkip - found);
  return {
    count: found,
    entries: bytesAt(kernel, foundAt, found * ENTRY_BYTES),
    numbers: bytesAt(kernel, numbersAt, found * bytes.tolerant.length * NUMBER_BYTES),
    unmatchedRows: new Uint32Array(kernel.memory.buffer, unmatchedRowsAt, unmatchedCount),
    unmatchedCount,
    unmatched(count = unmatchedCount) {
      const separator = bytes.split === 'elements' ? COMMA : LINE_END;
      const rows = Math.min(count, unmatchedCount);
      return bytesAt(kernel, gatheredAt, kernel.gather(unmatchedAt, rows, separator, gatheredAt));
    },
  };
}

/** Rows usually begin near the start of a document. */
const FIRST_LENGTH = 4096;

/**
 * @param head the first bytes of the document, which may end within a character
 * @returns the offset of the first element of the array at the path
 * @throws NeedsExactPath the element is not in these bytes @throws CheckError what precedes it is not JSON
 */
function findRowsStart(head: Uint8Array, { charset, rowsPath }: RowBytes): number {
  const text = decodeHead(head, charset);
  const starts: number[] = [];
  const { walk } = createDocumentWalk({
    takeArray: (path) =>
      (path ?? '') === rowsPath && path !== '' ? (_element, offset) => void starts.push(offset) : undefined,
    nameElement: () => '',
    limits: ROW_LIMITS,
  });
  for (let at = 0, length = FIRST_LENGTH; starts.length === 0; length *= 2) {
    at += walk(text.slice(at, length), false);
    if (length >= text.length) break;
  }
  const [start] = starts;
  if (start === undefined) throw new NeedsExactPath('The rows begin too late');
  // In the other charsets each character is one byte.
  return charset === 'utf-8' ? Buffer.byteLength(text.slice(0, start)) : start;
}

function decodeHead(head: Uint8Array, charset: string): string {
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM: true }).decode(head, { stream: true });
  } catch (cause) {
    throw new NeedsExactPath(`The document does not begin in ${charset}`, { cause });
  }
}
