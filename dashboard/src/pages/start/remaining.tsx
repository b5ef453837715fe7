// How much time is left, counted down.
import { useEffect, useState } from 'react';

const MINUTE_MS = 60_000;

/** `23 hours 59 minutes`. @param until ISO 8601 */
export function Remaining({ until }: { until: string }) {
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    const ticking = setInterval(() => setNowMs(Date.now()), 10_000);
    return () => clearInterval(ticking);
  }, []);
  const minutes = Math.max(0, Math.floor((Date.parse(until) - nowMs) / MINUTE_MS));
  return (
    <time dateTime={until} title={until.replace('T', ' ').replace('Z', ' UTC')}>
      {inWords(Math.floor(minutes / 60), minutes % 60)}
    </time>
  );
}

function inWords(hours: number, minutes: number): string {
  const count = (amount: number, unit: string) => `${amount} ${unit}${amount === 1 ? '' : 's'}`;
  return hours === 0 ? count(minutes, 'minute') : `${count(hours, 'hour')} ${count(minutes, 'minute')}`;
}
