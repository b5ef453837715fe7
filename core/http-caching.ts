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
  const maxAges = directives.flatMap((directive) => /^max-age="?(\d{1,9})"?$/.exec(directive)?.[1] ?? []);
  const lifetimeMs =
    maxAges.length > 0 ? Math.min(...maxAges.map(Number)) * 1_000 : untilExpiry(expires, date);
  const ageMs = /^\d{1,9}$/.test(age?.trim() ?? '') ? Number(age) * 1_000 : 0;
  return lifetimeMs > ageMs ? lifetimeMs - ageMs : undefined;
}

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

/** IMF-fixdate, the only form of a date that senders may use (RFC 9110, 5.6.7). */
const HTTP_DATE =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Stricter than Date.parse, which ignores anything in parentheses. */
export const isHttpDate = (text: string): boolean => HTTP_DATE.test(text);
