// Splits a body that comes in chunks into rows by its bytes alone, and tells which of them stood, byte for byte, in the
// body before. Memory is bounded by a window and by the number of rows before, whatever the body's size.
import { align, bytesAt, type Kernel, loadKernel, reach } from './load-kernel.ts';
import { NeedsExactPath } from './needs-exact-path.ts';
import { ENTRY_BYTES } from './row-entry.ts';
import { createRowsBefore, type RowsBefore } from './rows-before.ts';

/** Rows that lie together in the body. Its bytes are valid until the next window. */
export interface RowWindow {
  count: number;
  /** As in a row index. */
  entries: Uint8Array;
  /** The rows without a match, in their order, without line ends. */
  unmatched: () => Uint8Array[];
}

export interface RowMatcher {
  before: RowsBefore;
  /**
   * Splits the body, once. A window may have no rows.
   * @param seed 16 bytes, secret: who knows them can make rows that are taken for one another
   * @param skipped rows at the beginning that get no match whatever their bytes
   * @throws NeedsExactPath a row is longer than the window, or a quote is open at the end
   */
  windows: (
    chunks: AsyncIterable<Uint8Array>,
    seed: Uint8Array,
    skipped?: number,
  ) => AsyncGenerator<RowWindow, void, undefined>;
  /** The header's bytes, once a window has come or the windows have ended. */
  header: () => Uint8Array | undefined;
}

const WINDOW_AT = 64 * 1024;
/** The kernel reads words past a row's end. */
const SLACK_BYTES = 64;
const MARK = [0xef, 0xbb, 0xbf];

/**
 * @param delimiter an ASCII code, or null where every line is a row; a body with a delimiter begins with a header
 * @param windowBytes also the length of the longest row
 */
export function createRowMatcher(
  delimiter: number | null,
  windowBytes = 1024 * 1024,
  capacity = windowBytes / 16,
): RowMatcher {
  const kernel = loadKernel();
  const foundAt = align(WINDOW_AT + windowBytes + SLACK_BYTES);
  const unmatchedAt = foundAt + capacity * ENTRY_BYTES;
  const beforeAt = align(unmatchedAt + capacity * 8);
  reach(kernel, beforeAt);
  const hasHeader = delimiter !== null;
  const state: State = { kernel, foundAt, unmatchedAt, capacity, hasHeader, header: undefined, toSkip: 0 };
  return {
    before: createRowsBefore(kernel, beforeAt),
    header: () => state.header,
    async *windows(chunks, seed, skipped = 0) {
      const key = new DataView(seed.buffer, seed.byteOffset, seed.byteLength);
      kernel.configure(key.getBigUint64(0, true), key.getBigUint64(8, true), delimiter ?? -1);
      state.toSkip = skipped;
      let [base, filled] = [0, 0];
      for await (const chunk of chunks) {
        for (let from = 0; from < chunk.length;) {
          const part = chunk.subarray(from, from + windowBytes - filled);
          bytesAt(kernel, WINDOW_AT + filled, part.length).set(part);
          from += part.length;
          filled += part.length;
          if (filled < windowBytes) continue;
          const used = yield* drain(state, filled, base, false);
          if (used === 0) throw new NeedsExactPath('A row is longer than the window');
          bytesAt(kernel, WINDOW_AT, filled).copyWithin(0, used);
          base += used;
          filled -= used;
        }
      }
      const used = yield* drain(state, filled, base, true);
      if (used < filled) throw new NeedsExactPath('A quote is open at the end');
    },
  };
}

interface State {
  readonly kernel: Kernel;
  /** Where the kernel writes entries, and the places of rows without a match; for so many rows at a time. */
  readonly foundAt: number;
  readonly unmatchedAt: number;
  readonly capacity: number;
  readonly hasHeader: boolean;
  header: Uint8Array | undefined;
  /** So many of the next rows get no match. */
  toSkip: number;
}

/** Finds all complete rows in the window's first bytes. @returns how many bytes they take */
function* drain(state: State, filled: number, base: number, isEnd: boolean): Generator<RowWindow, number> {
  const { kernel, foundAt, capacity } = state;
  let used = base === 0 && hasMark(bytesAt(kernel, WINDOW_AT, filled)) ? MARK.length : 0;
  let found = capacity;
  while (found === capacity) {
    found = kernel.scan(WINDOW_AT + used, WINDOW_AT + filled, isEnd, foundAt, capacity);
    used = kernel.unfinishedAt() - WINDOW_AT;
    yield match(state, found, base);
  }
  return used;
}

/** Gives the rows that were found their matches; the first row of all may be the header. */
function match(state: State, found: number, base: number): RowWindow {
  const { kernel, foundAt, unmatchedAt, hasHeader, toSkip } = state;
  let at = foundAt;
  if (hasHeader && state.header === undefined && found > 0) {
    state.header = Uint8Array.from(rowAt(kernel, foundAt + ENTRY_BYTES - 8));
    at += ENTRY_BYTES;
  }
  const count = found - (at - foundAt) / ENTRY_BYTES;
  const left = kernel.match(at, count, toSkip, BigInt(base - WINDOW_AT), unmatchedAt);
  state.toSkip = Math.max(0, toSkip - count);
  const unmatched = () => Array.from({ length: left }, (_, row) => rowAt(kernel, unmatchedAt + row * 8));
  return { count, entries: bytesAt(kernel, at, count * ENTRY_BYTES), unmatched };
}

/** The bytes of a row that the kernel has noted at some place: where it begins, how long it is. */
function rowAt(kernel: Kernel, notedAt: number): Uint8Array {
  const [at = 0, length = 0] = new Uint32Array(kernel.memory.buffer, notedAt, 2);
  return bytesAt(kernel, at, length);
}

const hasMark = (bytes: Uint8Array): boolean => MARK.every((byte, at) => bytes[at] === byte);
