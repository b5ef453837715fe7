// Streams a response's body into a file in constant memory. Decompresses, hashes and limits it on the way.
import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { finished, pipeline } from 'node:stream/promises';
import type { Dispatcher } from 'undici';
import { noteProgress } from '../../db/driver/pulse.ts';
import type { BodyStart } from './body-start.ts';
import { decompress, readContentEncoding, type TakeWindow } from './content-decoder.ts';
import { expandFile } from './expand-file.ts';
import { FetchFailure } from './fetch-failure.ts';
import { classifyFailure, errorCode } from '../../outbound/failure.ts';
import { once } from 'node:events';

/** The largest expansion of a compressed body after its first MiB. */
const MAX_RATIO = 200;
const RATIO_FREE_BYTES = 1024 * 1024;
/** The smallest average rate after the grace period. */
const MIN_BYTES_PER_SECOND = 1024;
const GRACE_MS = 60_000;

export interface SavedBody {
  sizeBytes: number;
  /** SHA-256 of the decompressed bytes, in hexadecimal. */
  sha256: string;
}

export interface SaveOptions {
  file: string;
  /** The URL's path, which may end in the name of a compressed file. */
  path: string;
  /** Limit for the decompressed bytes. */
  maxBytes: number;
  /** Called for every chunk with the decompressed bytes so far. */
  onProgress?: ((bytes: number) => void) | undefined;
  /** Gets the first decompressed bytes. */
  start?: BodyStart;
  signal: AbortSignal;
  takeWindow?: TakeWindow | undefined;
  /** How long the body may come at any rate. */
  graceMs?: number;
  /** The smallest average rate after that. */
  minBytesPerSecond?: number;
}

/**
 * Writes the body to a new file. After a failure no file is left.
 * @throws FetchFailure for failures of the origin; errors of the disk are passed on
 */
export async function saveBody(
  { body, headers }: { body: AsyncIterable<Buffer>; headers: Dispatcher.ResponseData['headers'] },
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
    // Compressed data may decompress to nothing for as long as they come.
    noteProgress();
    wireBytes += chunk.length;
    const tookMs = performance.now() - startedAtMs;
    if (tookMs > (options.graceMs ?? GRACE_MS) && wireBytes < (tookMs / 1_000) * minBytesPerSecond) {
      throw new FetchFailure('origin_timeout', 'It sent its data too slowly.');
    }
    // Also limits the bytes received, because compressed data may decompress to almost nothing.
    if (wireBytes > options.maxBytes + RATIO_FREE_BYTES) throw tooLarge();
  });
  if (encoding !== undefined)
    bytes = limit(decompress(bytes, encoding, options.takeWindow), options, () => wireBytes);
  bytes = limit(expandFile(bytes, options.path, encoding, options.takeWindow), options, () => wireBytes);
  bytes = tap(bytes, (chunk) => {
    sizeBytes += chunk.length;
    hash.update(chunk);
    options.start?.add(chunk);
    options.onProgress?.(sizeBytes);
  });
  try {
    // A stream that opens its own file could create it after a failure has removed it.
    const file = await create(options.file);
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

/** The folder is there already, except before the first file. */
async function create(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx', 0o600);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    await mkdir(dirname(path), { recursive: true });
    return open(path, 'wx', 0o600);
  }
}

/** Passes chunks on, after a function that may throw has seen them. */
async function* tap(
  source: AsyncIterable<Buffer>,
  look: (chunk: Buffer) => void,
): AsyncGenerator<Buffer, void, undefined> {
  for await (const chunk of source) {
    look(chunk);
    yield chunk;
  }
}

/** Passes decompressed chunks on, within the limits on size and expansion. */
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
  // zlib reports a truncated stream of any format with this code.
  if (code === 'Z_BUF_ERROR') return new FetchFailure('body_truncated');
  if (DECODER_CODE.test(code)) return new FetchFailure('unsupported_encoding');
  return new FetchFailure(classifyFailure(error) === 'timeout' ? 'origin_timeout' : 'body_truncated');
}

/** Chunks are buffered and written together. */
const WRITE_BYTES = 1024 * 1024;

/**
 * Writes chunks to a file and closes it, also on failure. Frees the memory of each chunk once it is written: the garbage
 * collector does not count these buffers and would search the whole heap again and again.
 * @param chunks must not be used afterwards
 */
async function writeChunks(file: FileHandle, chunks: AsyncIterable<Buffer>): Promise<void> {
  const stream = file.createWriteStream({ highWaterMark: WRITE_BYTES });
  const written = finished(stream);
  written.catch(() => undefined);
  try {
    for await (const chunk of chunks) {
      // After a failed write the chunk may still be in use.
      const isFull = !stream.write(chunk, (error) => void (error ?? free(chunk)));
      if (isFull) await Promise.race([once(stream, 'drain'), written]);
    }
    stream.end();
  } catch (error) {
    stream.destroy();
    await written.catch(() => undefined);
    throw error;
  }
  await written;
}

/** Only when the chunk is all of its buffer; another part may still be in use. */
function free({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
