// The freshness lifetime of an earlier response (RFC 9111), and whether its Last-Modified is a strong validator (RFC 9110).

export interface FreshnessHeaders {
  cacheControl: string | undefined;
  expires: string | undefined;
  /** The time of the response, by the origin's clock. */
  date: string | undefined;
  /** Seconds that the response has spent in caches. */
  age: string | undefined;
}

/** @returns milliseconds from now; undefined when the headers say nothing, or that the response may not be reused */
export function freshForMs({ cacheControl = '', expires, date, age }: FreshnessHeaders): number | undefined {
  const directives = cacheControl
    .toLowerCase()
    .split(',')
    .map((directive) => directive.trim());
  // s-maxage is for shared caches only, and stale-while-revalidate does not make a response fresh.
  if (directives.some((directive) => /^no-(store|cache)\b/.test(directive))) return undefined;
  const maxAges = directives.flatMap((directive) => /^max-age="?(\d+)"?$/.exec(directive)?.[1] ?? []);
  const lifetimeMs =
    maxAges.length > 0 ? Math.min(...maxAges.map(deltaSecondsMs)) : untilExpiry(expires, date);
  const ageMs = /^\d+$/.test(age?.trim() ?? '') ? deltaSecondsMs(age ?? '') : 0;
  return lifetimeMs > ageMs ? lifetimeMs - ageMs : undefined;
}

/** A larger number counts as this one (RFC 9111, 1.2.2). */
const MOST_SECONDS = 2 ** 31;

/** @param digits of a number of seconds @returns milliseconds */
export const deltaSecondsMs = (digits: string): number => Math.min(Number(digits), MOST_SECONDS) * 1_000;

/** Uses the origin's clock only. NaN when either header is missing or invalid. */
function untilExpiry(expires: string | undefined, date: string | undefined): number {
  return Date.parse(expires ?? '') - Date.parse(date ?? '');
}

/**
 * RFC 9110, 8.8.2.2 asks for one second. File systems stamp files with a clock that is a few milliseconds late, so a file
 * written at the beginning of a second can carry the second before.
 */
const SETTLED_AFTER_MS = 2_000;

/**
 * Whether no later version of the body can have this modification date. HTTP dates count whole seconds, so a body that was
 * modified in the second of the response may change again under the same date (RFC 9110, 8.8.2.2).
 * @param date the time of the response, by the origin's clock
 */
export function tellsVersionsApart(lastModified: string, date: string | undefined): boolean {
  return date !== undefined && Date.parse(date) - Date.parse(lastModified) >= SETTLED_AFTER_MS;
}

const DAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const TIME = '\\d{2}:\\d{2}:\\d{2}';

/** IMF-fixdate, the only form of a date that senders may use, and the obsolete forms (RFC 9110, 5.6.7). */
const HTTP_DATES = [
  new RegExp(`^${DAY}, \\d{2} ${MONTH} \\d{4} ${TIME} (?:GMT|UTC|[+-]0000)$`),
  new RegExp(`^${DAY}[a-z]*, \\d{2}-${MONTH}-\\d{2} ${TIME} (?:GMT|UTC)$`),
  new RegExp(`^${DAY} ${MONTH} [ \\d]\\d ${TIME} \\d{4}$`),
];

/**
 * Reads a date of a header, which is in UTC. Stricter than Date.parse, which ignores anything in parentheses, and reads a date
 * without a time zone in that of this machine.
 * @returns milliseconds since the epoch; undefined when it has none of the forms
 */
export function parseHttpDate(text: string): number | undefined {
  const form = HTTP_DATES.findIndex((one) => one.test(text));
  if (form === -1) return undefined;
  const isAsctime = form === HTTP_DATES.length - 1;
  const time = Date.parse(isAsctime ? `${text} GMT` : text);
  return Number.isNaN(time) ? undefined : time;
}
