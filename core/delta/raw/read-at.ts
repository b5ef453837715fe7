// Bytes of a body from any place on, into memory that is there already.

/**
 * Fills the buffer from a place of the body on.
 * @param at never before the end of what was asked for last: bodies also come as streams
 * @returns how many bytes; fewer than fit only where the body ends
 */
export type ReadAt = (into: Uint8Array, at: number) => Promise<number>;

/** Reads what comes in chunks. What lies between two reads is passed over. */
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
 * A body as chunks, each valid until the next one is asked for; all but the last are full. The next is read while one is
 * worked on, and two buffers take turns: new ones would be garbage that the collector is slow to see. Whoever leaves
 * early leaves a read under way, which ends when what is read is closed.
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
      // Told when it is awaited; nobody does who has left.
      pending.catch(() => undefined);
    }
    if (chunk.length > 0) yield chunk;
    if (isLast) return;
  }
}
