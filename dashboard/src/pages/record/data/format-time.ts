// A time as plain text, where no element can stand: in an option, in a label.
const absolute = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** @param at ISO 8601 */
export const formatTime = (at: string): string => absolute.format(new Date(at));
