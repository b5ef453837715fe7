// Row indexes as files: written to the spool folder while a body is split into rows, then stored beside the body.
import { randomUUID } from 'node:crypto';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  createRowIndexWriter,
  readRowIndex,
  type IndexedBody,
  type RowIndex,
} from '../../core/delta/raw/row-index.ts';
import { BlobNotFound, type BlobReader, type BlobStore, rowIndexName } from './blob-store.ts';

/** A failed write does not fail the check. Only `keep` throws. */
export interface RowIndexFile {
  /** Adds entries. The caller may reuse the buffer once this resolves. */
  add: (entries: Uint8Array) => Promise<void>;
  /** Moves the file into the store. @param numbers of all rows (core/delta/raw/reported-numbers.ts) */
  keep: (blobs: BlobStore, recordId: string, index: RowIndex, numbers: readonly Buffer[]) => Promise<void>;
  /** Removes the temporary file. */
  close: () => Promise<void>;
}

const BUFFER_BYTES = 128 * 1024;

export function createRowIndexFile(folder: string): RowIndexFile {
  const path = join(folder, `rows-${randomUUID()}`);
  const writer = createRowIndexWriter();
  // The file contains the secret seed, so other users may not read it.
  const opening = mkdir(folder, { recursive: true }).then(() => open(path, 'wx', 0o600));
  let isWritten = opening.then(
    () => true,
    () => false,
  );
  const write = async (bytes: Uint8Array): Promise<boolean> => {
    if (!(await isWritten)) return false;
    const file = await opening;
    return file.writeFile(bytes).then(
      () => true,
      () => false,
    );
  };
  const buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  let filled = 0;
  const flush = async (): Promise<void> => {
    isWritten = Promise.resolve(await write(buffer.subarray(0, filled)));
    filled = 0;
  };
  const add = async (bytes: Uint8Array): Promise<void> => {
    writer.add(bytes);
    for (let from = 0; from < bytes.length;) {
      const part = bytes.subarray(from, from + buffer.length - filled);
      buffer.set(part, filled);
      from += part.length;
      filled += part.length;
      if (filled === buffer.length) await flush();
    }
  };
  return {
    add,
    async keep(blobs, recordId, index, numbers) {
      for (const part of numbers) await add(part);
      await flush();
      if (!(await write(writer.end(index)))) throw new Error('The row index could not be written');
      await blobs.put(recordId, rowIndexName(index.sha256), path);
    },
    async close() {
      await opening.then((file) => file.close()).catch(() => undefined);
      await rm(path, { force: true });
    },
  };
}

/**
 * Opens a body's row index, to read its entries from the start.
 * @param size how many rows the body has, and how many numbers each
 * @returns undefined without a valid index for this body
 */
export async function openRowIndex(
  blobs: BlobStore,
  recordId: string,
  body: IndexedBody,
  size: { rowCount: number; numbers: number },
): Promise<{ index: RowIndex; entries: BlobReader } | undefined> {
  const open = (): Promise<BlobReader> => blobs.open(recordId, rowIndexName(body.sha256));
  try {
    await using file = await open();
    const index = await readRowIndex(file.read, body, size);
    return index && { index, entries: await open() };
  } catch (error) {
    if (error instanceof BlobNotFound) return undefined;
    throw error;
  }
}
