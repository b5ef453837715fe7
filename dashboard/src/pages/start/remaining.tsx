// The remaining time, counted down.
import { Exact, useNow } from '../../parts/figures/time.tsx';

const MINUTE_MS = 60_000;

/** `23 hours 59 minutes`. @param until ISO 8601 */
export function Remaining({ until }: { until: string }) {
  const nowMs = useNow();
  const minutes = Math.max(0, Math.floor((Date.parse(until) - nowMs) / MINUTE_MS));
  return <Exact at={until}>{inWords(Math.floor(minutes / 60), minutes % 60)}</Exact>;
}

function inWords(hours: number, minutes: number): string {
  const count = (amount: number, unit: string) => `${amount} ${unit}${amount === 1 ? '' : 's'}`;
  return hours === 0 ? count(minutes, 'minute') : `${count(hours, 'hour')} ${count(minutes, 'minute')}`;
}
