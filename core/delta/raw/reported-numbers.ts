// The numbers in columns with a tolerance that were reported last, beside each row of a body. The kernel compares with them
// (kernel/near-numbers.as), so that a row in which such a number has moved within its tolerance need not be read.
import { splitRowJson } from '../keys/keyed-row.ts';
import {
  asReported,
  columnOf,
  NO_NUMBER,
  NUMBER_BYTES,
  packNumber,
  type TolerantColumn,
} from './tolerant-columns.ts';

/** The rows of a commit that keep values from before, by their place among the rows that were read, from 0. */
export interface KeptNumbers {
  /** @param data of the row as it is stored */
  note: (place: number, data: string) => void;
  /** @returns the numbers of a row that keeps values, one for each column; undefined for another row */
  of: (place: number) => BigInt64Array | undefined;
}

export function createKeptNumbers(columns: readonly TolerantColumn[]): KeptNumbers {
  const width = columns.length;
  /** By place of a row: the index after its last number in `numbers`; 0 for a row that keeps no values. */
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
        numbers[end + index] = number === undefined ? NO_NUMBER : packNumber(number, index + 1);
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
    if (number === NO_NUMBER) continue;
    const reported = kept === undefined ? asReported(number) : kept[columnOf(number) - 1];
    // Without a reported number that could be packed, the number keeps its mark: then the kernel takes only an equal one for the same.
    if (reported !== undefined && reported !== NO_NUMBER) own.writeBigInt64LE(reported, at);
  }
}
