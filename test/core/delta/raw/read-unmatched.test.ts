// Rows of a body are read by their places, from files and from streams.
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NeedsExactPath } from '../../../../core/delta/raw/row-bytes.ts';
import { type ReadAt, readChunks } from '../../../../core/delta/raw/read-at.ts';
import type { ByteRange } from '../../../../core/delta/raw/row-index.ts';
import { readRanges } from '../../../../core/delta/raw/read-unmatched.ts';
import { PROPERTY_TIMEOUT, propertyRuns } from '../../../support/runner/property-runs.ts';
import { collect, cut } from '../../../core/delta/read-body.ts';

const MIB = 1024 * 1024;
/** No two parts of it are the same. */
const body = Buffer.alloc(6 * MIB);
for (let at = 0; at < body.length; at += 4) body.writeUInt32LE(at, at);

const rangesOf = (gaps: readonly [gap: number, length: number][]) => {
  let end = 0;
  return gaps.flatMap(([gap, length]) => {
    const start = end + gap;
    end = start + length;
    return end <= body.length ? [{ start, end }] : [];
  });
};

/** Lists of up to two. */
// eslint-disable-next-line require-await -- the reader takes asynchronous lists
async function* listsOf(ranges: readonly ByteRange[]): AsyncGenerator<ByteRange[]> {
  for (let at = 0; at < ranges.length; at += 2) yield ranges.slice(at, at + 2);
}

const inPlace: ReadAt = (into, at) => Promise.resolve(body.copy(into, 0, at));
const sizes = fc.oneof(fc.nat(300), fc.nat(70_000), fc.nat(2 * MIB));

describe('ranges of a body', () => {
  it('are read wherever they are, each list valid until the next', PROPERTY_TIMEOUT, async () => {
    expect.hasAssertions();
    const gaps = fc.array(fc.tuple(sizes, fc.oneof(fc.nat(300), fc.nat(90_000))), { maxLength: 25 });
    const property = fc.asyncProperty(gaps, fc.constantFrom(100_000, MIB), async (parts, chunkBytes) => {
      const ranges = rangesOf(parts);
      const expected = ranges.map(({ start, end }) => digestOf(body.subarray(start, end)));
      for (const read of [inPlace, readChunks(cut(body, chunkBytes))]) {
        const digests: string[] = [];
        for await (const rows of readRanges(read, listsOf(ranges))) {
          // A read must not overwrite the bytes that the caller still uses.
          await new Promise(setImmediate);
          digests.push(...rows.map(digestOf));
        }
        expect(digests).toEqual(expected);
      }
    });
    await fc.assert(property, propertyRuns(150));
  });

  it('beyond the body are an error', async () => {
    const ranges = [{ start: body.length - 5, end: body.length + 1 }];
    await expect(collect(readRanges(inPlace, listsOf(ranges)))).rejects.toThrow(NeedsExactPath);
    await expect(collect(readRanges(readChunks(cut(body, MIB)), listsOf(ranges)))).rejects.toThrow(
      NeedsExactPath,
    );
  });
});

const digestOf = (bytes: Uint8Array): string => createHash('sha1').update(bytes).digest('hex');

describe('random access to chunks', () => {
  it('returns the bytes of any place after the last, whatever the chunks', PROPERTY_TIMEOUT, async () => {
    expect.hasAssertions();
    const small = body.subarray(0, 100);
    const reads = fc.array(fc.tuple(fc.nat(20), fc.nat(30)), { maxLength: 12 });
    const property = fc.asyncProperty(reads, fc.integer({ min: 1, max: 120 }), async (steps, chunkBytes) => {
      const read = readChunks(cut(small, chunkBytes));
      let at = 0;
      for (const [gap, length] of steps) {
        at += gap;
        const into = Buffer.alloc(length);
        const count = await read(into, at);
        const expected = small.subarray(at, at + length);
        expect(into.subarray(0, count)).toEqual(expected);
        at += length;
      }
    });
    await fc.assert(property, propertyRuns());
  });
});
