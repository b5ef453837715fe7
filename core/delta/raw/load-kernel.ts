// Begins an instance of the kernel: its functions, and a memory of its own that grows.
import { KERNEL } from './kernel-wasm.ts';
import { NeedsExactPath } from './needs-exact-path.ts';

/** Places are byte offsets in the memory. See kernel/ for what each function does. */
export interface Kernel {
  memory: WebAssembly.Memory;
  configure: (key0: bigint, key1: bigint, mode: number, isUtf8: boolean) => void;
  ignore: (ignored: number, count: number, room: number) => void;
  scan: (start: number, end: number, isEnd: boolean, found: number, capacity: number) => number;
  unfinishedAt: () => number;
  elementsEnd: () => number;
  index: (
    entries: number,
    count: number,
    slots: number,
    slotCount: number,
    twins: number,
    taken: number,
  ) => void;
  match: (found: number, count: number, skipped: number, base: bigint, unmatched: number) => number;
  gather: (rows: number, count: number, separator: number, out: number) => number;
}

const PAGE_BYTES = 64 * 1024;
let compiled: WebAssembly.Module | undefined;

export function loadKernel(): Kernel {
  compiled ??= new WebAssembly.Module(Buffer.from(KERNEL, 'base64'));
  // The module's exports are these: test/core/delta/raw/kernel.test.ts calls each.
  return new WebAssembly.Instance(compiled).exports as Kernel;
}

/** Grows the memory, if need be, to so many bytes. Views of it become invalid. @throws NeedsExactPath */
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

/** The next place at which anything may begin. */
export const align = (at: number): number => Math.ceil(at / 16) * 16;
