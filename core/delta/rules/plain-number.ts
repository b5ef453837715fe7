// Numbers as texts, in exact decimal arithmetic.

/** Filters of rows take the same texts for numbers (db/rows/row-filters.ts). */
const PLAIN_NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d{1,3}))?$/;
const MAX_LENGTH = 200;

/** A number: ± digits × 10 ^ exponent. The digits neither begin nor end with 0; of zero there are none. */
export interface PlainNumber {
  isNegative: boolean;
  digits: string;
  exponent: number;
}

/** @returns undefined for a text that is not a plain number */
export function readNumber(text: string): PlainNumber | undefined {
  const match = text.length <= MAX_LENGTH ? PLAIN_NUMBER.exec(text) : null;
  if (match === null) return undefined;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const significant = (whole + fraction).replace(/^0+/, '');
  const digits = significant.replace(/(?<!0)0+$/, '');
  if (digits === '') return { isNegative: false, digits, exponent: 0 };
  const shift = significant.length - digits.length - fraction.length;
  return { isNegative: sign === '-', digits, exponent: Number(exponent) + shift };
}

/** A text that is equal for equal numbers. */
export const numberText = ({ isNegative, digits, exponent }: PlainNumber): string =>
  `${isNegative ? '-' : ''}${digits}e${exponent}`;

/** A number as a multiple of 10 ^ exponent, which is at most its own exponent. */
export function scaled({ isNegative, digits, exponent }: PlainNumber, unit: number): bigint {
  if (digits === '') return 0n;
  const size = BigInt(digits) * 10n ** BigInt(exponent - unit);
  return isNegative ? -size : size;
}
