// Writes numbers in a form that is equal for equal numbers. Takes the same texts as core/delta/rules/plain-number.ts.

import { digitsEnd } from './json-scalars';

const MAX_LENGTH: usize = 200;
const ZERO: u8 = 0x30;

/**
 * Writes the sign, the exponent, and the digits, which neither begin nor end with 0. Of zero there are none.
 * @returns the end of what was written; 0 for a text that is no number
 */
export function numberEnd(from: usize, to: usize, out: usize): usize {
  if (to - from > MAX_LENGTH) return 0;
  const isNegative = from < to && load<u8>(from) == 0x2d;
  const whole = isNegative ? from + 1 : from;
  const wholeEnd = digitsEnd(whole, to);
  if (wholeEnd == whole) return 0;
  let fraction = wholeEnd;
  let end = wholeEnd;
  if (end < to && load<u8>(end) == 0x2e) {
    fraction = end + 1;
    end = digitsEnd(fraction, to);
    if (end == fraction) return 0;
  }
  const power = end == to ? 0 : powerOf(end, to);
  if (power == NONE) return 0;
  const digits = out + 5;
  let at = copyDigits(whole, wholeEnd, digits, digits);
  at = copyDigits(fraction, end, at, digits);
  let stripped: i32 = 0;
  for (; at > digits && load<u8>(at - 1) == ZERO; at--) stripped++;
  const isZero = at == digits;
  store<u8>(out, isNegative && !isZero ? 0x2d : 0x2b);
  writeNibbles(isZero ? 0 : power + stripped - <i32>(end - fraction), out + 1, 4);
  return at;
}

const NONE: i32 = i32.MAX_VALUE;

/** The exponent, of up to three digits. */
function powerOf(from: usize, to: usize): i32 {
  if ((load<u8>(from) | 0x20) != 0x65) return NONE;
  let at = from + 1;
  const sign: u8 = at < to ? load<u8>(at) : 0;
  if (sign == 0x2d || sign == 0x2b) at++;
  if (at == to || to - at > 3 || digitsEnd(at, to) != to) return NONE;
  let power: i32 = 0;
  for (; at < to; at++) power = power * 10 + <i32>(load<u8>(at) - ZERO);
  return sign == 0x2d ? -power : power;
}

/** Copies digits after `at`, without the zeros that precede all others. */
function copyDigits(from: usize, to: usize, at: usize, first: usize): usize {
  let out = at;
  for (let digit = from; digit < to; digit++) {
    const byte = load<u8>(digit);
    if (byte == ZERO && out == first) continue;
    store<u8>(out++, byte);
  }
  return out;
}

/** Writes the last bits of a number, four in a byte that is a letter. */
export function writeNibbles(value: i64, out: usize, count: i32): void {
  for (let n = 0; n < count; n++) store<u8>(out + n, 0x61 + <u8>((value >> (4 * n)) & 15));
}
