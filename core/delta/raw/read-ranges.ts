// Reads some rows of a body. Nearby rows are read together, because one larger read is faster than several small ones.
import type { ReadAt } from './read-at.ts';
import type { ByteRange } from './row-index.ts';
import { NeedsExactPath } from './row-bytes.ts';

/** Reading this much unneeded data takes no longer than another read. */
const GAP_BYTES = 64 * 1024;
const BUFFER_BYTES = 1024 * 1024;

/**
 * @param ranges in the order of the body, without overlaps
 * @returns lists of rows, each valid until the next one
 * @throws NeedsExactPath the body is too short
 */
export async function* readRanges(
  read: ReadAt,
  ranges: Iterable<ByteRange>,
): AsyncGenerator<Buffer[], void, undefined> {
  const buffers = [Buffer.alloc(0), Buffer.alloc(0)];
  let pending: Promise<Buffer[]> | undefined;
  let turn = 0;
  for (const span of spansOf(ranges)) {
    const sizeBytes = span.end - span.start;
    // The other buffer has the list that the caller is using.
    let buffer = buffers[turn % 2] ?? Buffer.alloc(0);
    if (buffer.length < sizeBytes) buffer = Buffer.allocUnsafe(Math.max(BUFFER_BYTES, sizeBytes));
    buffers[turn++ % 2] = buffer;
    const rows = await pending;
    pending = readSpan(read, span, buffer.subarray(0, sizeBytes));
    // The rejection is reported when this is awaited. A caller that stops early never awaits it.
    pending.catch(() => undefined);
    if (rows !== undefined) yield rows;
  }
  if (pending !== undefined) yield await pending;
}

interface Span extends ByteRange {
  ranges: ByteRange[];
}

function* spansOf(ranges: Iterable<ByteRange>): Generator<Span> {
  let span: Span | undefined;
  for (const range of ranges) {
    const isNear =
      span !== undefined && range.start - span.end <= GAP_BYTES && range.end - span.start <= BUFFER_BYTES;
    if (span !== undefined && isNear) {
      span.end = range.end;
      span.ranges.push(range);
      continue;
    }
    if (span !== undefined) yield span;
    span = { ...range, ranges: [range] };
  }
  if (span !== undefined) yield span;
}

async function readSpan(read: ReadAt, { start, ranges }: Span, into: Buffer): Promise<Buffer[]> {
  if ((await read(into, start)) < into.length)
    throw new NeedsExactPath('The previous body is shorter than its index says');
  return ranges.map((range) => into.subarray(range.start - start, range.end - start));
}
