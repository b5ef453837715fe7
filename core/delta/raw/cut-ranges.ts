// Cuts some rows out of a body that streams by.
import { NeedsExactPath } from './needs-exact-path.ts';
import type { ByteRange } from './rows-before.ts';

/**
 * @param ranges in the order of the body, apart from each other
 * @throws NeedsExactPath the body ends too early
 */
export async function* cutRanges(
  chunks: AsyncIterable<Uint8Array>,
  ranges: Iterable<ByteRange>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const iterator = ranges[Symbol.iterator]();
  let range = iterator.next();
  let offset = 0;
  if (range.done === true) return;
  for await (const chunk of chunks) {
    const end = offset + chunk.length;
    const parts: Uint8Array[] = [];
    while (range.done !== true && range.value.start < end) {
      parts.push(chunk.subarray(Math.max(0, range.value.start - offset), range.value.end - offset));
      if (range.value.end > end) break;
      range = iterator.next();
    }
    if (parts.length > 0) yield Buffer.concat(parts);
    if (range.done === true) return;
    offset = end;
  }
  throw new NeedsExactPath('The body before is shorter than its index says');
}
