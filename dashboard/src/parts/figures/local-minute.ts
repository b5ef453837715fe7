// Times for the browser's own date field: to the minute, in the reader's time zone.

const MINUTE_MS = 60_000;

/** `2026-03-02T09:00`, without a zone; empty for an invalid time. @param at ISO 8601 */
export function localMinute(at: string | null): string {
  const ms = Date.parse(at ?? '');
  if (Number.isNaN(ms)) return '';
  return new Date(ms - new Date(ms).getTimezoneOffset() * MINUTE_MS)
    .toISOString()
    .slice(0, 'yyyy-mm-ddThh:mm'.length);
}
