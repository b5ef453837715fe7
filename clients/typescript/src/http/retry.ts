// When a request is repeated, and how long to wait before.
import { ApiError, ConnectionError, isForeign } from '../errors.ts';

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;
export const MAX_RETRY_WAIT_MS = 120_000;
/** The server cannot do what was asked, and never will. */
const LASTING = new Set([501, 505]);

/** Whether a later repetition may succeed. Proxies have statuses of their own, such as 520 to 530. */
const isPassing = (status: number): boolean =>
  status === 408 || status === 429 || (status >= 500 && !LASTING.has(status));

/** Whether the request was refused before anything was done. */
export const isSurelyNotDone = (error: unknown): boolean => error instanceof ApiError && error.status === 429;

/** @param isRepeatable whether doing it twice does no harm; else only what was surely not done is repeated */
export function isWorthRepeating(error: unknown, isRepeatable: boolean): boolean {
  if (error instanceof ConnectionError) return isRepeatable;
  if (!(error instanceof ApiError)) return false;
  if (isSurelyNotDone(error) || error.code === 'idempotency_in_progress') return true;
  return isRepeatable && isPassing(error.status);
}

/** A server may ask for no wait each time, or for one that has passed by its clock. */
const AT_ONCE = 2;

/** Doubles with each repetition, and varies so that clients which fail together do not return together. */
export function waitBefore(repetition: number, error: unknown): number {
  const asked = error instanceof ApiError ? error.retryAfterMs : undefined;
  if (asked !== undefined && repetition < AT_ONCE) return asked;
  return Math.max(asked ?? 0, backOff(repetition));
}

function backOff(repetition: number): number {
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

/**
 * Repeats a call for as long as another server answers it, such as a proxy while the service restarts. Only for a service that has
 * answered before: otherwise its address may be wrong.
 * @param longestMs no wait is longer
 * @throws what the call throws otherwise, or the signal's reason
 */
export async function pastProxies<Answer>(
  call: () => Promise<Answer>,
  signal?: AbortSignal,
  longestMs = MAX_RETRY_WAIT_MS,
): Promise<Answer> {
  for (let repetition = 0; ; repetition += 1) {
    try {
      return await call();
    } catch (error) {
      if (!isForeign(error)) throw error;
      await pause(Math.min(longestMs, waitBefore(repetition, error)), signal);
    }
  }
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
