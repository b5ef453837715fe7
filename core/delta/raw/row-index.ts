// The row index: a file beside a stored body with an entry for each of its rows. It has the entries, then metadata as JSON,
// the length of that JSON, and the SHA-256 of all before. It is a cache: an invalid file counts as missing.
import { createHash, type Hash } from 'node:crypto';
import type { Dialect } from '../model.ts';
import { type ColumnRules, rulesText } from '../rules/column-rules.ts';
import { inChunks, type ReadAt } from './read-at.ts';

/** Raise this whenever rows are split, hashed, keyed or read in a new way. */
const VERSION = 4;
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

/** A header has up to thousands of names. */
const MOST_META_BYTES = 16 * 1024 * 1024;

/**
 * Reads the whole file, and keeps only its metadata.
 * @param rowCount how many rows the body has
 * @returns undefined unless the file is complete and belongs to this body
 */
export async function readRowIndex(
  read: ReadAt,
  body: IndexedBody,
  rowCount: number,
): Promise<RowIndex | undefined> {
  const digest = createHash('sha256');
  const tail: Buffer[] = [];
  let tailBytes = 0;
  let offset = 0;
  for await (const chunk of inChunks(read, CHUNK_BYTES)) {
    const entries = chunk.subarray(0, Math.max(0, rowCount * ENTRY_BYTES - offset));
    digest.update(entries);
    offset += chunk.length;
    tailBytes += chunk.length - entries.length;
    if (tailBytes > MOST_META_BYTES) return undefined;
    tail.push(Buffer.from(chunk.subarray(entries.length)));
  }
  const index = offset < rowCount * ENTRY_BYTES ? undefined : parse(Buffer.concat(tail), digest);
  const isThis = index?.version === VERSION && index.rowCount === rowCount && textOf(index) === textOf(body);
  return isThis ? index : undefined;
}

const CHUNK_BYTES = 1024 * 1024;

/** @param tail what follows the entries @param digest of the entries */
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

function textOf({ sha256, generation, dialect, keyFields, ignoreFields, rules }: IndexedBody): string {
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
    rulesText(rules),
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
