// Times as the browser's own field for them takes them: to the minute, in the reader's zone.

/** @param at ISO 8601 */
export function localMinute(at: string): string {
  const time = new Date(at);
  const shifted = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length);
}
