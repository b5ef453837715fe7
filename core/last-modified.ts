// Whether a modification date may stand for a version of a body.

/**
 * HTTP dates count whole seconds. A body that was modified in the very second in which it was sent may change
 * once more under the same date, and asking for what came after that date would miss the change (RFC 9110, 8.8.2.2).
 * @param date when the same origin answered, by its own clock; without it nothing is known
 */
export function tellsVersionsApart(lastModified: string, date: string | undefined): boolean {
  return date !== undefined && Date.parse(date) - Date.parse(lastModified) >= 1_000;
}

/** IMF-fixdate, the one form of a date that senders may use (RFC 9110, 5.6.7). */
const HTTP_DATE =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Date.parse takes more: it passes over anything in parentheses. */
export const isHttpDate = (text: string): boolean => HTTP_DATE.test(text);
