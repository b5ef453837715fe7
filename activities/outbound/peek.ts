// Looks at the start of a stream, which then is read from its start all the same.

const HEAD_BYTES = 10;

/** The first bytes, as far as there are so many, and all of them. */
export async function peek(
  source: AsyncIterable<Buffer>,
): Promise<{ head: Buffer; all: AsyncGenerator<Buffer, void, undefined> }> {
  const iterator = source[Symbol.asyncIterator]();
  let start: Buffer = Buffer.alloc(0);
  while (start.length < HEAD_BYTES) {
    const { done, value } = await iterator.next();
    if (done === true) break;
    start = start.length === 0 ? value : Buffer.concat([start, value]);
  }
  const all = async function* (): AsyncGenerator<Buffer, void, undefined> {
    if (start.length > 0) yield start;
    yield* { [Symbol.asyncIterator]: () => iterator };
  };
  return { head: start.subarray(0, HEAD_BYTES), all: all() };
}
