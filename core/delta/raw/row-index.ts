// The row index: a file beside a stored body. It has an entry for each row, then the numbers of the rows (reported-numbers.ts), then
// metadata as JSON, the length of that JSON, and the SHA-256 of all before. It is a cache: an invalid file counts as missing.
import { createHash, type Hash } from 'node:crypto';
import { type Dialect, quotingOf } from '../model.ts';
import { type ColumnRules, rulesText } from '../rules/column-rules.ts';
import { inChunks, type ReadAt } from './read-at.ts';
import { NUMBER_BYTES } from './tolerant-columns.ts';

/** Raise this whenever rows are split, hashed, keyed or read in a new way. */
const VERSION = 7;
const LENGTH_BYTES = 4;
const DIGEST_BYTES = 32;

/** What a row index belongs to. It is used only if all of this is unchanged. */
export interface IndexedBody {
  sha256: string;
  generation: number;
  dialect: Dialect;
  keyFields: readonly string[];
  ignoreFields: readonly string[];
  rules: ColumnRules;
  /** Of the snapshot in which the numbers of the rows are reported. Missing where rows have none. */
  sequence?: number;
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
  /** Adds entries, or numbers after all of them, to the digest. The caller writes them to the file. */
  add: (part: Uint8Array) => void;
  /** Returns the bytes to write after these. */
  end: (index: RowIndex) => Uint8Array;
}

export function createRowIndexWriter(): RowIndexWriter {
  const digest = createHash('sha256');
  return {
    add: (part) => void digest.update(part),
    end(index) {
      const meta = Buffer.from(JSON.stringify({ version: VERSION, ...index }));
      const length = Buffer.alloc(LENGTH_BYTES);
      length.writeUInt32LE(meta.length);
      const tail = Buffer.concat([meta, length]);
      return Buffer.concat([tail, digest.update(tail).digest()]);
    },
  };
}

/** A header has up to thousands of names. */
const MOST_META_BYTES = 16 * 1024 * 1024;

/**
 * Reads the whole file, and keeps only its metadata.
 * @param rowCount how many rows the body has @param numbers of each row
 * @returns undefined unless the file is complete and belongs to this body
 */
export async function readRowIndex(
  read: ReadAt,
  body: IndexedBody,
  { rowCount, numbers }: { rowCount: number; numbers: number },
): Promise<RowIndex | undefined> {
  const rowsBytes = rowCount * (ENTRY_BYTES + numbers * NUMBER_BYTES);
  const digest = createHash('sha256');
  const tail: Buffer[] = [];
  let tailBytes = 0;
  let offset = 0;
  for await (const chunk of inChunks(read, CHUNK_BYTES)) {
    const ofRows = chunk.subarray(0, Math.max(0, rowsBytes - offset));
    digest.update(ofRows);
    offset += chunk.length;
    tailBytes += chunk.length - ofRows.length;
    if (tailBytes > MOST_META_BYTES) return undefined;
    tail.push(Buffer.from(chunk.subarray(ofRows.length)));
  }
  const index = offset < rowsBytes ? undefined : parse(Buffer.concat(tail), digest);
  const isThis = index?.version === VERSION && index.rowCount === rowCount && textOf(index) === textOf(body);
  return isThis ? index : undefined;
}

const CHUNK_BYTES = 1024 * 1024;

/** @param tail what follows the rows @param digest of the rows */
function parse(tail: Buffer, digest: Hash): (RowIndex & { version: unknown }) | undefined {
  const lengthAt = tail.length - DIGEST_BYTES - LENGTH_BYTES;
  if (lengthAt < 0) return undefined;
  const expected = tail.subarray(tail.length - DIGEST_BYTES);
  const isWhole = digest
    .update(tail.subarray(0, tail.length - DIGEST_BYTES))
    .digest()
    .equals(expected);
  if (!isWhole || tail.readUInt32LE(lengthAt) !== lengthAt) return undefined;
  try {
    // The digest proves that a row index writer wrote the JSON, and the caller checks the version.
    return JSON.parse(tail.toString('utf8', 0, lengthAt)) as RowIndex & { version: unknown };
  } catch {
    return undefined;
  }
}

function textOf(body: IndexedBody): string {
  const { sha256, generation, dialect, keyFields, ignoreFields, rules, sequence } = body;
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
    quotingOf(dialect),
    keyFields,
    ignoreFields,
    rulesText(rules),
    sequence ?? null,
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
