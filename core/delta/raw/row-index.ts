// The row index: a file beside a stored body with an entry for each of its rows. It has the entries, then metadata as JSON,
// the length of that JSON, and the SHA-256 of all before. It is a cache: an invalid file counts as missing.
import { createHash } from 'node:crypto';
import type { Dialect } from '../model.ts';
import { align, bytesAt, type Kernel, reach } from './load-kernel.ts';
import type { ReadAt } from './read-at.ts';

/** Raise this whenever rows are split, hashed, keyed or read in a new way. */
const VERSION = 3;
const LENGTH_BYTES = 4;
const DIGEST_BYTES = 32;

/** What a row index belongs to. It is used only if all of this is unchanged. */
export interface IndexedBody {
  sha256: string;
  generation: number;
  dialect: Dialect;
  keyFields: readonly string[];
  ignoreFields: readonly string[];
}

/** Only for bodies whose rows caused no warnings and have unique keys. */
export interface RowIndex extends IndexedBody {
  sizeBytes: number;
  rowCount: number;
  /** Seed of the row hashes, in hexadecimal. Secret. */
  seed: string;
  /** SHA-256 of the header's bytes, which decides where ignored columns are; null without a header. */
  headerSha256: string | null;
  /** Columns that rows are stored with. */
  columns: readonly string[];
}

export interface RowIndexWriter {
  /** Adds entries to the digest. The caller writes them to the file. */
  add: (entries: Uint8Array) => void;
  /** Returns the bytes to write after the entries. */
  end: (index: RowIndex) => Uint8Array;
}

export function createRowIndexWriter(): RowIndexWriter {
  const digest = createHash('sha256');
  return {
    add: (entries) => void digest.update(entries),
    end(index) {
      const meta = Buffer.from(JSON.stringify({ version: VERSION, ...index }));
      const length = Buffer.alloc(LENGTH_BYTES);
      length.writeUInt32LE(meta.length);
      const tail = Buffer.concat([meta, length]);
      return Buffer.concat([tail, digest.update(tail).digest()]);
    },
  };
}

/** @returns undefined unless the file is complete and belongs to this body */
export function readRowIndex(file: Uint8Array, body: IndexedBody): RowIndex | undefined {
  const index = parse(Buffer.from(file.buffer, file.byteOffset, file.byteLength));
  return index?.version === VERSION && textOf(index) === textOf(body) ? index : undefined;
}

function parse(file: Buffer): (RowIndex & { version: unknown }) | undefined {
  const lengthAt = file.length - DIGEST_BYTES - LENGTH_BYTES;
  if (lengthAt < 0) return undefined;
  const digest = createHash('sha256')
    .update(file.subarray(0, file.length - DIGEST_BYTES))
    .digest();
  if (!digest.equals(file.subarray(file.length - DIGEST_BYTES))) return undefined;
  const metaAt = lengthAt - file.readUInt32LE(lengthAt);
  if (metaAt < 0) return undefined;
  try {
    // The digest proves that a row index writer wrote the JSON, and the caller checks the version.
    const index = JSON.parse(file.toString('utf8', metaAt, lengthAt)) as RowIndex & { version: unknown };
    return index.rowCount * ENTRY_BYTES === metaAt ? index : undefined;
  } catch {
    return undefined;
  }
}

function textOf({ sha256, generation, dialect, keyFields, ignoreFields }: IndexedBody): string {
  const { format, delimiter, charset, rowsPath, headerRow } = dialect;
  // Earlier versions stored no header row. They read bodies that have an index in the same way.
  const line = headerRow ?? 1;
  return JSON.stringify([
    sha256,
    generation,
    format,
    delimiter,
    charset,
    rowsPath,
    line,
    keyFields,
    ignoreFields,
  ]);
}

/**
 * Size of an entry: 16 bytes of hash, 5 bytes for the position of the row in the body, 3 bytes for its length,
 * little-endian.
 */
export const ENTRY_BYTES = 24;
const PLACE_AT = 16;
const PLACE_BYTES = 5;

export interface ByteRange {
  start: number;
  /** Exclusive. */
  end: number;
}

/** The position of a row in its body, without its line end or comma. */
export function rangeOf(entries: Uint8Array, row: number): ByteRange {
  const view = Buffer.from(entries.buffer, entries.byteOffset, entries.byteLength);
  const at = row * ENTRY_BYTES + PLACE_AT;
  const start = view.readUIntLE(at, PLACE_BYTES);
  return { start, end: start + view.readUIntLE(at + PLACE_BYTES, ENTRY_BYTES - PLACE_AT - PLACE_BYTES) };
}

/** The rows of the previous body in the kernel's memory: their entries, and a hash table to find them by their bytes. */
export interface RowsBefore {
  /** Reads the whole index file, once. @returns its bytes, valid until `index` is called */
  load: (read: ReadAt) => Promise<Uint8Array>;
  /** Builds the hash table after loading. Without it, no row has a match. */
  index: (count: number) => void;
  /** Positions of the rows that no row matched, in order. */
  unmatched: () => Generator<ByteRange, void, undefined>;
}

const STEP_BYTES = 4 * 1024 * 1024;

/** @param at offset in the kernel's memory; everything after it is used */
export function createRowsBefore(kernel: Kernel, at: number): RowsBefore {
  let rowCount = 0;
  let sizeBytes = 0;
  let takenAt = at;
  return {
    async load(read) {
      for (;;) {
        reach(kernel, at + sizeBytes + STEP_BYTES);
        const count = await read(bytesAt(kernel, at + sizeBytes, STEP_BYTES), sizeBytes);
        sizeBytes += count;
        if (count < STEP_BYTES) return bytesAt(kernel, at, sizeBytes);
      }
    },
    index(count) {
      const slotCount = 2 ** Math.ceil(Math.log2(Math.max(16, count * 1.5)));
      const slotsAt = align(at + count * ENTRY_BYTES);
      const twinsAt = slotsAt + slotCount * 4;
      takenAt = twinsAt + count * 4;
      rowCount = count;
      reach(kernel, takenAt + count);
      // New memory is zero, as the table must be, so only the part that was written to needs clearing.
      bytesAt(kernel, slotsAt, Math.max(0, at + sizeBytes - slotsAt)).fill(0);
      kernel.index(at, count, slotsAt, slotCount, twinsAt, takenAt);
    },
    *unmatched() {
      const taken = bytesAt(kernel, takenAt, rowCount);
      const entries = bytesAt(kernel, at, rowCount * ENTRY_BYTES);
      for (let row = taken.indexOf(0); row !== -1; row = taken.indexOf(0, row + 1))
        yield rangeOf(entries, row);
    },
  };
}
