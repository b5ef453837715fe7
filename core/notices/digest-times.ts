// When a digest is due: at each full hour, or once a day at a time of day in a time zone.

/** The setting of a webhook whose events wait for each other. */
export type Digest = { every: 'hour' } | { every: 'day'; at: string; timeZone: string };

export const DIGEST_PERIODS = ['hour', 'day'] as const;
export const DAILY_DIGEST = { at: '08:00', timeZone: 'UTC' } as const;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * The latest time at which a digest was due: it has all earlier events. In milliseconds since the epoch, as all times here.
 */
export function lastDigestMs(digest: Digest, nowMs: number): number {
  if (digest.every === 'hour') return Math.floor(nowMs / HOUR_MS) * HOUR_MS;
  const [hours = 0, minutes = 0] = digest.at.split(':').map(Number);
  const zone = formatOf(digest.timeZone);
  const midnightMs = Math.floor(wallMs(zone, nowMs) / DAY_MS) * DAY_MS;
  const clockMs = (hours * 60 + minutes) * 60_000;
  for (let day = 0; ; day -= 1) {
    const dueMs = firstAtWall(zone, midnightMs + day * DAY_MS + clockMs);
    if (dueMs <= nowMs) return dueMs;
  }
}

/**
 * The usual spelling of the name of an IANA time zone, such as Europe/Berlin; their case does not matter. An older name of a zone,
 * such as US/Eastern, is returned as it is. Undefined for another text, also for an offset.
 */
export function timeZoneNamed(name: string): string | undefined {
  if (!/^[a-z]/i.test(name)) return undefined;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    return timeZone.toLowerCase() === name.toLowerCase() ? timeZone : name;
  } catch {
    return undefined;
  }
}

type Zone = Intl.DateTimeFormat;

/** Each takes 57 KiB, and a zone has very many spellings. */
const MOST_FORMATS = 100;
/** By name in lower case, oldest first. */
const formats = new Map<string, Zone>();

/** Making one takes far longer than using it. @throws RangeError for an unknown time zone */
function formatOf(timeZone: string): Zone {
  const name = timeZone.toLowerCase();
  const known = formats.get(name);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const [oldest] = formats.keys();
  if (formats.size >= MOST_FORMATS && oldest !== undefined) formats.delete(oldest);
  formats.set(name, made);
  return made;
}

/** The zone's local time, encoded as the UTC timestamp with the same calendar date and clock time. */
function wallMs(zone: Zone, ms: number): number {
  const part = new Map(zone.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
  const of = (name: Intl.DateTimeFormatPartTypes): number => part.get(name) ?? 0;
  return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
}

/**
 * The first time at which the clock of the zone shows this. When it skips this, because it is put forward: the time at which
 * it is.
 */
function firstAtWall(zone: Zone, wantedMs: number): number {
  const offsetAt = (ms: number): number => wallMs(zone, ms) - Math.floor(ms / 1_000) * 1_000;
  const [before, after] = [offsetAt(wantedMs - DAY_MS), offsetAt(wantedMs + DAY_MS)];
  const found = [wantedMs - before, wantedMs - after].filter((ms) => wallMs(zone, ms) === wantedMs);
  if (found.length > 0) return Math.min(...found);
  let [low, high] = [wantedMs - DAY_MS, wantedMs + DAY_MS];
  while (high - low > 1_000) {
    const middle = Math.floor((low + high) / 2_000) * 1_000;
    if (offsetAt(middle) === before) low = middle;
    else high = middle;
  }
  return high;
}
