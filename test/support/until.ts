// Polls a condition until a deadline; the error names the condition.
import { setTimeout as pause } from 'node:timers/promises';

interface UntilOptions {
  /** For liveness alone: a loaded machine must not reach it. */
  deadlineMs?: number;
  /** The longest pause between two probes; the first ones are shorter. */
  everyMs?: number;
}

/** The first value that is neither undefined nor false. @throws Error naming `what` after the deadline */
export async function until<T>(
  what: string,
  probe: () => Promise<T | undefined | false> | T | undefined | false,
  { deadlineMs = 120_000, everyMs = 100 }: UntilOptions = {},
): Promise<T> {
  const deadline = Date.now() + deadlineMs;
  for (let pauseMs = 10; ; pauseMs *= 1.2) {
    const value = await probe();
    if (value !== undefined && value !== false) return value;
    if (Date.now() > deadline) throw new Error(`Waited ${deadlineMs} ms in vain: ${what}`);
    await pause(Math.min(pauseMs, everyMs));
  }
}
