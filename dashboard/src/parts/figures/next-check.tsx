// When a record is checked next.
import { Ago, useNow } from './time.tsx';

/** Too soon to count down. */
const DUE_MS = 1_000;

/** `in 2 hours`, or `now` once it is due. @param at ISO 8601; null: it is due and not yet planned */
export function NextCheck({ at }: { at: string | null }) {
  const nowMs = useNow();
  return at === null || Date.parse(at) - nowMs < DUE_MS ? 'now' : <Ago at={at} />;
}
