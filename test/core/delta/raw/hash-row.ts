// The kernel's hash of one row alone.
import {
  COLUMN_BYTES,
  comparedCells,
  type ComparedColumns,
  comparedMembers,
} from '../../../../core/delta/raw/compared-columns.ts';
import { bytesAt, loadKernel } from '../../../../core/delta/raw/load-kernel.ts';
import { COMMAS } from '../../../../core/delta/delimited/split-delimited.ts';
import { layOutMemory } from '../../../../core/delta/raw/matcher-memory.ts';
import type { ColumnRule } from '../../../../core/delta/rules/column-rules.ts';
import { SEED } from './match-rows.ts';

const COMMA = 44;
const LINES = -1;

export interface RowHasher {
  /**
   * @param header a line with the columns of delimited text, of which none is ignored; undefined for JSON
   * @returns a function that returns the hash of a row in hexadecimal; undefined if the row is unsure
   */
  under: (
    rules: ReadonlyMap<string, ColumnRule>,
    header: string | undefined,
  ) => (row: string | Uint8Array) => string | undefined;
}

/** @param columns all that may have a rule */
export function createRowHasher(columns: readonly string[], windowBytes = 256 * 1024): RowHasher {
  const kernel = loadKernel();
  const most: ComparedColumns = {
    ignored: [],
    rules: new Map(columns.map((column) => [column, { trim: true }])),
    tolerant: [],
  };
  const memory = layOutMemory(kernel, { windowBytes, capacity: 2, columns: most });
  const view = new DataView(SEED.buffer, SEED.byteOffset, SEED.byteLength);
  return {
    under(rules, header) {
      const compared = { ignored: [], rules, tolerant: [] };
      const members = comparedMembers(compared);
      const list = header === undefined ? members.list : comparedCells(header, COMMAS, compared);
      const mode = header === undefined ? LINES : COMMA;
      kernel.configure(view.getBigUint64(0, true), view.getBigUint64(8, true), mode, true, true);
      bytesAt(kernel, memory.columnsAt, list.length).set(list);
      const count = header === undefined ? members.count : list.length / COLUMN_BYTES;
      kernel.setColumns(memory.columnsAt, count, memory.rowAt);
      return (row) => {
        const bytes = typeof row === 'string' ? Buffer.from(row) : row;
        if (bytes.length > windowBytes) throw new Error('The row is too long');
        bytesAt(kernel, memory.windowsAt, bytes.length).set(bytes);
        const end = memory.windowsAt + bytes.length;
        if (kernel.scan(memory.windowsAt, end, true, memory.foundAt, 2) !== 1)
          throw new Error(`It is not one row: ${Buffer.from(bytes).toString()}`);
        const entry = bytesAt(kernel, memory.foundAt, 24);
        return entry.readUInt32LE(20) >= 0x80_00_00_00 ? undefined : entry.toString('hex', 0, 16);
      };
    },
  };
}
