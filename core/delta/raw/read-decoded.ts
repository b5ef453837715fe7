// A stored body as a row matcher wants it: in a charset whose rows can be told by their bytes.
import { decodeText } from '../decode-text.ts';
import { type ReadAt, readChunks } from './read-at.ts';
import type { RowBytes } from './row-bytes.ts';

/**
 * Reads a body that is not in such a charset: as UTF-8 without a mark.
 * @throws CheckError encoding_invalid
 */
export const readDecoded = (chunks: AsyncIterable<Uint8Array>, { decodedFrom }: RowBytes): ReadAt =>
  readChunks(encode(decodeText(chunks, decodedFrom)));

async function* encode(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const text of texts) yield Buffer.from(text);
}
