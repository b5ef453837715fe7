// The tolerance of a number: its distance from the last reported one, in exact decimal arithmetic.
import { type PlainNumber, readNumber, scaled } from './plain-number.ts';

/** The pattern of a decimal number, or of one with `%`: per cent of the number that was reported last. */
export const TOLERANCE = '^[0-9]{1,30}(\\.[0-9]{1,30})?%?$';

export interface Tolerance {
  size: PlainNumber;
  /** The size is per cent. */
  isPart: boolean;
}

/** @param text of the pattern TOLERANCE */
export function readTolerance(text: string): Tolerance {
  const isPart = text.endsWith('%');
  const size = readNumber(isPart ? text.slice(0, -1) : text);
  if (size === undefined) throw new Error('A tolerance must be a decimal number');
  return { size, isPart };
}

export type IsWithin = (was: PlainNumber, is: PlainNumber) => boolean;

/** Of zero, per cent are zero: any other number is too far from it. */
export function withinTolerance(tolerance: string): IsWithin {
  const { size: limit, isPart } = readTolerance(tolerance);
  return (was, is) => {
    const exponent = Math.min(was.exponent, is.exponent);
    const distance = absolute(scaled(is, exponent) - scaled(was, exponent));
    if (!isPart) {
      const lowest = Math.min(exponent, limit.exponent);
      return distance * 10n ** BigInt(exponent - lowest) <= scaled(limit, lowest);
    }
    // distance ≤ was × limit ÷ 100, without a division.
    const product = absolute(scaled(was, exponent)) * BigInt(limit.digits || 0);
    return limit.exponent >= 0
      ? distance * 100n <= product * 10n ** BigInt(limit.exponent)
      : distance * 100n * 10n ** BigInt(-limit.exponent) <= product;
  };
}

const absolute = (value: bigint): bigint => (value < 0n ? -value : value);
