// Bytes to text: a byte order mark wins over the named charset, and bytes that do not fit are an error.
import { TextDecoder } from 'node:util';
import { CheckError } from '../errors.ts';

const MARK_LENGTH = 3;
const HEAD_BYTES = 64 * 1024;

/** The start of a body, to judge it by. */
export interface BodyHead {
  text: string;
  /** Name of the encoding, as TextDecoder gives it back. */
  charset: string;
  /** Whether this is all of the body. */
  isWhole: boolean;
}

/**
 * Decodes a body, without its byte order mark. Chunks never end inside a surrogate pair.
 * @param charset a label of the WHATWG Encoding standard; utf-8 when not given
 * @throws CheckError encoding_invalid
 */
export async function* decodeText(
  chunks: AsyncIterable<Uint8Array>,
  charset?: string,
): AsyncGenerator<string, void, undefined> {
  let decoder: TextDecoder | undefined;
  let head: Uint8Array = new Uint8Array();
  let offset = 0;
  for await (const chunk of chunks) {
    let bytes = chunk;
    if (decoder === undefined) {
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
      if (head.length < MARK_LENGTH) continue;
      decoder = createDecoder(head, charset);
      bytes = head;
    }
    const text = decode(decoder, bytes, offset);
    offset += bytes.length;
    if (text !== '') yield text;
  }
  const last = decoder === undefined ? head : new Uint8Array();
  const text = decode(decoder ?? createDecoder(head, charset), last, offset, true);
  if (text !== '') yield text;
}

/**
 * Reads and decodes the first 64 KiB.
 * @throws CheckError encoding_invalid
 */
export async function readHead(chunks: AsyncIterable<Uint8Array>, charset?: string): Promise<BodyHead> {
  const parts: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of chunks) {
    parts.push(chunk);
    sizeBytes += chunk.length;
    if (sizeBytes >= HEAD_BYTES) break;
  }
  const isWhole = sizeBytes < HEAD_BYTES;
  const bytes = Buffer.concat(parts).subarray(0, HEAD_BYTES);
  const decoder = createDecoder(bytes, charset);
  return { text: decode(decoder, bytes, 0, isWhole), charset: decoder.encoding, isWhole };
}

/**
 * The encoding that a body is read in: its byte order mark's, else the named one.
 * @param head the first three bytes or more (fewer only if the body has no more)
 */
function resolveCharset(head: Uint8Array, charset = 'utf-8'): string {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return 'utf-8';
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  return charset;
}

function createDecoder(head: Uint8Array, charset: string | undefined): TextDecoder {
  const label = resolveCharset(head, charset);
  try {
    return new TextDecoder(label, { fatal: true });
  } catch (cause) {
    throw new CheckError('encoding_invalid', `The charset ${printable(label)} is not supported.`, { cause });
  }
}

function decode(decoder: TextDecoder, bytes: Uint8Array, offset: number, isEnd = false): string {
  try {
    return decoder.decode(bytes, { stream: !isEnd });
  } catch (cause) {
    const place = isEnd
      ? `The body ends inside a character at byte ${offset}.`
      : `The fault lies near bytes ${offset} to ${offset + bytes.length}.`;
    throw new CheckError('encoding_invalid', `It was read as ${decoder.encoding}. ${place}`, { cause });
  }
}

function printable(label: string): string {
  return `“${label.replaceAll(/[^\w.:-]/g, '').slice(0, 40)}”`;
}
