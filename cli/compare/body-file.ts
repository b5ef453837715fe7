// A body to compare, as a file of decompressed bytes.
import { open } from 'node:fs/promises';
import { hasLineEnd } from '../../core/delta/line-end.ts';
import { inChunks, readFileAt } from '../../core/delta/raw/read-at.ts';
import type { OpenBody } from '../../core/delta/read-rows.ts';

export interface BodyFile {
  /** For people: a path as it was given, or a URL without credentials and query. */
  name: string;
  path: string;
  sizeBytes: number;
  /** From the origin; for a local file, what web servers make of its name. */
  contentType: string | undefined;
  /** Whether only the end of a connection ended it. */
  isCloseDelimited?: boolean;
}

/** Whether the body ends in a line end. */
export async function endsInLineEnd({ path, sizeBytes }: BodyFile): Promise<boolean> {
  const file = await open(path);
  try {
    return await hasLineEnd(readFileAt(file), sizeBytes);
  } finally {
    await file.close();
  }
}

/** Each chunk costs a turn of the event loop. */
const CHUNK_BYTES = 1024 * 1024;

/** Starts to read the body from its start. Each chunk is valid until the next one is requested. */
export const bodyOpener = (body: BodyFile): OpenBody =>
  async function* () {
    const file = await open(body.path);
    try {
      yield* inChunks(readFileAt(file), Math.min(CHUNK_BYTES, body.sizeBytes + 1));
    } finally {
      await file.close();
    }
  };
