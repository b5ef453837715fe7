// Decompresses a body that is a compressed file, such as data.csv.gz. gzip, zstd and zlib are recognised by their first
// bytes, brotli and raw deflate by the file name.
import { type Compression, decompress, peek, type TakeWindow } from './content-decoder.ts';
import { FetchFailure } from './fetch-failure.ts';

const KNOWN_FILES: readonly [magicHex: string, compression: Compression][] = [
  ['1f8b08', 'gzip'],
  ['28b52ffd', 'zstd'],
  // zlib at its usual levels. Its fourth one, 785e, could be text (“x^”).
  ['7801', 'deflate'],
  ['789c', 'deflate'],
  ['78da', 'deflate'],
];

const NAMED_FILES: readonly [pattern: RegExp, compression: Compression][] = [
  [/\.br$/i, 'br'],
  [/\.(?:zz|zlib|deflate)$/i, 'deflate'],
];

const ARCHIVES: readonly [magicHex: string, words: string][] = [
  ['504b0304', 'a ZIP archive (as .xlsx files are)'],
  ['504b0506', 'an empty ZIP archive'],
  ['504b0708', 'a part of a ZIP archive'],
  ['377abcaf271c', 'a 7-Zip archive'],
  ['fd377a585a00', 'compressed with xz'],
  ['425a68', 'compressed with bzip2'],
];
/** The digits of pi follow “BZh” and a digit. */
const BZIP2_BLOCK = '314159265359';

/**
 * @param path of the URL that the body came from
 * @param opened the compression that the Content-Encoding named, which the file name may mean as well
 * @throws FetchFailure unsupported_encoding: an archive, or compressed twice
 */
export async function* expandFile(
  source: AsyncIterable<Buffer>,
  path: string,
  opened: Compression | undefined,
  takeWindow?: TakeWindow,
): AsyncGenerator<Buffer, void, undefined> {
  const { prefix, all } = await peek(source);
  const compression = fileCompression(prefix, path, opened);
  if (compression === undefined) {
    yield* all;
    return;
  }
  const file = await peek(decompress(all, compression, takeWindow));
  if (compressionOf(file.prefix) !== undefined) {
    throw new FetchFailure('unsupported_encoding', 'It is compressed more than once.');
  }
  yield* file.all;
}

/**
 * How a file is compressed; undefined when it is not.
 * @param prefix its first ten bytes @param path, opened as for expandFile
 * @throws FetchFailure unsupported_encoding: an archive
 */
export function fileCompression(prefix: Buffer, path: string, opened?: Compression): Compression | undefined {
  const named = NAMED_FILES.find(([pattern]) => pattern.test(path))?.[1];
  return compressionOf(prefix) ?? (prefix.length === 0 || named === opened ? undefined : named);
}

function compressionOf(prefix: Buffer): Compression | undefined {
  const hex = prefix.toString('hex');
  const archive = ARCHIVES.find(
    ([magic]) => hex.startsWith(magic) && (magic !== '425a68' || hex.slice(8) === BZIP2_BLOCK),
  );
  if (archive !== undefined) {
    const [, words] = archive;
    throw new FetchFailure(
      'unsupported_encoding',
      `It is ${words}. Give the URL of the data themselves, or of a .gz, .zst or .br file.`,
    );
  }
  return KNOWN_FILES.find(([magic]) => hex.startsWith(magic))?.[1];
}
