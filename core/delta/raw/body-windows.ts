// Brings a body into the kernel's memory, a window after the other: while one is worked on, the next is read.
import { align, bytesAt, type Kernel } from './load-kernel.ts';
import { NeedsExactPath } from './needs-exact-path.ts';
import type { ReadAt } from './read-at.ts';

export interface BodyWindow {
  /** Where the window stands in the memory, with what was left of the one before. */
  start: number;
  end: number;
  /** What to add to a place in the memory for the place in the body. */
  base: number;
  isLast: boolean;
}

export interface BodyWindows {
  /** @param rest where in the window before begins what is still to be worked on @throws NeedsExactPath it is too long */
  next: (rest: number) => Promise<BodyWindow>;
  /** To be called at last: nothing is read into the memory from then on. */
  close: () => Promise<void>;
}

/** The kernel reads words past a row's end. */
const SLACK_BYTES = 64;

/** What windows of this size take of the memory: two, each behind room for what is left of the other. */
export const windowsBytes = (windowBytes: number): number => 2 * slotBytes(windowBytes);
const slotBytes = (windowBytes: number): number => align(2 * windowBytes + SLACK_BYTES);

export function openWindows(kernel: Kernel, at: number, windowBytes: number, read: ReadAt): BodyWindows {
  let offset = 0;
  let slot = 0;
  let end = 0;
  const placeOf = (n: number): number => at + (n % 2) * slotBytes(windowBytes) + windowBytes;
  const readInto = (n: number, from: number): Promise<number> => {
    const pending = read(bytesAt(kernel, placeOf(n), windowBytes), from);
    // Told by whoever awaits it; nobody does where all ends before.
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
