// Sends a file as it is made: compressed as the caller asks, as fast as they read, and broken off rather than short.
import { pipeline, Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isNotModified } from './conditional.ts';
import { createCompressor, type Encoding, negotiateEncoding } from './content-encoding.ts';
import type { FileAnswer } from './file-answer.ts';
import type { Capacity } from '../capacity/capacity.ts';

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
