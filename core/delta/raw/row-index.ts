// The row index: a file beside a stored body that holds an entry for each of its rows. Entries come first, as they were
// found; then what they belong to, as JSON; its length; SHA-256 of all that. It is a cache: whatever is not as it should
// be means that there is none.
import { createHash } from 'node:crypto';
import type { Dialect } from '../model.ts';
import { ENTRY_BYTES } from './row-entry.ts';

/** To be raised whenever rows are split, hashed, keyed or read in another way than before. */
const VERSION = 3;
const LENGTH_BYTES = 4;
const DIGEST_BYTES = 32;

/** What a row index belongs to, all of which must be as it was for it to be used. */
export interface IndexedBody {
  sha256: string;
  generation: number;
  dialect: Dialect;
  keyFields: readonly string[];
  ignoreFields: readonly string[];
}

/** A body that was read without a warning that a row could give rise to, and whose rows have keys of their own. */
export interface RowIndex extends IndexedBody {
  sizeBytes: number;
  rowCount: number;
  /** Of the row hashes, in hexadecimal. Secret. */
  seed: string;
  /** SHA-256 of the header's bytes, which says where ignored columns stand; null where there is none. */
  headerSha256: string | null;
  /** Those that rows are stored with. */
  columns: readonly string[];
}

export interface RowIndexWriter {
  /** Takes entries, which are to be written to the file. */
  add: (entries: Uint8Array) => void;
  /** What to write at the end. */
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

/** @returns undefined unless the file is whole and belongs to this body */
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
    // The digest says that a row index writer wrote it, and the version that it was this one.
    const index = JSON.parse(file.toString('utf8', metaAt, lengthAt)) as RowIndex & { version: unknown };
    return index.rowCount * ENTRY_BYTES === metaAt ? index : undefined;
  } catch {
    return undefined;
  }
}

function textOf({ sha256, generation, dialect, keyFields, ignoreFields }: IndexedBody): string {
  const { format, delimiter, charset, rowsPath, headerRow } = dialect;
  // Bodies with cells beyond the header have no index, so all others were read alike by every version.
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
