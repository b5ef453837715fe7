// Dates and times as texts, in the forms of ISO 8601 and RFC 3339 that name one point in time, or one day.

const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const TIME = /^(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(Z|z|[-+]\d\d(?::?\d\d)?)?$/;
const DATE_LENGTH = 10;
const MAX_LENGTH = 100;
const MINUTES_A_DAY = 1_440;
const MS_A_DAY = 86_400_000;

/**
 * A text that is equal for equal dates. A day, a time without an offset, and an instant are three kinds, and never equal.
 * @returns undefined for a text that is none of them
 */
export function dateText(text: string): string | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const day = readDay(text.slice(0, DATE_LENGTH));
  if (day === undefined) return undefined;
  if (text.length === DATE_LENGTH) return `day ${day}`;
  const match = /^[Tt ]$/.test(text.charAt(DATE_LENGTH)) ? TIME.exec(text.slice(DATE_LENGTH + 1)) : null;
  if (match === null) return undefined;
  const [, hour = '', minute = '', second = '00', fraction = '', offset] = match;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const minutes = day * MINUTES_A_DAY + Number(hour) * 60 + Number(minute);
  const rest = `${second}.${fraction.replace(/(?<!0)0+$/, '')}`;
  if (offset === undefined) return `time ${minutes} ${rest}`;
  const east = readOffset(offset);
  return east === undefined ? undefined : `instant ${minutes - east} ${rest}`;
}

/** @returns days since 1970-01-01; undefined for a date that no calendar has */
function readDay(text: string): number | undefined {
  const [, year, month, day] = DATE.exec(text) ?? [];
  if (year === undefined || month === undefined || day === undefined) return undefined;
  // Date.UTC would take the years 0 to 99 for 1900 to 1999.
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  const isInCalendar = date.getUTCMonth() + 1 === Number(month) && date.getUTCDate() === Number(day);
  return isInCalendar ? date.getTime() / MS_A_DAY : undefined;
}

/** @returns minutes east of UTC */
function readOffset(text: string): number | undefined {
  if (/^[Zz]$/.test(text)) return 0;
  const hours = Number(text.slice(1, 3));
  const minutes = Number(text.slice(3).replace(':', '') || '0');
  if (hours > 23 || minutes > 59) return undefined;
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}
