// Opens a stored body for splitting it into rows by its bytes.
import { inChunks } from '../../core/delta/raw/read-at.ts';
import { readDecoded } from '../../core/delta/raw/read-decoded.ts';
import type { RowBytes } from '../../core/delta/raw/row-bytes.ts';
import type { BlobReader, BlobStore } from '../blobs/blob-store.ts';

/** Bodies that have an index are this large at least. */
const CHUNK_BYTES = 1024 * 1024;

/** @throws BlobNotFound */
export async function openRowsBody(
  blobs: BlobStore,
  { recordId, sha256, bytes }: { recordId: string; sha256: string; bytes: RowBytes },
): Promise<BlobReader> {
  const body = await blobs.open(recordId, sha256);
  return bytes.decodedFrom === undefined
    ? body
    : { ...body, read: readDecoded(inChunks(body.read, CHUNK_BYTES), bytes) };
}
