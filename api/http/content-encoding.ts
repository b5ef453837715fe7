// Compression of files. Negotiated here and not by a plugin at the time of sending, because the entity tag names the
// compressed bytes, and must be known before anything is read.
import type { Transform } from 'node:stream';
import { constants, createGzip, createZstdCompress } from 'node:zlib';

const ENCODINGS = ['zstd', 'gzip', 'identity'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** Fewer and larger writes than by default. */
const CHUNK_BYTES = 64 * 1024;
/** The highest level that keeps up with the rows; the next one takes twice the time for 2 % less. */
const GZIP_LEVEL = 3;
const ZSTD_LEVEL = 1;

const ENTRY = /^\s*([\w!#$%&'*+.^`|~-]+)\s*(?:;\s*q=([01](?:\.\d{0,3})?)\s*)?$/i;

/**
 * The encoding that an Accept-Encoding header (RFC 9110, 12.5.3) asks for most; of equals, the one that comes first
 * above. Identity without a header, and when it accepts nothing that we have: an answer helps more than a refusal.
 */
export function negotiateEncoding(acceptEncoding: string | undefined): Encoding {
  const weights = new Map<string, number>();
  for (const entry of (acceptEncoding ?? '').split(',')) {
    const [, name, weight = '1'] = ENTRY.exec(entry) ?? [];
    if (name !== undefined) weights.set(name.toLowerCase().replace(/^x-gzip$/, 'gzip'), Number(weight));
  }
  const others = weights.get('*') ?? 0;
  const weigh = (encoding: Encoding): number =>
    weights.get(encoding) ?? (encoding === 'identity' ? Math.min(others, 0.001) : others);
  const [best] = ENCODINGS.toSorted((a, b) => weigh(b) - weigh(a));
  return best === undefined || weigh(best) === 0 ? 'identity' : best;
}

/** Undefined for identity. */
export function createCompressor(encoding: Encoding): Transform | undefined {
  if (encoding === 'gzip') return createGzip({ level: GZIP_LEVEL, chunkSize: CHUNK_BYTES });
  if (encoding === 'zstd') {
    const params = { [constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL };
    return createZstdCompress({ params, chunkSize: CHUNK_BYTES });
  }
  return undefined;
}
