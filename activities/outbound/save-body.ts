// Streams a response's body into a file: decoded, hashed, counted and limited on the way, in constant memory.
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Transform, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Dispatcher } from 'undici';
import { createDecoder } from './content-decoder.ts';
import { FetchFailure } from './fetch-failure.ts';
import { classifyFailure, errorCode } from './outbound-failure.ts';

/** How far a body may expand, once it is past the first MiB. */
const MAX_RATIO = 200;
const RATIO_FREE_BYTES = 1024 * 1024;

export interface SavedBody {
  sizeBytes: number;
  /** Of the decoded bytes, in hex. */
  sha256: string;
}

export interface SaveOptions {
  file: string;
  /** Most decoded bytes. */
  maxBytes: number;
  /** Called for every piece with the decoded bytes so far. */
  onProgress?: ((bytes: number) => void) | undefined;
  signal: AbortSignal;
}

/**
 * Writes the body to a new file; on failure no file is left.
 * @throws FetchFailure for what the origin did; errors of the disk as they are
 */
export async function saveBody(
  { body, headers }: Dispatcher.ResponseData,
  options: SaveOptions,
): Promise<SavedBody> {
  const decoder = createDecoder(String(headers['content-encoding'] ?? ''));
  if (decoder === 'unsupported') throw new FetchFailure('unsupported_encoding');
  if (decoder === undefined && Number(headers['content-length']) > options.maxBytes) throw tooLarge();
  const hash = createHash('sha256');
  let wireBytes = 0;
  let sizeBytes = 0;
  const wireMeter = tap((chunk) => {
    wireBytes += chunk.length;
  });
  const meter = tap((chunk) => {
    sizeBytes += chunk.length;
    if (sizeBytes > options.maxBytes) throw tooLarge();
    if (decoder !== undefined && sizeBytes > Math.max(RATIO_FREE_BYTES, wireBytes * MAX_RATIO)) throw bomb();
    hash.update(chunk);
    options.onProgress?.(sizeBytes);
  });
  const file = createWriteStream(options.file, { flags: 'wx', mode: 0o600 });
  const stages = decoder === undefined ? [body, meter, file] : [body, wireMeter, decoder, meter, file];
  try {
    await pipeline(stages, { signal: options.signal });
    if (sizeBytes === 0) throw new FetchFailure('empty_body');
    return { sizeBytes, sha256: hash.digest('hex') };
  } catch (error) {
    await rm(options.file, { force: true });
    throw bodyFailure(error);
  }
}

/** Passes bytes on, after showing them to a function that may throw. */
function tap(look: (chunk: Buffer) => void): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, callback: TransformCallback) {
      try {
        look(chunk);
        callback(null, chunk);
      } catch (error) {
        callback(error instanceof Error ? error : new Error('A body could not be measured'));
      }
    },
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
