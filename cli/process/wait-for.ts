// Polls a condition until a deadline.
import { setTimeout as delay } from 'node:timers/promises';

export interface WaitOptions {
  /** What is waited for, for the error's message: `the API answers`. */
  what: string;
  timeoutMs: number;
  intervalMs?: number;
  signal?: AbortSignal | undefined;
}

/**
 * Calls `probe` until it returns a value. Does not wait for a probe that has not answered when the time is up.
 * @throws Error naming `what` when the time is up, what `probe` throws, or the signal's reason
 */
export async function waitFor<T>(
  probe: () => T | undefined | Promise<T | undefined>,
  { what, timeoutMs, intervalMs = 50, signal }: WaitOptions,
): Promise<T> {
  const timeUp = () => new Error(`Waited ${timeoutMs / 1000} s in vain until ${what}`);
  const end = Promise.withResolvers<never>();
  // It may come when no probe is in progress.
  end.promise.catch(() => undefined);
  const timer = Number.isFinite(timeoutMs) ? setTimeout(() => end.reject(timeUp()), timeoutMs) : undefined;
  const stop = () => end.reject(signal?.reason);
  signal?.addEventListener('abort', stop);
  try {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      signal?.throwIfAborted();
      const value = await Promise.race([probe(), end.promise]);
      if (value !== undefined) return value;
      if (Date.now() >= deadline) throw timeUp();
      // An abort ends the delay; the next round throws its reason.
      await delay(intervalMs, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}
