// Compressed files: every member and frame is read, or the fetch fails; nested compression and archives are refused.
import fc from 'fast-check';
import {
  brotliCompressSync,
  constants,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type Compression, decompress } from '../../../activities/fetch/content-decoder.ts';
import { expandFile } from '../../../activities/fetch/expand-file.ts';
import { PROPERTY_TIMEOUT, propertyRuns } from '../../support/runner/property-runs.ts';

const TEXT = 'id,name\n1,Ann\n2,Bob\n';
const BODY = Buffer.from(TEXT);

// eslint-disable-next-line require-await -- the tested function takes asynchronous pieces
async function* cut(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

async function textOf(pieces: AsyncIterable<Buffer>): Promise<string> {
  const all: Buffer[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all).toString();
}

const expand = (
  bytes: Buffer,
  path = '/feed',
  { opened, size = 7 }: { opened?: Compression; size?: number } = {},
): Promise<string> => textOf(expandFile(cut(bytes, size), path, opened));

describe('a compressed file', () => {
  it.each<[string, Buffer, string]>([
    ['gzip, by its first bytes', gzipSync(BODY), '/export'],
    ['zstd, by its first bytes', zstdCompressSync(BODY), '/export.csv'],
    ['brotli, by its name', brotliCompressSync(BODY), '/export.csv.br'],
    ['deflate with its header, by its first bytes', deflateSync(BODY), '/export'],
    ['deflate without a header, by its name', deflateRawSync(BODY), '/export.csv.deflate'],
    ['gzip, whatever its name', gzipSync(BODY), '/export.zst'],
    ['gzip, even if its name speaks of brotli', gzipSync(BODY), '/export.br'],
    [
      'gzip with a file name in it',
      Buffer.concat([
        Buffer.from('1f8b08080000000000ff', 'hex'),
        Buffer.from('a.csv\0'),
        gzipSync(BODY).subarray(10),
      ]),
      '/export',
    ],
  ])('is opened: %s', async (_, bytes, path) => {
    for (const size of [1, 2, 3, Infinity]) expect(await expand(bytes, path, { size })).toBe(TEXT);
  });

  it('is not recognised by its name alone', async () => {
    expect(await expand(BODY, '/export.csv.gz')).toBe(TEXT);
    expect(await expand(BODY, '/export.csv.zst')).toBe(TEXT);
    expect(await expand(BODY, '/export.csv.br', { opened: 'br' })).toBe(TEXT);
    await expect(expand(BODY, '/export.csv.br')).rejects.toMatchObject({
      code: expect.stringMatching(/^ERR_/) as string,
    });
  });

  it('may be small or empty', async () => {
    for (const text of ['', 'a', 'a\n1']) {
      expect(await expand(Buffer.from(text))).toBe(text);
      expect(await expand(gzipSync(text))).toBe(text);
      expect(await expand(Buffer.from(text), '/x.br', { opened: 'br' })).toBe(text);
    }
    expect(await expand(Buffer.alloc(0), '/x.br')).toBe('');
  });

  it.each<[string, Buffer]>([
    ['gzip in gzip', gzipSync(gzipSync(BODY))],
    ['zstd in gzip', gzipSync(zstdCompressSync(BODY))],
  ])('is opened once: %s is refused', async (_, bytes) => {
    await expect(expand(bytes)).rejects.toMatchObject({
      code: 'unsupported_encoding',
      message: expect.stringContaining('more than once') as string,
    });
  });

  it.each([
    ['ZIP', '504b03041400000008000000'],
    ['an empty ZIP', '504b050600000000000000'],
    ['7-Zip', '377abcaf271c00040000'],
    ['xz', 'fd377a585a000004e6d6'],
    ['bzip2', '425a6839314159265359'],
  ])('is refused with advice: %s', async (_, hex) => {
    const refused = {
      code: 'unsupported_encoding',
      message: expect.stringMatching(/Give the URL of the data/) as string,
    };
    await expect(expand(Buffer.from(hex, 'hex'))).rejects.toMatchObject(refused);
    await expect(expand(gzipSync(Buffer.from(hex, 'hex')))).rejects.toMatchObject(refused);
  });

  it('is not detected in text that begins similarly', async () => {
    for (const text of ['BZh9,name\n1,2\n', 'PK,name\n1,2\n', '7z\n1\n', '(µ/ý\n'])
      expect(await expand(Buffer.from(text))).toBe(text);
  });
});

type Way = Compression | 'deflate without a header';
const namedIn = (way: Way): Compression => (way === 'deflate without a header' ? 'deflate' : way);

const COMPRESS: Record<Way, (bytes: Buffer) => Buffer> = {
  gzip: (bytes) => gzipSync(bytes),
  deflate: (bytes) => deflateSync(bytes),
  'deflate without a header': (bytes) => deflateRawSync(bytes),
  br: (bytes) => brotliCompressSync(bytes),
  zstd: (bytes) => zstdCompressSync(bytes, { params: { [constants.ZSTD_c_checksumFlag]: bytes.length % 2 } }),
};
const WAYS = ['gzip', 'deflate', 'deflate without a header', 'br', 'zstd'] as const;
const SKIPPABLE = Buffer.from('502a4d1803000000ffffff', 'hex');

describe('a decompression', () => {
  const part = fc
    .oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.nat(100_000).map((length) => new Uint8Array(length).fill(65)),
    )
    .map((bytes) => Buffer.from(bytes));

  it.each(['gzip', 'zstd'] as const)(
    'reads every member or frame of %s, in pieces of any size',
    PROPERTY_TIMEOUT,
    async (compression) => {
      const property = fc.asyncProperty(
        fc.array(part, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 50_000 }),
        fc.boolean(),
        async (parts, size, isSkipping) => {
          const between = compression === 'zstd' && isSkipping ? [SKIPPABLE] : [];
          const bytes = Buffer.concat(parts.flatMap((one) => [...between, COMPRESS[compression](one)]));
          expect(await textOf(decompress(cut(bytes, size), compression))).toBe(
            Buffer.concat(parts).toString(),
          );
        },
      );
      await fc.assert(property, propertyRuns());
    },
  );

  it.each(WAYS)('of %s gives the original data, in pieces of any size', async (way) => {
    for (const size of [1, 2, 3, 1_000])
      expect(await textOf(decompress(cut(COMPRESS[way](BODY), size), namedIn(way)))).toBe(BODY.toString());
  });

  it.each(WAYS)('of %s fails when the data are truncated at any byte', async (way) => {
    const bytes = COMPRESS[way](BODY);
    for (let length = 1; length < bytes.length; length++) {
      const reading = textOf(decompress(cut(bytes.subarray(0, length), 5), namedIn(way)));
      await expect(reading, `after ${length} bytes`).rejects.toMatchObject({ code: 'Z_BUF_ERROR' });
    }
  });

  it.each(['gzip', 'zstd'] as const)(
    'of %s fails when the second part is truncated at any byte',
    async (compression) => {
      const first = COMPRESS[compression](BODY);
      const bytes = Buffer.concat([first, first]);
      for (let length = first.length + 1; length < bytes.length; length++) {
        const reading = textOf(decompress(cut(bytes.subarray(0, length), 1_000), compression));
        await expect(reading, `after ${length} bytes`).rejects.toMatchObject({ code: 'Z_BUF_ERROR' });
      }
    },
  );

  it.each(WAYS)('of %s fails when other data follow', async (way) => {
    for (const tail of ['x', '\0', 'id,name\n3,Cid\n', '\0'.repeat(100_000)]) {
      for (const size of [1_000_000, 3]) {
        const bytes = Buffer.concat([COMPRESS[way](BODY), Buffer.from(tail)]);
        await expect(textOf(decompress(cut(bytes, size), namedIn(way)))).rejects.toMatchObject({
          code: expect.stringMatching(
            /^(unsupported_encoding|Z_DATA_ERROR|Z_BUF_ERROR|ZSTD_error_prefix_unknown)$/,
          ) as string,
        });
      }
    }
  });
});
