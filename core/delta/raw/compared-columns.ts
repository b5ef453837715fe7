// Tells the kernel how to compare the columns that are ignored or have a rule (kernel/compared-value.as).
import { readHeader } from '../delimited/parse-delimited.ts';
import type { CellMarks } from '../delimited/split-delimited.ts';
import { ROW_LIMITS } from '../model.ts';
import type { ColumnRule } from '../rules/column-rules.ts';
import type { RowBytes } from './row-bytes.ts';

/** Columns whose bytes are not compared as they are. */
export type ComparedColumns = Pick<RowBytes, 'ignored' | 'rules' | 'tolerant'>;

const LEFT_OUT = 1;
const RULED = 2;
const KINDS = { number: 4, date: 8 } as const;
const TRIM = 16;
const FOLD = 32;
const NORMALIZE = 64;
/** Of the length of a name. */
const LENGTH_BYTES = 4;
/** The table of names in kernel/member-rules.as: for each name, and at least. */
const TABLE_BYTES = 32;
/** Bytes by which the form of a value may be longer than the value. */
const FORM_BYTES = 16;

const byteOf = ({ as, trim, ignoreCase, normalize }: ColumnRule): number =>
  RULED +
  (as === undefined ? 0 : KINDS[as]) +
  (trim === true ? TRIM : 0) +
  (ignoreCase === true ? FOLD : 0) +
  (normalize === undefined ? 0 : NORMALIZE);

/** What the kernel does with a column, and its number among those with a tolerance. */
export const COLUMN_BYTES = 2;

/** @returns a function that returns the bytes of a column */
function bytesBy({ ignored, rules, tolerant }: ComparedColumns): (column: string) => [number, number] {
  const isIgnored = new Set(ignored);
  const byteBy = (column: string): number => {
    const rule = rules.get(column);
    if (isIgnored.has(column)) return LEFT_OUT;
    return rule === undefined ? 0 : byteOf(rule);
  };
  return (column) => [byteBy(column), 1 + tolerant.findIndex((each) => each.column === column)];
}

const namesOf = ({ ignored, rules }: ComparedColumns): string[] => [...ignored, ...rules.keys()];

/** Whether rows are compared by all of their bytes. */
export const isPlain = (compared: ComparedColumns): boolean => namesOf(compared).length === 0;

/**
 * Upper bounds in bytes: for the column list passed to the kernel and its table, and for how much longer a row's canonical form
 * can be.
 */
export function comparedBytes(compared: ComparedColumns): { columnsBytes: number; growthBytes: number } {
  const names = namesOf(compared);
  const nameBytes = LENGTH_BYTES + COLUMN_BYTES + TABLE_BYTES;
  const listed = names.reduce((sum, name) => sum + nameBytes + Buffer.byteLength(name), TABLE_BYTES);
  const { maxColumns } = ROW_LIMITS;
  return {
    columnsBytes: maxColumns * COLUMN_BYTES + listed,
    growthBytes: FORM_BYTES * (maxColumns + names.length),
  };
}

/** Two bytes for each column up to the last that is ignored or has a rule. @throws CheckError the header cannot be read */
export function comparedCells(header: string, marks: CellMarks, compared: ComparedColumns): Uint8Array {
  const limits = { ...ROW_LIMITS, maxRows: Infinity };
  const columns = readHeader(header, marks, 1, limits);
  const bytes = columns.map(bytesBy(compared));
  return Uint8Array.from(bytes.slice(0, bytes.findLastIndex(([byte]) => byte !== 0) + 1).flat());
}

/** Each name after its length and its bytes. */
export function comparedMembers(compared: ComparedColumns): { list: Uint8Array; count: number } {
  const names = namesOf(compared);
  const bytesOf = bytesBy(compared);
  const parts = names.flatMap((name) => {
    const start = Buffer.alloc(LENGTH_BYTES + COLUMN_BYTES);
    start.writeUInt32LE(Buffer.byteLength(name));
    start.set(bytesOf(name), LENGTH_BYTES);
    return [start, Buffer.from(name)];
  });
  return { list: Buffer.concat(parts), count: names.length };
}
