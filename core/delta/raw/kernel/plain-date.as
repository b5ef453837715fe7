// Writes dates and times in a form that is equal for equal ones. Takes the same texts as core/delta/rules/plain-date.ts.

import { writeNibbles } from './plain-number';

const MAX_LENGTH: usize = 100;
const DATE_LENGTH: usize = 10;
const MINUTES_A_DAY: i64 = 1440;

const DAY: u8 = 0x64;
const TIME: u8 = 0x74;
const INSTANT: u8 = 0x69;

/** @returns the end of what was written; 0 for a text that is no date */
export function dateEnd(from: usize, to: usize, out: usize): usize {
  if (to - from < DATE_LENGTH || to - from > MAX_LENGTH) return 0;
  const day = readDay(from);
  if (day == NO_DAY) return 0;
  let at = from + DATE_LENGTH;
  if (at == to) return write(DAY, day, out);
  const mark = load<u8>(at++);
  if (mark != 0x54 && mark != 0x74 && mark != 0x20) return 0;
  if (to - at < 5 || load<u8>(at + 2) != 0x3a) return 0;
  const hour = twoDigits(at);
  const minute = twoDigits(at + 3);
  if (hour > 23 || minute > 59) return 0;
  at += 5;
  let second: u32 = 0;
  let fraction = at;
  let fractionEnd = at;
  if (to - at >= 3 && load<u8>(at) == 0x3a) {
    second = twoDigits(at + 1);
    if (second > 59) return 0;
    at += 3;
    if (at < to && (load<u8>(at) == 0x2e || load<u8>(at) == 0x2c)) {
      fraction = ++at;
      while (at < to && isDigit(load<u8>(at))) at++;
      if (at == fraction) return 0;
      fractionEnd = at;
    }
  }
  const east = at == to ? 0 : minutesEast(at, to);
  if (east == NO_OFFSET) return 0;
  const minutes = day * MINUTES_A_DAY + <i64>(hour * 60 + minute) - <i64>east;
  const end = write(at == to ? TIME : INSTANT, minutes, out);
  store<u8>(end, 0x30 + <u8>second);
  while (fractionEnd > fraction && load<u8>(fractionEnd - 1) == 0x30) fractionEnd--;
  memory.copy(end + 1, fraction, fractionEnd - fraction);
  return end + 1 + (fractionEnd - fraction);
}

function write(kind: u8, value: i64, out: usize): usize {
  store<u8>(out, kind);
  writeNibbles(value, out + 1, 9);
  return out + 10;
}

const NO_DAY: i64 = i64.MAX_VALUE;

/** Days since 1970-01-01. */
function readDay(from: usize): i64 {
  if (load<u8>(from + 4) != 0x2d || load<u8>(from + 7) != 0x2d) return NO_DAY;
  const century = twoDigits(from);
  const ofCentury = twoDigits(from + 2);
  const month = twoDigits(from + 5);
  const day = twoDigits(from + 8);
  if (century == NOT_DIGITS || ofCentury == NOT_DIGITS || month == 0 || month > 12 || day == 0) return NO_DAY;
  const year = century * 100 + ofCentury;
  if (day > daysIn(month, year)) return NO_DAY;
  // Years that begin in March, so that a leap day is the last one.
  const shifted = <i64>year - (month <= 2 ? 1 : 0);
  const era = shifted >= 0 ? shifted / 400 : -1;
  const ofEra = shifted - era * 400;
  const ofYear = <i64>((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1);
  return era * 146097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719468;
}

function daysIn(month: u32, year: u32): u32 {
  if (month == 2) return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28;
  return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

const NO_OFFSET: i32 = i32.MAX_VALUE;

function minutesEast(from: usize, to: usize): i32 {
  const sign = load<u8>(from);
  const length = to - from;
  if ((sign | 0x20) == 0x7a) return length == 1 ? 0 : NO_OFFSET;
  if (sign != 0x2b && sign != 0x2d) return NO_OFFSET;
  if (length != 3 && length != 5 && length != 6) return NO_OFFSET;
  if (length == 6 && load<u8>(from + 3) != 0x3a) return NO_OFFSET;
  const hours = twoDigits(from + 1);
  const minutes = length == 3 ? 0 : twoDigits(to - 2);
  if (hours > 23 || minutes > 59) return NO_OFFSET;
  const east = <i32>(hours * 60 + minutes);
  return sign == 0x2d ? -east : east;
}

/** More than any number of two digits. */
const NOT_DIGITS: u32 = 100;

// @ts-ignore: decorator
@inline
function twoDigits(at: usize): u32 {
  const tens = <u32>load<u8>(at) - 0x30;
  const ones = <u32>load<u8>(at + 1) - 0x30;
  return tens > 9 || ones > 9 ? NOT_DIGITS : tens * 10 + ones;
}

// @ts-ignore: decorator
@inline
function isDigit(byte: u8): bool {
  return byte >= 0x30 && byte <= 0x39;
}
