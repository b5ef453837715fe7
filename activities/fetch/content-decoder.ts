// Decompresses a stream. Throws on truncated input.
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

/** Leaves out deflate, because servers disagree whether it has a zlib header. It is decoded all the same. */
export const ACCEPT_ENCODING = 'gzip, br, zstd';

/** Waits for memory for a large decompression window, and returns the function that gives it back. */
export type TakeWindow = () => Promise<() => void>;

/** Their windows take up to 16 MB (RFC 7932) and 8 MB; those of the others 32 KB. */
const LARGE_WINDOWS: ReadonlySet<Compression> = new Set(['br', 'zstd']);

export type Compression = 'gzip' | 'deflate' | 'br' | 'zstd';

/** RFC 9659 limits the window of zstd content to 8 MB. */
const ZSTD_WINDOW_LOG_MAX = 23;

/** @param prefix the first bytes of the compressed data */
const DECODERS: Record<Compression, (prefix: Buffer) => Transform & { bytesWritten: number }> = {
  gzip: () => createGunzip(),
  // RFC 9110 8.4.1.2 defines deflate with a zlib header, and notes that some servers omit it.
  deflate: (prefix) => (hasZlibHeader(prefix) ? createInflate() : createInflateRaw()),
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
 * The compression that a Content-Encoding names; undefined for none.
 * @throws FetchFailure unsupported_encoding, also for several encodings
 */
export function readContentEncoding(contentEncoding: string): Compression | undefined {
  const name = contentEncoding.trim().toLowerCase();
  if (!CONTENT_ENCODINGS.has(name)) throw new FetchFailure('unsupported_encoding');
  return CONTENT_ENCODINGS.get(name);
}

/** RFC 1950 2.2: the method, and a check over the two bytes. */
const hasZlibHeader = (prefix: Buffer): boolean =>
  prefix.length >= 2 && (prefix.readUInt8(0) & 0x0f) === 8 && prefix.readUInt16BE(0) % 31 === 0;

/**
 * Reads all members of a gzip file and all frames of a zstd file.
 * @param takeWindow called before a large window is allocated; without it, such memory is not limited
 * @throws FetchFailure unsupported_encoding when other data follow; errors of zlib are passed on
 */
export async function* decompress(
  source: AsyncIterable<Buffer>,
  compression: Compression,
  takeWindow?: TakeWindow,
): AsyncGenerator<Buffer, void, undefined> {
  const release = LARGE_WINDOWS.has(compression) ? await takeWindow?.() : undefined;
  try {
    yield* decode(source, compression);
  } finally {
    release?.();
  }
}

async function* decode(
  source: AsyncIterable<Buffer>,
  compression: Compression,
): AsyncGenerator<Buffer, void, undefined> {
  const { prefix, all } = await peek(source);
  const decoder = DECODERS[compression](prefix);
  let givenBytes = 0;
  const given = async function* (): AsyncGenerator<Buffer> {
    for await (const piece of compression === 'zstd' ? cutAtFrames(all) : all) {
      givenBytes += piece.length;
      yield piece;
    }
  };
  // An error of the source destroys the decoder, whose reader gets it.
  pipeline(given, decoder).catch(() => undefined);
  yield* decoder;
  // A decoder stops at the end of its format. Anything after that must not be lost silently.
  if (decoder.bytesWritten < givenBytes) {
    throw new FetchFailure('unsupported_encoding', 'More follows after the compressed data.');
  }
}

type Field = 'magic' | 'descriptor' | 'skippable size' | 'block header';

const FIELD_BYTES: Record<Field, number> = {
  magic: 4,
  descriptor: 1,
  'skippable size': 4,
  'block header': 3,
};
const MAGIC = 0xfd2fb528;
const SKIPPABLE_MAGIC = 0x184d2a50;
const RLE_BLOCK = 1;
const CHECKSUM_BYTES = 4;

interface State {
  field: Field;
  /** The part of a little-endian number that was read so far. */
  value: number;
  readBytes: number;
  /** Bytes to skip before the next field. */
  skipBytes: number;
  /** Whether the frame ends after the skipped bytes. */
  isLast: boolean;
  hasChecksum: boolean;
}

/**
 * Splits zstd data so that no chunk crosses the end of a frame (RFC 8878, 3.1). zlib stops at the end of a frame unless the
 * chunk ends there too, and would lose all frames but the first. Data that are not zstd stay as they are.
 */
async function* cutAtFrames(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  const state: State = {
    field: 'magic',
    value: 0,
    readBytes: 0,
    skipBytes: 0,
    isLast: false,
    hasChecksum: false,
  };
  for await (const chunk of source) {
    let from = 0;
    for (let at = 0; at < chunk.length;) {
      at = advance(state, chunk, at);
      if (!state.isLast || state.skipBytes > 0) continue;
      state.isLast = false;
      yield chunk.subarray(from, at);
      from = at;
    }
    if (from < chunk.length) yield chunk.subarray(from);
  }
}

function advance(state: State, chunk: Buffer, at: number): number {
  if (state.skipBytes > 0) {
    const skipped = Math.min(state.skipBytes, chunk.length - at);
    state.skipBytes -= skipped;
    return at + skipped;
  }
  state.value += (chunk[at] ?? 0) * 256 ** state.readBytes++;
  if (state.readBytes === FIELD_BYTES[state.field]) {
    const { value } = state;
    state.value = 0;
    state.readBytes = 0;
    FIELDS[state.field](state, value);
  }
  return at + 1;
}

const FIELDS: Record<Field, (state: State, value: number) => void> = {
  magic(state, value) {
    if (value === MAGIC) state.field = 'descriptor';
    else if (value - (value % 16) === SKIPPABLE_MAGIC) state.field = 'skippable size';
    else state.skipBytes = Infinity;
  },
  'skippable size'(state, value) {
    endFrame(state, value);
  },
  descriptor(state, value) {
    const isSingle = (value & 32) !== 0;
    const windowBytes = isSingle ? 0 : 1;
    const dictionaryBytes = [0, 1, 2, 4][value & 3] ?? 0;
    const sizeBytes = [isSingle ? 1 : 0, 2, 4, 8][value >> 6] ?? 0;
    state.skipBytes = windowBytes + dictionaryBytes + sizeBytes;
    state.hasChecksum = (value & 4) !== 0;
    state.field = 'block header';
  },
  'block header'(state, value) {
    const contentBytes = ((value >> 1) & 3) === RLE_BLOCK ? 1 : value >> 3;
    if ((value & 1) === 0) state.skipBytes = contentBytes;
    else endFrame(state, contentBytes + (state.hasChecksum ? CHECKSUM_BYTES : 0));
  },
};

/** @param restBytes remaining bytes of the frame */
function endFrame(state: State, restBytes: number): void {
  state.skipBytes = restBytes;
  state.isLast = true;
  state.field = 'magic';
}

const PREFIX_BYTES = 10;

/** Reads the first bytes of a stream. `prefix` may be shorter than PREFIX_BYTES; `all` has the whole stream. */
export async function peek(
  source: AsyncIterable<Buffer>,
): Promise<{ prefix: Buffer; all: AsyncGenerator<Buffer, void, undefined> }> {
  const iterator = source[Symbol.asyncIterator]();
  let start: Buffer = Buffer.alloc(0);
  while (start.length < PREFIX_BYTES) {
    const { done, value } = await iterator.next();
    if (done === true) break;
    start = start.length === 0 ? value : Buffer.concat([start, value]);
  }
  const all = async function* (): AsyncGenerator<Buffer, void, undefined> {
    if (start.length > 0) yield start;
    yield* { [Symbol.asyncIterator]: () => iterator };
  };
  return { prefix: start.subarray(0, PREFIX_BYTES), all: all() };
}
