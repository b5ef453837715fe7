// When a request is repeated, and how long to wait before.
import { ApiError, ConnectionError } from '../errors.ts';

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;
/** Statuses that say that a later repetition may succeed. */
const PASSING = new Set([408, 429, 500, 502, 503, 504]);

/** Whether the request was refused before anything was done. */
export const isSurelyNotDone = (error: unknown): boolean => error instanceof ApiError && error.status === 429;

/** @param isRepeatable whether doing it twice does no harm; else only what was surely not done is repeated */
export function isWorthRepeating(error: unknown, isRepeatable: boolean): boolean {
  if (error instanceof ConnectionError) return isRepeatable;
  if (!(error instanceof ApiError)) return false;
  if (isSurelyNotDone(error) || error.code === 'idempotency_in_progress') return true;
  return isRepeatable && PASSING.has(error.status);
}

/** Doubles with each repetition, and varies so that clients which fail together do not return together. */
export function waitBefore(repetition: number, error: unknown): number {
  const asked = error instanceof ApiError ? error.retryAfterMs : undefined;
  if (asked !== undefined) return asked;
  const ceiling = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(repetition, 16));
  return ceiling * (0.5 + Math.random() / 2);
}

/** Seconds or a date (RFC 9110, section 10.2.3). @returns milliseconds; undefined if there is none that can be read */
export function readRetryAfter(value: string | null, now = Date.now()): number | undefined {
  if (value === null) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1_000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** @throws the signal's reason when it aborts */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
