// The numbers in columns with a tolerance that were reported last, beside each row of a body. The kernel compares with them
// (kernel/near-numbers.as), so that a row in which such a number has moved within its tolerance need not be read.
import { splitRowJson } from '../keys/keyed-row.ts';
import type { Cell } from '../model.ts';
import { numberBy } from '../rules/canonical-cell.ts';
import type { ColumnRule } from '../rules/column-rules.ts';
import { type PlainNumber, readNumber } from '../rules/plain-number.ts';

/** A column whose tolerance the kernel knows. Its number is its place in the list, from 1. */
export interface TolerantColumn {
  column: string;
  numberOf: (cell: Cell) => PlainNumber | undefined;
  tolerance: PlainNumber;
  /** The tolerance is per cent. */
  isPart: boolean;
}

/** The kernel has three bits for the number of a column. Numbers of other columns count as before. */
const MOST_COLUMNS = 7;
export const NUMBER_BYTES = 8;
const MOST_DIGITS = 15;
const EXPONENTS = { min: -32, max: 31 };
const SEEN = 1;

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
  const { tolerance: text } = rule;
  if (text === undefined || rule.as !== 'number') return undefined;
  const isPart = text.endsWith('%');
  const tolerance = readNumber(isPart ? text.slice(0, -1) : text);
  if (tolerance === undefined || !fits(tolerance)) return undefined;
  return { column, numberOf: numberBy(rule), tolerance, isPart };
}

const fits = ({ digits, exponent }: PlainNumber): boolean =>
  digits.length <= MOST_DIGITS && exponent >= EXPONENTS.min && exponent <= EXPONENTS.max;

const TOLERANCE_BYTES = 16;

/** The tolerances as the kernel reads them. */
export function writeTolerances(columns: readonly TolerantColumn[]): Buffer {
  const bytes = Buffer.alloc(columns.length * TOLERANCE_BYTES);
  for (const [at, { tolerance, isPart }] of columns.entries()) {
    bytes.writeBigInt64LE(BigInt(tolerance.digits || 0), at * TOLERANCE_BYTES);
    bytes.writeInt32LE(tolerance.exponent, at * TOLERANCE_BYTES + 8);
    bytes.writeInt32LE(isPart ? 1 : 0, at * TOLERANCE_BYTES + 12);
  }
  return bytes;
}

/** A number as the kernel keeps it; undefined if it does not fit. @param column from 1 */
function packed({ isNegative, digits, exponent }: PlainNumber, column: number): bigint | undefined {
  if (!fits({ isNegative, digits, exponent })) return undefined;
  const size = BigInt(digits || 0);
  const rest = BigInt(((exponent - EXPONENTS.min) << 4) | (column << 1));
  return ((isNegative ? -size : size) << 10n) | rest;
}

/** The rows of a commit that keep values from before, by their place among the rows that were read, from 0. */
export interface KeptNumbers {
  /** @param data of the row as it is stored */
  note: (place: number, data: string) => void;
  /** @returns the numbers of a row that keeps values, one for each column; undefined for another row */
  of: (place: number) => BigInt64Array | undefined;
}

/** No number: it is not known, or the row has none. */
const NONE = 0n;

export function createKeptNumbers(columns: readonly TolerantColumn[]): KeptNumbers {
  const width = columns.length;
  /** By place: where the row's numbers end in the next list, or 0. */
  let ends = new Uint32Array(FIRST_ROOM);
  let numbers = new BigInt64Array(FIRST_ROOM * width);
  let end = 0;
  return {
    note(place, data) {
      if (width === 0) return;
      ends = withRoom(ends, place + 1);
      numbers = withRoom(numbers, end + width);
      const cells = new Map(splitRowJson(data));
      for (const [index, { column, numberOf }] of columns.entries()) {
        const number = numberOf(cells.get(column));
        numbers[end + index] = (number && packed(number, index + 1)) ?? NONE;
      }
      end += width;
      ends[place] = end;
    },
    of(place) {
      const to = ends[place] ?? 0;
      return to === 0 ? undefined : numbers.subarray(to - width, to);
    },
  };
}

const FIRST_ROOM = 16;

/** The same list, or a longer one with its content. */
function withRoom<List extends Uint32Array | BigInt64Array>(list: List, length: number): List {
  if (length <= list.length) return list;
  const longer = new (list.constructor as new (length: number) => List)(Math.max(length, 2 * list.length));
  longer.set(list as never);
  return longer;
}

/** The numbers of all rows of a body, in order. */
export interface ReportedNumbers {
  /** @param numbers of consecutive rows, valid during the call @param unmatched places of rows without a match among them */
  add: (numbers: Uint8Array, unmatched: Iterable<number>) => void;
  /**
   * Call it when the rows are committed. A row without a match was read. Its numbers are reported now, unless the commit kept
   * others.
   */
  end: (kept: KeptNumbers) => Buffer[];
}

export function createReportedNumbers(columns: readonly TolerantColumn[]): ReportedNumbers {
  const rowBytes = columns.length * NUMBER_BYTES;
  const parts: { numbers: Buffer; unmatched: Uint32Array }[] = [];
  return {
    add(numbers, unmatched) {
      if (rowBytes > 0) parts.push({ numbers: Buffer.from(numbers), unmatched: Uint32Array.from(unmatched) });
    },
    end(kept) {
      let place = 0;
      for (const { numbers, unmatched } of parts) {
        for (const row of unmatched) {
          const own = numbers.subarray(row * rowBytes, (row + 1) * rowBytes);
          setReported(own, kept.of(place++));
        }
      }
      return parts.map(({ numbers }) => numbers);
    },
  };
}

/** @param kept undefined: the row's own numbers are reported */
function setReported(own: Buffer, kept: BigInt64Array | undefined): void {
  for (let at = 0; at < own.length; at += NUMBER_BYTES) {
    const number = own.readBigInt64LE(at);
    if (number === NONE) continue;
    const column = Number((number >> 1n) & 7n);
    const reported = kept === undefined ? number & ~BigInt(SEEN) : kept[column - 1];
    // A number that does not fit stays as it was seen: only an equal one is the same for sure.
    if (reported !== undefined && reported !== NONE) own.writeBigInt64LE(reported, at);
  }
}
