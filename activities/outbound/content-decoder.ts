// Undoes the one content encoding that an answer may have, as a stream.
import type { Transform } from 'node:stream';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from 'node:zlib';

/** What a request asks for. Not deflate: servers disagree whether it has a zlib header. It is understood all the same. */
export const ACCEPT_ENCODING = 'gzip, br, zstd';

/** RFC 9659: content may use windows of at most 8 MB, so memory stays bounded. */
const ZSTD_WINDOW_LOG_MAX = 23;

const DECODERS: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', () => createGunzip()],
  ['x-gzip', () => createGunzip()],
  ['deflate', () => createInflate()],
  ['br', () => createBrotliDecompress()],
  ['zstd', () => createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG_MAX } })],
]);

/** @returns a decoder, undefined for a body as it is, or 'unsupported' (also for more than one encoding) */
export function createDecoder(contentEncoding: string): Transform | undefined | 'unsupported' {
  const name = contentEncoding.trim().toLowerCase();
  if (name === '' || name === 'identity') return undefined;
  return DECODERS.get(name)?.() ?? 'unsupported';
}
