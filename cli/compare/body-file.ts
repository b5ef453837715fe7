// A body to compare, as a file of decompressed bytes.
import type { Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
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
  /** A file of the user's, which another program may change or replace: open for as long as it is needed. */
  held?: HeldFile;
}

export interface HeldFile {
  file: FileHandle;
  /** When it was opened. */
  stats: Stats;
}

/** @throws Error what was read of it may be of several versions */
export async function requireUnchanged(name: string, { file, stats }: HeldFile): Promise<void> {
  const { size, mtimeMs } = await file.stat();
  if (size === stats.size && mtimeMs === stats.mtimeMs) return;
  throw new Error(`${name}: It changed while it was read.`);
}

/**
 * Opens a body to read it once.
 * @returns with a function to call afterwards, which throws when the file has changed
 */
export async function openBody({ name, path, held }: BodyFile): Promise<[FileHandle, () => Promise<void>]> {
  if (held !== undefined) return [held.file, () => requireUnchanged(name, held)];
  const file = await open(path);
  return [file, () => file.close()];
}

/** Whether the body ends in a line end. */
export async function endsInLineEnd(body: BodyFile): Promise<boolean> {
  const [file, close] = await openBody(body);
  try {
    return await hasLineEnd(readFileAt(file), body.sizeBytes);
  } finally {
    await close();
  }
}

/** Each chunk costs a turn of the event loop. */
const CHUNK_BYTES = 1024 * 1024;

/** Starts to read the body from its start. Each chunk is valid until the next one is requested. */
export const bodyOpener = (body: BodyFile): OpenBody =>
  async function* () {
    const [file, close] = await openBody(body);
    try {
      yield* inChunks(readFileAt(file), Math.min(CHUNK_BYTES, body.sizeBytes + 1));
    } finally {
      await close();
    }
  };
