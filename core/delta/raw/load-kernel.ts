// Instantiates the kernel, a WebAssembly module with its own memory.
import { KERNEL } from './kernel-wasm.ts';
import { NeedsExactPath } from './row-bytes.ts';

/** Numbers are byte offsets in the memory. See kernel/ for what each function does. */
export interface Kernel {
  memory: WebAssembly.Memory;
  configure: (key0: bigint, key1: bigint, mode: number, hasQuotes: boolean, isUtf8: boolean) => void;
  setColumns: (columns: number, count: number, room: number) => void;
  setTolerances: (tolerances: number, count: number, found: number) => void;
  scan: (start: number, end: number, isEnd: boolean, found: number, capacity: number) => number;
  unfinishedAt: () => number;
  elementsEnd: () => number;
  layOutRing: (
    entries: number,
    segments: number,
    segmentRows: number,
    slots: number,
    slotCount: number,
    twins: number,
    taken: number,
    reported: number,
  ) => void;
  index: (segment: number, count: number) => void;
  takenOf: (segment: number) => number;
  match: (
    found: number,
    count: number,
    skipped: number,
    base: bigint,
    unmatched: number,
    rows: number,
  ) => number;
  gather: (rows: number, count: number, separator: number, out: number) => number;
  giveMemory: (from: number, to: number) => void;
  beginSurvey: (
    kinds: number,
    columns: number,
    values: number,
    room: number,
    doubts: number,
    doubtCount: number,
    shapedRows: number,
    keyParts: number,
    mostKeyBytes: number,
    isWriting: boolean,
  ) => void;
  survey: (found: number, first: number, count: number, base: bigint) => number;
  surveyOutcome: () => number;
  longestRow: () => number;
  takeDoubts: () => number;
  beginWriting: (
    columns: number,
    emptyBytes: number,
    byName: number,
    byNameCount: number,
    keyColumns: number,
    keyParts: number,
    out: number,
    outBytes: number,
    rows: number,
  ) => void;
  takeWritten: () => number;
  /** This and the next two return 1 for true. */
  sortList: (column: number, most: number) => number;
  repeats: () => number;
  hasValue: (column: number, text: number, length: number) => number;
}

const PAGE_BYTES = 64 * 1024;
let compiled: WebAssembly.Module | undefined;

export function loadKernel(): Kernel {
  compiled ??= new WebAssembly.Module(Buffer.from(KERNEL, 'base64'));
  // test/core/delta/raw/kernel/kernel.test.ts calls every export.
  return new WebAssembly.Instance(compiled).exports as Kernel;
}

/** Grows the memory to at least this size, which invalidates views of it. @throws NeedsExactPath there is not enough memory */
export function reach({ memory }: Kernel, sizeBytes: number): void {
  const missing = sizeBytes - memory.buffer.byteLength;
  if (missing <= 0) return;
  try {
    memory.grow(Math.ceil(missing / PAGE_BYTES));
  } catch (cause) {
    throw new NeedsExactPath('There is not enough memory', { cause });
  }
}

/** A view of the memory, valid until it grows. */
export function bytesAt({ memory }: Kernel, at: number, length: number): Buffer {
  return Buffer.from(memory.buffer, at, length);
}

/** Rounds an offset up to the alignment of the kernel's data. */
export const align = (at: number): number => Math.ceil(at / 16) * 16;
