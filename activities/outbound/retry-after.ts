// Reads a Retry-After header (RFC 9110 10.2.3): seconds, or a date.

/** @returns how long to wait, milliseconds from now; undefined when the header is absent or makes no sense */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  // Dates have letters; Date.parse alone would also take "-5" or "1.5" for a year.
  const time = /^[A-Za-z]{3,9},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : Math.max(0, time - nowMs);
}
