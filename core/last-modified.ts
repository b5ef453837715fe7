// Whether a modification date may stand for a version of a body.

/**
 * HTTP dates count whole seconds. A body that was modified in the very second in which it was sent may change
 * once more under the same date, and asking for what came after that date would miss the change (RFC 9110, 8.8.2.2).
 * @param date when the same origin answered, by its own clock; without it nothing is known
 */
export function tellsVersionsApart(lastModified: string, date: string | undefined): boolean {
  return date !== undefined && Date.parse(date) - Date.parse(lastModified) >= 1_000;
}
