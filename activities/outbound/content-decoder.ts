// Undoes one compression, as a stream: all of it or an error, never a part.
import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from 'node:zlib';
import { FetchFailure } from './fetch-failure.ts';
import { cutAtFrames } from './zstd-frames.ts';

/** What a request asks for. Not deflate: servers disagree whether it has a zlib header. It is understood all the same. */
export const ACCEPT_ENCODING = 'gzip, br, zstd';

export type Compression = 'gzip' | 'deflate' | 'br' | 'zstd';

/** RFC 9659: content may use windows of at most 8 MB, so memory stays bounded. */
const ZSTD_WINDOW_LOG_MAX = 23;

const DECODERS: Record<Compression, () => Transform & { bytesWritten: number }> = {
  gzip: () => createGunzip(),
  deflate: () => createInflate(),
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

/**
 * Reads all members of a gzip file and all frames of a zstd file.
 * @throws FetchFailure unsupported_encoding when anything follows after them; errors of zlib as they are
 */
export async function* decompress(
  source: AsyncIterable<Buffer>,
  compression: Compression,
): AsyncGenerator<Buffer, void, undefined> {
  const decoder = DECODERS[compression]();
  let givenBytes = 0;
  const given = async function* (): AsyncGenerator<Buffer> {
    for await (const piece of compression === 'zstd' ? cutAtFrames(source) : source) {
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
