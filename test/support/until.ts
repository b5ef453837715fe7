// Polls a condition until a deadline; the error names the condition.
import { setTimeout as pause } from 'node:timers/promises';

/** The first value that is neither undefined nor false. @throws Error naming `what` after the deadline */
export async function until<T>(
  what: string,
  probe: () => Promise<T | undefined | false> | T | undefined | false,
  { deadlineMs = 20_000, everyMs = 20 }: { deadlineMs?: number; everyMs?: number } = {},
): Promise<T> {
  const deadline = Date.now() + deadlineMs;
  for (;;) {
    const value = await probe();
    if (value !== undefined && value !== false) return value;
    if (Date.now() > deadline) throw new Error(`Waited ${deadlineMs} ms in vain: ${what}`);
    await pause(everyMs);
  }
}
