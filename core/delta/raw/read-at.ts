// Reads bytes of a body at a position into existing memory.

/**
 * Fills the buffer from a position of the body on.
 * @param at not before the end of the previous read, because a body may be a stream
 * @returns how many bytes; fewer than fit only at the end of the body
 */
export type ReadAt = (into: Uint8Array, at: number) => Promise<number>;

/** A file that is open, as node:fs/promises gives it. */
interface OpenFile {
  read: (
    into: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ) => Promise<{ bytesRead: number }>;
}

/** Reads from a file, in any order. */
export const readFileAt =
  (file: OpenFile): ReadAt =>
  async (into, at) => {
    let filled = 0;
    while (filled < into.length) {
      const { bytesRead } = await file.read(into, filled, into.length - filled, at + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return filled;
  };

/** Reads from a stream of chunks, and skips what lies between two reads. */
export function readChunks(chunks: AsyncIterable<Uint8Array>): ReadAt {
  const iterator = chunks[Symbol.asyncIterator]();
  let chunk: Uint8Array = new Uint8Array();
  let offset = 0;
  return async (into, at) => {
    let filled = 0;
    while (filled < into.length) {
      const part = chunk.subarray(at + filled - offset, at + into.length - offset);
      into.set(part, filled);
      filled += part.length;
      if (filled === into.length) break;
      offset += chunk.length;
      const next = await iterator.next();
      if (next.done === true) {
        chunk = new Uint8Array();
        break;
      }
      chunk = next.value;
    }
    return filled;
  };
}

/**
 * A body as chunks, each valid until the next one is requested. All but the last are full. The next chunk is read while the
 * caller uses one. Two buffers are reused, because the garbage collector is slow to notice large new ones. If the caller
 * stops early, a read may be pending, which ends when the body is closed.
 */
export async function* inChunks(
  read: ReadAt,
  chunkBytes: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let buffer: Uint8Array = Buffer.allocUnsafeSlow(chunkBytes);
  let other: Uint8Array | undefined;
  let offset = 0;
  let pending = read(buffer, offset);
  for (;;) {
    const chunk = buffer.subarray(0, await pending);
    const isLast = chunk.length < chunkBytes;
    if (!isLast) {
      offset += chunk.length;
      [buffer, other] = [other ?? Buffer.allocUnsafeSlow(chunkBytes), buffer];
      pending = read(buffer, offset);
      // The rejection is reported when this is awaited. A caller that stops early never awaits it.
      pending.catch(() => undefined);
    }
    if (chunk.length > 0) yield chunk;
    if (isLast) return;
  }
}
