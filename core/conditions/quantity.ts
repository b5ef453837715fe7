// Exact numbers in conditions: decimals of any size, and ratios of two of them for per cent.
import { type PlainNumber, scaled } from '../delta/rules/plain-number.ts';

/** A fraction, because per cent of most numbers have no end as decimals. `below` is positive. */
interface Ratio {
  above: bigint;
  below: bigint;
}

export type Quantity = PlainNumber | Ratio;

/** @returns negative, 0 or positive, as the first is less, equal or greater */
export function compareQuantities(left: Quantity, right: Quantity): number {
  if ('digits' in left && 'digits' in right) return comparePlain(left, right);
  const [a, b] = [ratioOf(left), ratioOf(right)];
  return orderOf(a.above * b.below, b.above * a.below);
}

/** Needs no arithmetic: the digits neither begin nor end with 0, so those of one magnitude compare as texts. */
function comparePlain(left: PlainNumber, right: PlainNumber): number {
  const sign = signOf(left);
  if (sign !== signOf(right)) return orderOf(sign, signOf(right));
  return sign * (orderOf(magnitudeOf(left), magnitudeOf(right)) || orderOf(left.digits, right.digits));
}

const orderOf = <T extends number | bigint | string>(left: T, right: T): number =>
  left < right ? -1 : left > right ? 1 : 0;

const signOf = ({ digits, isNegative }: PlainNumber): number => (digits === '' ? 0 : isNegative ? -1 : 1);

const magnitudeOf = ({ digits, exponent }: PlainNumber): number => digits.length + exponent;

function ratioOf(quantity: Quantity): Ratio {
  if (!('digits' in quantity)) return quantity;
  const { exponent } = quantity;
  return exponent >= 0
    ? { above: scaled(quantity, 0), below: 1n }
    : { above: scaled(quantity, exponent), below: 10n ** BigInt(-exponent) };
}

/** Keeps arithmetic on one row short: 1e999 - 1e-999 would have two thousand digits. */
const MAX_PLACES = 200;

const isSmall = ({ digits, exponent }: PlainNumber): boolean =>
  digits.length + Math.abs(exponent) <= MAX_PLACES;

/** By how much a number has grown. @returns undefined for numbers with more than 200 places */
export function changeBetween(was: PlainNumber, is: PlainNumber): Quantity | undefined {
  if (!isSmall(was) || !isSmall(is)) return undefined;
  const exponent = Math.min(was.exponent, is.exponent);
  return ratioTimes(scaled(is, exponent) - scaled(was, exponent), exponent);
}

const ratioTimes = (multiple: bigint, exponent: number): Ratio =>
  exponent >= 0
    ? { above: multiple * 10n ** BigInt(exponent), below: 1n }
    : { above: multiple, below: 10n ** BigInt(-exponent) };

/** The same in per cent of the size of what it was. @returns undefined also when it was 0 */
export function percentBetween(was: PlainNumber, is: PlainNumber): Quantity | undefined {
  if (was.digits === '' || !isSmall(was) || !isSmall(is)) return undefined;
  const exponent = Math.min(was.exponent, is.exponent);
  const old = scaled(was, exponent);
  return { above: (scaled(is, exponent) - old) * 100n, below: old < 0n ? -old : old };
}
