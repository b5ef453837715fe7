// Bodies that try to exhaust their readers, as streams of any length.
import { Readable, type Transform } from 'node:stream';
import { constants, createBrotliCompress, createDeflate, createGzip, createZstdCompress } from 'node:zlib';

/** Pieces of about 64 KiB that repeat one text. */
function* repeated(piece: string, sizeBytes: number): Generator<Buffer> {
  const chunk = Buffer.from(piece.repeat(Math.ceil(65_536 / piece.length)));
  for (let left = sizeBytes; left > 0; left -= chunk.length) yield chunk;
}

function* numbered(write: (n: number) => string, sizeBytes: number): Generator<Buffer> {
  for (let n = 0, left = sizeBytes; left > 0;) {
    let text = '';
    while (text.length < 65_536) text += write(n++);
    left -= text.length;
    yield Buffer.from(text);
  }
}

function* framed(start: string, middle: Iterable<Buffer>, end = ''): Generator<Buffer> {
  yield Buffer.from(start);
  yield* middle;
  yield Buffer.from(end);
}

export interface HostileBody {
  /** The result of reading it: an error code, or “rows” if it is only large. */
  outcome: RegExp;
  chunks: (sizeBytes: number) => Iterable<Buffer>;
  /** CSV and JSONL are detected. A document may need a format, to distinguish it from a long line. */
  format?: 'json';
}

/** More than a reader may hold in memory, also when HOSTILE_MB asks for less. */
const LARGE_BYTES = 600 * 1024 * 1024;
const LONG_VALUE = 'value '.repeat(1_500);

export const HOSTILE_BODIES: Record<string, HostileBody> = {
  'a table that does not fit': {
    outcome: /^rows: \d{5}$/,
    chunks: () =>
      framed(
        'id,a\n',
        numbered((n) => `${n},${LONG_VALUE}\n`, LARGE_BYTES),
      ),
  },
  'lines that do not fit': {
    outcome: /^rows: \d{5}$/,
    chunks: () => numbered((n) => `{"id":${n},"a":"${LONG_VALUE}"}\n`, LARGE_BYTES),
  },
  'a line without end': { outcome: /row_too_large/, chunks: (size) => framed('id,a\n', repeated('x', size)) },
  'a line of delimiters': {
    outcome: /row_too_large/,
    chunks: (size) => framed('id,a\n1', repeated(',', size)),
  },
  'a quote that never closes': {
    outcome: /row_too_large/,
    chunks: (size) => framed('id,a\n1,"', repeated('x\n', size)),
  },
  'a quote full of quotes': {
    outcome: /row_too_large/,
    chunks: (size) => framed('id,a\n1,"', repeated('""', size)),
  },
  'a header without end': {
    outcome: /row_too_large/,
    chunks: (size) =>
      framed(
        'id',
        numbered((n) => `,c${n}`, size),
      ),
  },
  'a million columns': {
    outcome: /too_many_columns/,
    chunks: () => framed('id', [Buffer.from(',a'.repeat(1_000_000))], '\n1\n'),
  },
  'a million cells more than columns': {
    outcome: /too_many_columns/,
    chunks: () => framed('id,a\n1', [Buffer.from(',x'.repeat(1_000_000))], '\n2,y\n'),
  },
  'a line of JSON without end': {
    outcome: /row_too_large/,
    chunks: (size) => framed('{"id":1}\n{"id":"', repeated('x', size)),
  },
  'a line full of escapes': {
    outcome: /row_too_large/,
    chunks: (size) => framed('{"id":1}\n{"id":"', repeated(String.raw`\"`, size)),
  },
  'a line of backslashes': {
    outcome: /row_too_large/,
    chunks: (size) => framed('[{"id":1},{"id":"', repeated('\\', size), '"}]'),
  },
  'a row without end': {
    outcome: /row_too_large/,
    chunks: (size) => framed('[{"id":1},{"id":"', repeated('x', size)),
  },
  'a row of members without end': {
    outcome: /row_too_large/,
    chunks: (size) =>
      framed(
        '[{"id":1},{"id":1',
        numbered((n) => `,"c${n}":1`, size),
      ),
  },
  'a value beside the rows without end': {
    format: 'json',
    outcome: /row_too_large/,
    chunks: (size) => framed('{"t":"', repeated('x', size), '","r":[{"id":1}]}'),
  },
  'a list beside the rows, large but well-formed': {
    format: 'json',
    outcome: /rows/,
    chunks: (size) => framed('{"t":[', repeated('1,[2,"3"],', size), '0],"r":[{"id":1}]}'),
  },
  'a million lists': {
    format: 'json',
    outcome: /rows/,
    chunks: (size) =>
      framed(
        '{"t":0',
        numbered((n) => `,"a${n}":[]`, size),
        ',"r":[{"id":1}]}',
      ),
  },
  'a new column in every line': {
    outcome: /too_many_columns/,
    chunks: (size) => numbered((n) => `{"c${n}":1}\n`, size),
  },
  'a new column in every object': {
    outcome: /too_many_columns/,
    chunks: (size) =>
      framed(
        '[{}',
        numbered((n) => `,{"c${n}":1}`, size),
        ']',
      ),
  },
  'lists in lists': { outcome: /row_too_large|malformed_body/, chunks: (size) => repeated('[', size) },
  'lists in lists in a row, a million deep': {
    outcome: /malformed_body/,
    chunks: () =>
      framed('[{"id":', [Buffer.from('['.repeat(1_000_000)), Buffer.from(']'.repeat(1_000_000))], '}]'),
  },
  'objects in objects': {
    format: 'json',
    outcome: /malformed_body/,
    chunks: (size) => repeated('{"a":', size),
  },
  'lists in lists in a line, a million deep': {
    outcome: /malformed_body/,
    chunks: () =>
      framed(
        '{"id":1}\n{"id":',
        [Buffer.from('['.repeat(1_000_000)), Buffer.from(']'.repeat(1_000_000))],
        '}\n',
      ),
  },
  'a name without end': {
    format: 'json',
    outcome: /row_too_large/,
    chunks: (size) => framed('{"', repeated('x', size), '":[]}'),
  },
  'white space': { outcome: /body_truncated/, chunks: (size) => framed('[', repeated(' \n', size)) },
  'rows of a megabyte, more than memory holds': {
    outcome: /rows/,
    chunks: (size) =>
      framed(
        'id,a\n',
        numbered((n) => `${n},${'x'.repeat(1_000_000)}\n`, size),
      ),
  },
  'objects of a megabyte, more than memory holds': {
    outcome: /rows/,
    chunks: (size) =>
      framed(
        '[{"id":"first"}',
        numbered((n) => `,{"id":${n},"a":"${'x'.repeat(1_000_000)}"}`, size),
        ']',
      ),
  },
  'empty lines': { outcome: /rows/, chunks: (size) => framed('id\n1\n', repeated('\n', size)) },
  'empty objects': { outcome: /too_many_rows/, chunks: (size) => framed('[{}', repeated(',{}', size), ']') },
  'more rows than allowed': {
    outcome: /too_many_rows/,
    chunks: (size) =>
      framed(
        'id\n',
        numbered((n) => `${n}\n`, size),
      ),
  },
};

export interface Bomb {
  /** The value of the Content-Encoding header; undefined when the body is a compressed file. */
  encoding?: 'gzip' | 'deflate' | 'br' | 'zstd';
  make: (sizeBytes: number) => Promise<Buffer>;
}

const compressed = async (body: Iterable<Buffer>, compressor: Transform): Promise<Buffer> =>
  Buffer.concat(await Readable.from(body).pipe(compressor).toArray());

const nothing = (sizeBytes: number): Iterable<Buffer> => repeated('\0', sizeBytes);

/** Expands by a factor of a thousand, in many members. */
async function manyMembers(sizeBytes: number): Promise<Buffer> {
  const member = await compressed(nothing(MEMBER_BYTES), createGzip());
  return Buffer.concat(Array<Buffer>(Math.ceil(sizeBytes / MEMBER_BYTES)).fill(member));
}

const MEMBER_BYTES = 64 * 1024 * 1024;
const QUICKLY = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

export const BOMBS: Record<string, Bomb> = {
  'a bomb': { make: manyMembers },
  'a bomb in a compressed answer': {
    encoding: 'zstd',
    make: async (size) => compressed([await manyMembers(size)], createZstdCompress()),
  },
  'a bomb by gzip': { encoding: 'gzip', make: (size) => compressed(nothing(size), createGzip()) },
  'a bomb by deflate': { encoding: 'deflate', make: (size) => compressed(nothing(size), createDeflate()) },
  'a bomb by brotli': {
    encoding: 'br',
    make: (size) => compressed(nothing(size), createBrotliCompress(QUICKLY)),
  },
  'a bomb by zstd': {
    encoding: 'zstd',
    make: (size) => compressed(nothing(size), createZstdCompress()),
  },
};
