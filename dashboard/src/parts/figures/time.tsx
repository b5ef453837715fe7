// Times in the reader's zone and language; the exact UTC on hover and for machines.
import { useSyncExternalStore } from 'react';
import { agoWords } from './ago-words.ts';

const SECOND_MS = 1_000;
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const absolute = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const toTheSecond = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** `3 minutes ago`, `in 2 hours`; updates by itself. @param at ISO 8601 */
export function Ago({ at }: { at: string }) {
  const nowMs = useNow();
  return <Exact at={at}>{agoWords(Date.parse(at) - nowMs)}</Exact>;
}

/** The day. @param at ISO 8601 */
export const On = ({ at }: { at: string }) => <Exact at={at}>{day.format(new Date(at))}</Exact>;

/** Day and minute. @param at ISO 8601 */
export const At = ({ at }: { at: string }) => <Exact at={at}>{absolute.format(new Date(at))}</Exact>;

/** Day and second, where several happen in a minute. @param at ISO 8601 */
export const AtSecond = ({ at }: { at: string }) => <Exact at={at}>{toTheSecond.format(new Date(at))}</Exact>;

/** Words about a time, with the time itself. @param at ISO 8601 */
export const Exact = ({ at, children }: { at: string; children: string }) => (
  <time dateTime={at} title={at.replace('T', ' ').replace('Z', ' UTC')}>
    {children}
  </time>
);

/** One clock for all times on the page, in milliseconds since the epoch. It ticks every second. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => clockMs);

let clockMs = Date.now();
const listeners = new Set<() => void>();
let ticking: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (ticking === undefined) {
    // Nothing has used the clock for a while.
    clockMs = Date.now();
    ticking = setInterval(tick, SECOND_MS);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(ticking);
    ticking = undefined;
  };
}

function tick(): void {
  clockMs = Date.now();
  for (const tell of listeners) tell();
}
