// Opens what the command line names: a file, `-` for standard input, or a URL.
import { randomUUID } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { fileCompression } from '../../activities/fetch/expand-file.ts';
import { saveBody } from '../../activities/fetch/save-body.ts';
import { formatOfMediaType } from '../../core/delta/detect-dialect.ts';
import { CheckError } from '../../core/errors.ts';
import { type BodyFile, requireUnchanged } from '../compare/body-file.ts';
import { BodyFault, ofBody } from '../compare/version.ts';
import { InputFault, inputFault } from './input-fault.ts';
import type { Scratch } from './scratch.ts';

export const isUrl = (text: string): boolean => /^https?:\/\//i.test(text);

/** @throws InputFault, BodyFault */
export async function openInput(text: string, scratch: Scratch, signal: AbortSignal): Promise<BodyFile> {
  if (isUrl(text)) {
    // Loads the HTTP client, which files do without.
    const { fetchUrl } = await import('./fetch-url.ts');
    const fetched = await fetchUrl(text, { scratch, signal });
    if (fetched.status === 'not_modified')
      throw new Error('A request without conditions was answered with 304');
    return fetched.body;
  }
  const [, scheme] = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text) ?? [];
  if (scheme !== undefined) {
    throw new InputFault(
      `A URL with ${scheme}:// cannot be read. Name a file, or a URL with http:// or https://.`,
    );
  }
  if (text === '-') return spool('standard input', '', process.stdin, scratch, signal);
  return openFile(text, scratch, signal).catch((error: unknown) => {
    throw inputFault(text, error);
  });
}

const PREFIX_BYTES = 10;

async function openFile(path: string, scratch: Scratch, signal: AbortSignal): Promise<BodyFile> {
  const file = await open(path);
  scratch.hold(file);
  const stats = await file.stat();
  if (stats.isDirectory()) throw new InputFault(`${path}: It is a folder. Name a file.`);
  const held = { file, stats };
  if (stats.isFile() && !(await isCompressed(file, path))) {
    return { name: path, path, sizeBytes: stats.size, contentType: contentTypeOf(path), held };
  }
  // A pipe can be opened and read only once.
  const body = await spool(path, path, file.createReadStream({ autoClose: false }), scratch, signal);
  if (stats.isFile()) await requireUnchanged(path, held);
  return body;
}

async function isCompressed(file: FileHandle, path: string): Promise<boolean> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(PREFIX_BYTES), 0, PREFIX_BYTES, 0);
  try {
    return fileCompression(buffer.subarray(0, bytesRead), path) !== undefined;
  } catch (error) {
    throw error instanceof CheckError ? new BodyFault({ name: path }, error) : error;
  }
}

/** Saves a stream, decompressed, in the same way as the service saves a response. */
async function spool(
  name: string,
  path: string,
  body: AsyncIterable<Buffer>,
  scratch: Scratch,
  signal: AbortSignal,
): Promise<BodyFile> {
  const file = join(scratch.folder(), randomUUID());
  const options = { file, path, maxBytes: Infinity, minBytesPerSecond: 0, signal };
  const { sizeBytes } = await ofBody({ name }, saveBody({ body, headers: {} }, options));
  return { name, path: file, sizeBytes, contentType: contentTypeOf(path) };
}

const NAMES: Readonly<Record<string, string>> = { '.ndjson': 'jsonl' };

/** The media type that web servers give a file of this name. Undefined when its content must tell. */
function contentTypeOf(path: string): string | undefined {
  const extension = extname(basename(path)).toLowerCase();
  const type = `application/${NAMES[extension] ?? extension.slice(1)}`;
  return formatOfMediaType(type) === undefined ? undefined : type;
}
