// Opens a stored body for splitting it into rows by its bytes.
import { readDecoded } from '../../core/delta/raw/read-decoded.ts';
import type { RowBytes } from '../../core/delta/raw/row-bytes.ts';
import type { BlobReader, BlobStore } from '../blobs/blob-store.ts';

/** @throws BlobNotFound */
export async function openRowsBody(
  blobs: BlobStore,
  { recordId, sha256, bytes }: { recordId: string; sha256: string; bytes: RowBytes },
): Promise<BlobReader> {
  if (bytes.decodedFrom === undefined) return blobs.openAt(recordId, sha256);
  const stream = await blobs.open(recordId, sha256);
  return {
    read: readDecoded(stream, bytes),
    [Symbol.asyncDispose]: () => Promise.resolve(void stream.destroy()),
  };
}
