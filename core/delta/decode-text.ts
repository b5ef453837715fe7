// Decodes bytes to text. A byte order mark wins over the named charset, and invalid bytes are an error. Does not use Node's
// decoder, which differs from the WHATWG Encoding Standard in Big5, EUC-JP, EUC-KR, ISO-2022-JP and Shift_JIS.
import { labelToName, TextDecoder } from '@exodus/bytes/encoding.js';
import { CheckError } from '../errors.ts';

type Decoder = InstanceType<typeof TextDecoder>;

export const MARK_LENGTH = 3;
export const UTF_8 = 'utf-8';
const LONGEST_CHARACTER_BYTES = 8;
const PREFIX_BYTES = 64 * 1024;
/** Short texts are garbage before the next collection. Longer ones would survive it and take more memory. */
const TEXT_BYTES = 16 * 1024;

/** The start of a body, to detect its dialect. */
export interface BodyPrefix {
  text: string;
  /** Name of the encoding, as TextDecoder gives it back. */
  charset: string;
  /** Whether it begins with a byte order mark, which wins over any name. */
  hasMark: boolean;
  /** Whether this is the whole body. */
  isWhole: boolean;
}

/**
 * Decodes a body, without its byte order mark. Texts are short and never end inside a surrogate pair.
 * @param charset a label of the WHATWG Encoding standard; utf-8 when not given
 * @param reopen reads the body again, to find the first invalid byte
 * @throws CheckError encoding_invalid
 */
export async function* decodeText(
  chunks: AsyncIterable<Uint8Array>,
  charset?: string,
  reopen?: () => AsyncIterable<Uint8Array>,
): AsyncGenerator<string, void, undefined> {
  let decoder: Decoder | undefined;
  let prefix: Uint8Array = new Uint8Array();
  let offset = 0;
  for await (const chunk of inPieces(chunks)) {
    let bytes = chunk;
    if (decoder === undefined) {
      prefix = prefix.length === 0 ? chunk : Buffer.concat([prefix, chunk]);
      if (prefix.length < MARK_LENGTH) continue;
      decoder = createDecoder(prefix, charset);
      bytes = prefix;
    }
    const text = decode(decoder, bytes, false) ?? (await refuse(decoder, reopen?.(), offset));
    offset += bytes.length;
    if (text !== '') yield text;
  }
  const last = decoder === undefined ? prefix : new Uint8Array();
  decoder ??= createDecoder(prefix, charset);
  const text = decode(decoder, last, true) ?? (await refuse(decoder, reopen?.(), offset));
  if (text !== '') yield text;
}

async function* inPieces(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += TEXT_BYTES) yield chunk.subarray(at, at + TEXT_BYTES);
  }
}

/**
 * Reads and decodes the first 64 KiB.
 * @throws CheckError encoding_invalid
 */
export async function readPrefix(chunks: AsyncIterable<Uint8Array>, charset?: string): Promise<BodyPrefix> {
  const parts: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of chunks) {
    parts.push(chunk);
    sizeBytes += chunk.length;
    if (sizeBytes >= PREFIX_BYTES) break;
  }
  const isWhole = sizeBytes < PREFIX_BYTES;
  const bytes = Buffer.concat(parts).subarray(0, PREFIX_BYTES);
  const decoder = createDecoder(bytes, charset);
  const text = decode(decoder, bytes, isWhole) ?? (await refuse(decoder, [bytes], 0));
  return { text, charset: decoder.encoding, hasMark: encodingOfMark(bytes) !== undefined, isWhole };
}

/**
 * Name of the encoding that a body is read in, as TextDecoder returns it.
 * @param prefix the first three bytes or more (fewer only if the body has no more)
 * @throws CheckError encoding_invalid
 */
export const encodingOf = (prefix: Uint8Array, charset: string): string =>
  createDecoder(prefix, charset).encoding;

/**
 * The encoding of the byte order mark, or the named one without a mark.
 * @param prefix the first three bytes or more (fewer only if the body has no more)
 */
function resolveCharset(prefix: Uint8Array, charset = UTF_8): string {
  return encodingOfMark(prefix) ?? charset;
}

function encodingOfMark(prefix: Uint8Array): string | undefined {
  if (prefix[0] === 0xef && prefix[1] === 0xbb && prefix[2] === 0xbf) return UTF_8;
  if (prefix[0] === 0xff && prefix[1] === 0xfe) return 'utf-16le';
  if (prefix[0] === 0xfe && prefix[1] === 0xff) return 'utf-16be';
  return undefined;
}

/** Whether this is a label of the WHATWG Encoding standard, whatever its case. */
export const isCharsetLabel = (label: string): boolean => labelToName(label) !== null;

/** Whether a label of the WHATWG Encoding standard means this encoding. */
export function isNameOf(label: string | undefined, encoding: string): boolean {
  try {
    return new TextDecoder(label).encoding === encoding;
  } catch {
    return false;
  }
}

function createDecoder(prefix: Uint8Array, charset: string | undefined): Decoder {
  const label = resolveCharset(prefix, charset);
  try {
    return new TextDecoder(label, { fatal: true });
  } catch (cause) {
    // The label comes from the origin, so the message does not repeat it.
    throw new CheckError('encoding_invalid', 'The charset that its Content-Type names is not supported.', {
      cause,
    });
  }
}

/** Undefined if the bytes are invalid. The decoder cannot be used after that. */
function decode(decoder: Decoder, bytes: Uint8Array, isEnd: boolean): string | undefined {
  try {
    return decoder.decode(bytes, { stream: !isEnd });
  } catch {
    return undefined;
  }
}

/**
 * Throws an error with the position of the first invalid byte.
 * @param chunks the body from its start, if it can be read again
 * @param goodBytes how many bytes are known to be valid
 */
async function refuse(
  { encoding }: Decoder,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array> | undefined,
  goodBytes: number,
): Promise<never> {
  if (chunks === undefined) throw notInEncoding(encoding, goodBytes, ' or after it');
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  let offset = 0;
  let characterAt = 0;
  const takes = (bytes: Uint8Array): boolean => {
    const text = decode(decoder, bytes, false);
    offset += bytes.length;
    if (text !== undefined && text !== '') characterAt = offset;
    return text !== undefined;
  };
  for await (const chunk of chunks) {
    const fast = Math.max(0, Math.min(chunk.length, goodBytes - LONGEST_CHARACTER_BYTES - offset));
    takes(chunk.subarray(0, fast));
    for (let at = fast; at < chunk.length; at++) {
      if (!takes(chunk.subarray(at, at + 1))) throw notInEncoding(encoding, characterAt);
    }
  }
  throw notInEncoding(encoding, characterAt, ': it ends in the middle of a character');
}

function notInEncoding(encoding: string, offset: number, words = ''): CheckError {
  return new CheckError('encoding_invalid', `It is not valid ${encoding} at byte ${offset}${words}.`);
}
