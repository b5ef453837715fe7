// Sizes and durations as people read them.

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];
const short = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });

/** `4.2 MB`: powers of 1,000. */
export function formatBytes(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return `${short.format(bytes / 1000 ** power)} ${UNITS[power] ?? 'B'}`;
}

/** `120 ms`, `4.2 s`, `3 min 20 s`. */
export function formatDuration(durationMs: number): string {
  if (durationMs < 1_000) return `${Math.round(durationMs)} ms`;
  if (durationMs < 60_000) return `${short.format(durationMs / 1_000)} s`;
  const seconds = Math.round(durationMs / 1_000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** `5 minutes`, `2 hours`, `30 seconds`: the time between two checks. */
export function formatInterval(minutes: number): string {
  const [count, unit] = inUnits(minutes);
  return `${short.format(count)} ${unit}${count === 1 ? '' : 's'}`;
}

/** `Every 5 minutes`, `Every hour`. */
export function formatEvery(minutes: number): string {
  const [count, unit] = inUnits(minutes);
  return `Every ${count === 1 ? unit : formatInterval(minutes)}`;
}

/** The largest unit that gives a whole number. */
function inUnits(minutes: number): [count: number, unit: string] {
  if (minutes < 1) return [minutes * 60, 'second'];
  if (minutes % 1_440 === 0) return [minutes / 1_440, 'day'];
  return minutes % 60 === 0 ? [minutes / 60, 'hour'] : [minutes, 'minute'];
}
