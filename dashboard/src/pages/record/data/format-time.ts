// A time as plain text, for places that take no element: options and labels.
const absolute = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** @param at ISO 8601 */
export const formatTime = (at: string): string => absolute.format(new Date(at));
