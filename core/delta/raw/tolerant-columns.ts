// Columns whose tolerance the kernel knows, and how tolerances and numbers are written for it (kernel/near-numbers.as).
import type { Cell } from '../model.ts';
import { numberBy } from '../rules/canonical-cell.ts';
import type { ColumnRule } from '../rules/column-rules.ts';
import type { PlainNumber } from '../rules/plain-number.ts';
import { readTolerance, type Tolerance } from '../rules/tolerance.ts';

/** A column whose tolerance the kernel knows. Its number is its place in the list, from 1. */
export interface TolerantColumn {
  column: string;
  numberOf: (cell: Cell) => PlainNumber | undefined;
  tolerance: Tolerance;
}

/**
 * The kernel has three bits for the number of a column, so it knows the tolerances of seven. In any other column it takes two
 * numbers for the same only if they are equal. Otherwise their rows are read, and then the tolerance counts.
 */
export const MOST_COLUMNS = 7;
const MOST_DIGITS = 15;
const EXPONENTS = { min: -32, max: 31 };

/** @param rules of columns that are compared @param keyFields rows without a key have no number that was reported before */
export function tolerantColumns(
  rules: ReadonlyMap<string, ColumnRule>,
  keyFields: readonly string[],
): TolerantColumn[] {
  if (keyFields.length === 0) return [];
  const all = [...rules].flatMap(([column, rule]) => tolerantColumn(column, rule) ?? []);
  return all.slice(0, MOST_COLUMNS);
}

function tolerantColumn(column: string, rule: ColumnRule): TolerantColumn | undefined {
  if (rule.tolerance === undefined || rule.as !== 'number') return undefined;
  const tolerance = readTolerance(rule.tolerance);
  return fits(tolerance.size) ? { column, numberOf: numberBy(rule), tolerance } : undefined;
}

const fits = ({ digits, exponent }: PlainNumber): boolean =>
  digits.length <= MOST_DIGITS && exponent >= EXPONENTS.min && exponent <= EXPONENTS.max;

const TOLERANCE_BYTES = 16;

/** The tolerances as the kernel reads them. */
export function writeTolerances(columns: readonly TolerantColumn[]): Buffer {
  const bytes = Buffer.alloc(columns.length * TOLERANCE_BYTES);
  for (const [at, { tolerance }] of columns.entries()) {
    bytes.writeBigInt64LE(BigInt(tolerance.size.digits || 0), at * TOLERANCE_BYTES);
    bytes.writeInt32LE(tolerance.size.exponent, at * TOLERANCE_BYTES + 8);
    bytes.writeInt32LE(tolerance.isPart ? 1 : 0, at * TOLERANCE_BYTES + 12);
  }
  return bytes;
}

/** Of a packed number. */
export const NUMBER_BYTES = 8;
/** A packed number: there is none, or it is not known. */
export const NO_NUMBER = 0n;
/** The bit of a packed number that says: it was seen, and nobody knows whether it is the reported one. */
const SEEN = 1n;

/** A number as the kernel keeps it; NO_NUMBER if it does not fit. @param column from 1 */
export function packNumber(number: PlainNumber, column: number): bigint {
  if (!fits(number)) return NO_NUMBER;
  const size = BigInt(number.digits || 0);
  const rest = BigInt(((number.exponent - EXPONENTS.min) << 4) | (column << 1));
  return ((number.isNegative ? -size : size) << 10n) | rest;
}

/** The column of a packed number, from 1. */
export const columnOf = (packed: bigint): number => Number((packed >> 1n) & 7n);

/** The same number without the mark that it was only seen. */
export const asReported = (packed: bigint): bigint => packed & ~SEEN;
