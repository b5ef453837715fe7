// Tells the kernel what of a row it is to leave out: some of the cells, or some of the members.
import { readHeader } from '../delimited/header-row.ts';
import { ROW_LIMITS } from '../model.ts';

/** More than every list of names or row of columns takes. @param names that are ignored */
export const ignoredBytes = (names: readonly string[]): number =>
  ROW_LIMITS.maxColumns + names.reduce((sum, name) => sum + 4 + Buffer.byteLength(name), 0);

/** A byte for each column up to the last that is ignored. @throws CheckError the header cannot be read */
export function ignoredCells(header: string, delimiter: number, names: readonly string[]): Uint8Array {
  const limits = { ...ROW_LIMITS, maxRows: Infinity };
  const columns = readHeader(header, String.fromCharCode(delimiter), 1, limits);
  const last = columns.findLastIndex((column) => names.includes(column));
  return Uint8Array.from(columns.slice(0, last + 1), (column) => Number(names.includes(column)));
}

/** Each name behind its length. */
export function ignoredMembers(names: readonly string[]): Uint8Array {
  return Buffer.concat(
    names.flatMap((name) => {
      const length = Buffer.alloc(4);
      length.writeUInt32LE(Buffer.byteLength(name));
      return [length, Buffer.from(name)];
    }),
  );
}
