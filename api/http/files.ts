// Responses that are files: generated while they are sent, compressed as the client asks, and reset rather than truncated on
// an error.
import { Type } from 'typebox';
import { Negotiator } from 'negotiator';
import { pipeline, Readable } from 'node:stream';
import { constants, createGzip, createZstdCompress } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Capacity } from '../capacity/capacity.ts';
import type { Owner } from '../capacity/slots.ts';
import { isNotModified } from './conditional.ts';
import { endAnswer } from './connections.ts';
import { holdUntilSent } from './hold-until-sent.ts';
import { type Compressor, keepOpen } from './quiet-files.ts';
import { measureReading } from './read-rate.ts';

const FILE = Symbol('file');

export interface FileAnswer {
  readonly [FILE]: true;
  /** With its charset. */
  contentType: string;
  /** Plain ASCII: slug, number, date and suffix. Null for a document that is not meant to be saved. */
  fileName: string | null;
  /** Identifies the bytes before compression, without quotes. The content under one tag never changes. */
  etag: string;
  /** The owner of the data. Limits concurrent downloads. */
  owner: Owner;
  /** Aborts when the process is about to end. Downloads in progress then get a few more seconds. */
  closing: AbortSignal;
  /** The content in pieces. Not called if the client has it already. */
  open: () => AsyncGenerator<string | Uint8Array>;
}

export function fileAnswer(file: Omit<FileAnswer, typeof FILE>): FileAnswer {
  return { ...file, [FILE]: true };
}

export function isFileAnswer(output: unknown): output is FileAnswer {
  return typeof output === 'object' && output !== null && FILE in output;
}

/** Output schema of an operation that responds with a file of one of these media types. */
export const fileSchema = (mediaTypes: readonly string[]) =>
  Type.Unsafe<FileAnswer>({ type: 'string', contentMediaTypes: mediaTypes });

const ENCODINGS = ['zstd', 'gzip', 'identity'] as const;
type Encoding = (typeof ENCODINGS)[number];

/** Larger than the default, for fewer writes. */
const CHUNK_BYTES = 64 * 1024;
/** The highest level that keeps up with reading rows. The next one takes twice the time for 2 % less. */
const GZIP_LEVEL = 3;
const ZSTD_LEVEL = 1;

/**
 * Negotiates Accept-Encoding (RFC 9110, 12.5.3): the encoding that the client prefers; among equals, the first of ENCODINGS.
 * Identity if the client accepts none of them: a response helps more than a refusal.
 */
export function negotiateEncoding(acceptEncoding: string | undefined): Encoding {
  // RFC 9110, 8.4.1.3: x-gzip is gzip.
  const header = acceptEncoding?.replaceAll(/\bx-gzip\b/gi, 'gzip');
  const negotiator = new Negotiator({ headers: { 'accept-encoding': header } });
  return negotiator.encoding(ENCODINGS, { preferred: ENCODINGS }) ?? 'identity';
}

/** Undefined for identity. */
function createCompressor(encoding: Encoding): Compressor | undefined {
  if (encoding === 'gzip') return createGzip({ level: GZIP_LEVEL, chunkSize: CHUNK_BYTES });
  if (encoding === 'zstd') {
    const params = { [constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL };
    return createZstdCompress({ params, chunkSize: CHUNK_BYTES });
  }
  return undefined;
}

/** Less than what process supervisors wait before they kill. */
const CLOSING_GRACE_MS = 5_000;

type Piece = string | Uint8Array;

/** @returns false if the client has the file already: then only the headers are set */
export async function sendFile(
  capacity: Capacity,
  request: FastifyRequest,
  reply: FastifyReply,
  file: FileAnswer,
): Promise<boolean> {
  const encoding = negotiateEncoding(request.headers['accept-encoding']);
  const etag = `"${file.etag}${encoding === 'identity' ? '' : `.${encoding}`}"`;
  if (isNotModified(request.headers['if-none-match'], etag)) {
    setHeaders(reply, etag);
    return false;
  }
  const content =
    request.method === 'HEAD' ? Readable.from([]) : await openContent(capacity, reply, file, encoding);
  // Set only now, so that an error before the first byte gets an ordinary error response.
  setHeaders(reply, etag);
  void reply.headers({
    ...(file.fileName === null ? {} : { 'content-disposition': `attachment; filename="${file.fileName}"` }),
    'accept-ranges': 'none',
    ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
  });
  void reply.type(file.contentType).send(content);
  return true;
}

function setHeaders(reply: FastifyReply, etag: string): void {
  // Other hooks may have set Vary too.
  const vary = [reply.getHeader('vary') ?? [], 'Accept-Encoding'].flat().join(', ');
  void reply.headers({ etag, vary, 'cache-control': 'private, no-cache' });
}

async function openContent(
  capacity: Capacity,
  reply: FastifyReply,
  file: FileAnswer,
  encoding: Encoding,
): Promise<Readable> {
  const { pieces, progress } = measureReading(file.open);
  const end = (): void => breakOff(reply, new Error('It was read too slowly, and others needed its place'));
  // Not until the content ends: a stream that is never read never ends.
  holdUntilSent(reply, capacity.takeDownloadSlot(file.owner, { progress, end }));
  endWithProcess(reply, file.closing);
  const compressor = createCompressor(encoding);
  const source = await beginReading(reply, pieces, keepOpen(reply, compressor));
  return compressor === undefined ? source : pipeline(source, compressor, () => undefined);
}

/**
 * Waits for the first piece, so that its error can still be answered.
 * @throws what the first piece threw
 */
async function beginReading(
  reply: FastifyReply,
  pieces: AsyncGenerator<Piece>,
  onPiece: () => void,
): Promise<Readable> {
  const first = await pieces.next();
  return Readable.from(continued(reply, first, pieces, onPiece));
}

async function* continued(
  reply: FastifyReply,
  first: IteratorResult<Piece>,
  pieces: AsyncGenerator<Piece>,
  onPiece: () => void,
): AsyncGenerator<Piece> {
  try {
    if (first.done === true) return;
    yield first.value;
    for await (const piece of pieces) {
      onPiece();
      yield piece;
    }
  } catch (error) {
    breakOff(reply, error);
    throw error;
  } finally {
    await pieces.return(undefined);
  }
}

/** The response has begun, so it cannot become an error response. */
function breakOff(reply: FastifyReply, error: unknown): void {
  // The client disconnected, which throws too.
  if (reply.raw.destroyed) return;
  reply.log.warn({ err: error }, 'a file was aborted');
  endAnswer(reply);
}

function endWithProcess(reply: FastifyReply, closing: AbortSignal): void {
  let timer: NodeJS.Timeout | undefined;
  const onClosing = (): void => {
    timer = setTimeout(
      () => breakOff(reply, new Error('The process is shutting down')),
      CLOSING_GRACE_MS,
    ).unref();
  };
  closing.addEventListener('abort', onClosing, { once: true });
  reply.raw.once('close', () => {
    closing.removeEventListener('abort', onClosing);
    clearTimeout(timer);
  });
}
