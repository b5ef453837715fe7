// Polls a condition until a deadline; the error names the condition.
import { setTimeout as pause } from 'node:timers/promises';

/** How long a test waits for something that must happen. For liveness only: a loaded machine must not reach it. */
export const LIVENESS_MS = 240_000;

interface UntilOptions {
  deadlineMs?: number;
  /** The longest pause between two probes. The first pauses are shorter. */
  everyMs?: number;
}

/** @returns the first value that is neither undefined nor false @throws Error that names `what` after the deadline */
export async function until<T>(
  what: string,
  probe: () => Promise<T | undefined | false> | T | undefined | false,
  { deadlineMs = LIVENESS_MS, everyMs = 100 }: UntilOptions = {},
): Promise<T> {
  const deadline = Date.now() + deadlineMs;
  for (let pauseMs = 10; ; pauseMs *= 1.2) {
    const value = await probe();
    if (value !== undefined && value !== false) return value;
    if (Date.now() > deadline) throw new Error(`Not within ${deadlineMs} ms: ${what}`);
    await pause(Math.min(pauseMs, everyMs));
  }
}
