// Times as the browser's own field for them takes them: to the minute, in the reader's zone.

const MINUTE_MS = 60_000;

/** `2026-03-02T09:00`, without a zone; empty for what is no time. @param at ISO 8601 */
export function localMinute(at: string | null): string {
  const ms = Date.parse(at ?? '');
  if (Number.isNaN(ms)) return '';
  return new Date(ms - new Date(ms).getTimezoneOffset() * MINUTE_MS)
    .toISOString()
    .slice(0, 'yyyy-mm-ddThh:mm'.length);
}
