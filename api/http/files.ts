// Responses that are files: streamed as they are made, compressed as the client asks, and aborted rather than cut short.
import { Type } from 'typebox';
import { Negotiator } from 'negotiator';
import { pipeline, Readable, type Transform } from 'node:stream';
import { constants, createGzip, createZstdCompress } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Capacity, Owner } from '../capacity/capacity.ts';
import { isNotModified } from './conditional.ts';

const FILE = Symbol('file');

export interface FileAnswer {
  readonly [FILE]: true;
  /** With its charset. */
  contentType: string;
  /** Plain ASCII: slug, number, date and suffix. */
  fileName: string;
  /** Names the bytes before compression, without quotes; they never change under it. */
  etag: string;
  /** Whose data it is: limits how many of their files are sent at once. */
  owner: Owner;
  /** Aborts when the process is about to end: what is still being sent then has a few seconds left. */
  closing: AbortSignal;
  /** The content, in pieces. Not called when the caller has it already. */
  open: () => AsyncGenerator<string | Uint8Array>;
}

export function fileAnswer(file: Omit<FileAnswer, typeof FILE>): FileAnswer {
  return { ...file, [FILE]: true };
}

export function isFileAnswer(output: unknown): output is FileAnswer {
  return typeof output === 'object' && output !== null && FILE in output;
}

/** Output schema of an operation that answers with a file of one of these media types. */
export const fileSchema = (mediaTypes: readonly string[]) =>
  Type.Unsafe<FileAnswer>({ type: 'string', contentMediaTypes: mediaTypes });

const ENCODINGS = ['zstd', 'gzip', 'identity'] as const;
type Encoding = (typeof ENCODINGS)[number];

/** Fewer and larger writes than by default. */
const CHUNK_BYTES = 64 * 1024;
/** The highest level that keeps up with the rows; the next one takes twice the time for 2 % less. */
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
function createCompressor(encoding: Encoding): Transform | undefined {
  if (encoding === 'gzip') return createGzip({ level: GZIP_LEVEL, chunkSize: CHUNK_BYTES });
  if (encoding === 'zstd') {
    const params = { [constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL };
    return createZstdCompress({ params, chunkSize: CHUNK_BYTES });
  }
  return undefined;
}

/** Less than what supervisors wait before they kill. */
const CLOSING_GRACE_MS = 5_000;

type Piece = string | Uint8Array;

/** @returns false when the caller has the file already: then only its headers are set */
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
  // Only now: an error before the first byte is answered as any other.
  setHeaders(reply, etag);
  void reply.headers({
    'content-disposition': `attachment; filename="${file.fileName}"`,
    'accept-ranges': 'none',
    ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
  });
  void reply.type(file.contentType).send(content);
  return true;
}

function setHeaders(reply: FastifyReply, etag: string): void {
  // What browsers may read depends on more than we look at here.
  const vary = [reply.getHeader('vary') ?? [], 'Accept-Encoding'].flat().join(', ');
  void reply.headers({ etag, vary, 'cache-control': 'private, no-cache' });
}

async function openContent(
  capacity: Capacity,
  reply: FastifyReply,
  file: FileAnswer,
  encoding: Encoding,
): Promise<Readable> {
  const release = capacity.takeDownloadSlot(file.owner);
  // Not when the content ends: what is not begun to be read never does. The caller may have left by now.
  if (reply.raw.destroyed) release();
  else reply.raw.once('close', release);
  endWithProcess(reply, file.closing);
  const source = await beginReading(reply, file.open());
  const compressor = createCompressor(encoding);
  return compressor === undefined ? source : pipeline(source, compressor, () => undefined);
}

/** A stream whose first piece is there. @throws what making it threw */
async function beginReading(reply: FastifyReply, pieces: AsyncGenerator<Piece>): Promise<Readable> {
  const first = await pieces.next();
  return Readable.from(continued(reply, first, pieces));
}

async function* continued(
  reply: FastifyReply,
  first: IteratorResult<Piece>,
  pieces: AsyncGenerator<Piece>,
): AsyncGenerator<Piece> {
  try {
    if (first.done === true) return;
    yield first.value;
    yield* pieces;
  } catch (error) {
    breakOff(reply, error);
    throw error;
  } finally {
    await pieces.return(undefined);
  }
}

/**
 * Too late for another answer. The end of a connection could be taken for the end of the file by who speaks HTTP/1.0
 * (nginx to what is behind it, by default); a reset cannot.
 */
function breakOff({ raw, log }: FastifyReply, error: unknown): void {
  // The caller left: that throws too.
  if (raw.destroyed) return;
  log.warn({ err: error }, 'a file was broken off');
  raw.socket?.resetAndDestroy();
}

function endWithProcess(reply: FastifyReply, closing: AbortSignal): void {
  let timer: NodeJS.Timeout | undefined;
  const onClosing = (): void => {
    timer = setTimeout(() => breakOff(reply, new Error('The process ends')), CLOSING_GRACE_MS).unref();
  };
  closing.addEventListener('abort', onClosing, { once: true });
  reply.raw.once('close', () => {
    closing.removeEventListener('abort', onClosing);
    clearTimeout(timer);
  });
}
