// Undoes one compression, as a stream: all of it or an error, never a part.
import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib';
import { FetchFailure } from './fetch-failure.ts';
import { peek } from './peek.ts';
import { cutAtFrames } from './zstd-frames.ts';

/** What a request asks for. Not deflate: servers disagree whether it has a zlib header. It is understood all the same. */
export const ACCEPT_ENCODING = 'gzip, br, zstd';

/** Waits for memory for a large decompression window, and returns the function that gives it back. */
export type TakeWindow = () => Promise<() => void>;

/** These keep up to 16 MB (RFC 7932) and 8 MB of what they decoded; the others 32 KB. */
const LARGE_WINDOWS: ReadonlySet<Compression> = new Set(['br', 'zstd']);

export type Compression = 'gzip' | 'deflate' | 'br' | 'zstd';

/** RFC 9659: content may use windows of at most 8 MB, so memory stays bounded. */
const ZSTD_WINDOW_LOG_MAX = 23;

/** @param head the first bytes of what is to be decoded */
const DECODERS: Record<Compression, (head: Buffer) => Transform & { bytesWritten: number }> = {
  gzip: () => createGunzip(),
  // RFC 9110 8.4.1.2 has it with a zlib header, and says that some send it without one.
  deflate: (head) => (hasZlibHeader(head) ? createInflate() : createInflateRaw()),
  br: () => createBrotliDecompress(),
  zstd: () => createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG_MAX } }),
};

const CONTENT_ENCODINGS: ReadonlyMap<string, Compression | undefined> = new Map([
  ['', undefined],
  ['identity', undefined],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['deflate', 'deflate'],
  ['br', 'br'],
  ['zstd', 'zstd'],
]);

/**
 * The compression that a Content-Encoding names; undefined: none.
 * @throws FetchFailure unsupported_encoding, also for more than one
 */
export function readContentEncoding(contentEncoding: string): Compression | undefined {
  const name = contentEncoding.trim().toLowerCase();
  if (!CONTENT_ENCODINGS.has(name)) throw new FetchFailure('unsupported_encoding');
  return CONTENT_ENCODINGS.get(name);
}

/** RFC 1950 2.2: the method, and a check over the two bytes. */
const hasZlibHeader = (head: Buffer): boolean =>
  head.length >= 2 && (head.readUInt8(0) & 0x0f) === 8 && head.readUInt16BE(0) % 31 === 0;

/**
 * Reads all members of a gzip file and all frames of a zstd file.
 * @param takeWindow called before memory for a large window is taken; without it, that memory has no bound
 * @throws FetchFailure unsupported_encoding when anything follows after them; errors of zlib as they are
 */
export async function* decompress(
  source: AsyncIterable<Buffer>,
  compression: Compression,
  takeWindow?: TakeWindow,
): AsyncGenerator<Buffer, void, undefined> {
  const giveBack = LARGE_WINDOWS.has(compression) ? await takeWindow?.() : undefined;
  try {
    yield* decode(source, compression);
  } finally {
    giveBack?.();
  }
}

async function* decode(
  source: AsyncIterable<Buffer>,
  compression: Compression,
): AsyncGenerator<Buffer, void, undefined> {
  const { head, all } = await peek(source);
  const decoder = DECODERS[compression](head);
  let givenBytes = 0;
  const given = async function* (): AsyncGenerator<Buffer> {
    for await (const piece of compression === 'zstd' ? cutAtFrames(all) : all) {
      givenBytes += piece.length;
      yield piece;
    }
  };
  // What goes wrong on the way in comes out of the decoder, which it destroys.
  pipeline(given, decoder).catch(() => undefined);
  yield* decoder;
  // A decoder ends where its format does, and what it leaves would be lost without a word.
  if (decoder.bytesWritten < givenBytes) {
    throw new FetchFailure('unsupported_encoding', 'More follows after the compressed data.');
  }
}
