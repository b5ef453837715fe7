// Reads a complete body given as text or bytes. Shared by the tests of rows.
import type { KeyedRow } from '../../../core/delta/keys/keyed-row.ts';
import { CheckError } from '../../../core/errors.ts';
import { ROW_LIMITS } from '../../../core/delta/model.ts';
import {
  openRows,
  type ReadOptions,
  type ReadSummary,
  type RowReader,
} from '../../../core/delta/read-rows.ts';

export interface ReadBody extends ReadSummary, Pick<RowReader, 'dialect' | 'key'> {
  rows: KeyedRow[];
}

/** @param chunkBytes size of the chunks; without it, the body is one chunk */
export async function readBody(
  body: string | Uint8Array,
  options: Partial<ReadOptions> = {},
  chunkBytes = Infinity,
): Promise<ReadBody> {
  const bytes = Buffer.from(body);
  const open = () => cut(bytes, chunkBytes);
  const limits = { ...ROW_LIMITS, maxRows: 100_000 };
  const reader = await openRows(open, { ignoreFields: [], limits, ...options });
  const rows = (await collect(reader.batches())).flat();
  return { rows, dialect: reader.dialect, key: reader.key, ...reader.summary() };
}

// eslint-disable-next-line require-await -- the reader takes asynchronous chunks
export async function* cut(bytes: Uint8Array, chunkBytes: number): AsyncGenerator<Uint8Array> {
  const size = Math.min(chunkBytes, Math.max(bytes.length, 1));
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** @returns the data of the rows, or the message of the typed error. Throws other errors, which are faults of the reader. */
export async function outcomeOf(
  body: string | Uint8Array,
  options: Partial<ReadOptions> = {},
  chunkBytes = Infinity,
): Promise<string[] | string> {
  try {
    const { rows } = await readBody(body, options, chunkBytes);
    return rows.map(({ data }) => data);
  } catch (error) {
    if (error instanceof CheckError) return `${error.code}: ${error.message}`;
    throw error;
  }
}
