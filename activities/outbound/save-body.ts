// Streams a response's body into a file: decoded, hashed, counted and limited on the way, in constant memory.
import { createHash } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { Dispatcher } from 'undici';
import { decompress, readContentEncoding, type TakeWindow } from './content-decoder.ts';
import { expandFile } from './expand-file.ts';
import { FetchFailure } from './fetch-failure.ts';
import { writeChunks } from './write-chunks.ts';
import { classifyFailure, errorCode } from '../../outbound/failure.ts';

/** How far a body may expand, once it is past the first MiB. */
const MAX_RATIO = 200;
const RATIO_FREE_BYTES = 1024 * 1024;
/** How slowly a body may come on average, once it has had its grace. */
const MIN_BYTES_PER_SECOND = 1024;
const GRACE_MS = 60_000;

export interface SavedBody {
  sizeBytes: number;
  /** Of the decoded bytes, in hex. */
  sha256: string;
}

export interface SaveOptions {
  file: string;
  /** Path of the URL, which may name a compressed file. */
  path: string;
  /** Most decoded bytes. */
  maxBytes: number;
  /** Called for every piece with the decoded bytes so far. */
  onProgress?: ((bytes: number) => void) | undefined;
  signal: AbortSignal;
  takeWindow?: TakeWindow | undefined;
  /** How long the body may take at any pace. */
  graceMs?: number;
  /** After that, on average. */
  minBytesPerSecond?: number;
}

/**
 * Writes the body to a new file; on failure no file is left.
 * @throws FetchFailure for what the origin did; errors of the disk as they are
 */
export async function saveBody(
  { body, headers }: Dispatcher.ResponseData,
  options: SaveOptions,
): Promise<SavedBody> {
  const encoding = readContentEncoding(String(headers['content-encoding'] ?? ''));
  if (
    Number(headers['content-length']) >
    options.maxBytes + (encoding === undefined ? 0 : RATIO_FREE_BYTES)
  ) {
    throw tooLarge();
  }
  const { minBytesPerSecond = MIN_BYTES_PER_SECOND } = options;
  const hash = createHash('sha256');
  const startedAtMs = performance.now();
  let wireBytes = 0;
  let sizeBytes = 0;
  let bytes = tap(body, (chunk) => {
    wireBytes += chunk.length;
    const tookMs = performance.now() - startedAtMs;
    if (tookMs > (options.graceMs ?? GRACE_MS) && wireBytes < (tookMs / 1_000) * minBytesPerSecond) {
      throw new FetchFailure('origin_timeout', 'It sent its data too slowly.');
    }
    // Compressed data that come to less than themselves could go on without end.
    if (wireBytes > options.maxBytes + RATIO_FREE_BYTES) throw tooLarge();
  });
  if (encoding !== undefined)
    bytes = limit(decompress(bytes, encoding, options.takeWindow), options, () => wireBytes);
  bytes = limit(expandFile(bytes, options.path, encoding, options.takeWindow), options, () => wireBytes);
  bytes = tap(bytes, (chunk) => {
    sizeBytes += chunk.length;
    hash.update(chunk);
    options.onProgress?.(sizeBytes);
  });
  try {
    // Opened first: a stream that opens its own file may do so after a failure has removed it.
    const file = await open(options.file, 'wx', 0o600);
    await pipeline(bytes, (chunks: AsyncIterable<Buffer>) => writeChunks(file, chunks), {
      signal: options.signal,
    });
    if (sizeBytes === 0) throw new FetchFailure('empty_body');
    return { sizeBytes, sha256: hash.digest('hex') };
  } catch (error) {
    await rm(options.file, { force: true });
    throw bodyFailure(error);
  }
}

/** Passes bytes on, after showing them to a function that may throw. */
async function* tap(
  source: AsyncIterable<Buffer>,
  look: (chunk: Buffer) => void,
): AsyncGenerator<Buffer, void, undefined> {
  for await (const chunk of source) {
    look(chunk);
    yield chunk;
  }
}

/** Passes on what came out of a decompression, as long as it is not too much of it. */
function limit(
  source: AsyncIterable<Buffer>,
  { maxBytes }: SaveOptions,
  wireBytes: () => number,
): AsyncGenerator<Buffer, void, undefined> {
  let sizeBytes = 0;
  return tap(source, (chunk) => {
    sizeBytes += chunk.length;
    if (sizeBytes > maxBytes) throw tooLarge();
    if (sizeBytes > Math.max(RATIO_FREE_BYTES, wireBytes() * MAX_RATIO)) throw bomb();
  });
}

function tooLarge(): FetchFailure {
  return new FetchFailure('body_too_large');
}

function bomb(): FetchFailure {
  return new FetchFailure(
    'body_too_large',
    `It expands more than ${MAX_RATIO}-fold when it is decompressed.`,
  );
}

const DISK_CODES: ReadonlySet<string> = new Set(
  'EACCES EDQUOT EEXIST EFBIG EIO EISDIR EMFILE ENFILE ENOENT ENOSPC ENOTDIR EPERM EROFS'.split(' '),
);
const DECODER_CODE = /^(Z_|ZSTD_|ERR_BROTLI|ERR__ERROR)/;

function bodyFailure(error: unknown): unknown {
  const code = errorCode(error);
  if (error instanceof FetchFailure || DISK_CODES.has(code)) return error;
  // zlib's word for an end in the middle, whichever the format.
  if (code === 'Z_BUF_ERROR') return new FetchFailure('body_truncated');
  if (DECODER_CODE.test(code)) return new FetchFailure('unsupported_encoding');
  return new FetchFailure(classifyFailure(error) === 'timeout' ? 'origin_timeout' : 'body_truncated');
}
