// The first bytes of a body, for people who want to see what an origin sent.
import type { Dispatcher } from 'undici';
import { decompress, readContentEncoding, type TakeWindow } from './content-decoder.ts';

const START_BYTES = 1024;
/** Reading of an error page stops after this time. */
const LONGEST_WAIT_MS = 5_000;

/** Keeps the first bytes of a stream. */
export class BodyStart {
  /** A copy, because the memory of chunks is freed. */
  bytes: Uint8Array = new Uint8Array();

  get isFull(): boolean {
    return this.bytes.length === START_BYTES;
  }

  add(chunk: Uint8Array): void {
    if (this.isFull) return;
    this.bytes = Buffer.concat([this.bytes, chunk.subarray(0, START_BYTES - this.bytes.length)]);
  }
}

/** Reads only the first bytes of a body. If the stream stalls or is damaged, it keeps the bytes received so far. */
export async function readStart(
  { body, headers }: Pick<Dispatcher.ResponseData, 'body' | 'headers'>,
  takeWindow: TakeWindow | undefined,
): Promise<BodyStart> {
  const start = new BodyStart();
  const timer = setTimeout(() => body.destroy(), LONGEST_WAIT_MS);
  try {
    const encoding = readContentEncoding(String(headers['content-encoding'] ?? ''));
    const bytes: AsyncIterable<Buffer> =
      encoding === undefined ? body : decompress(body, encoding, takeWindow);
    for await (const chunk of bytes) {
      start.add(chunk);
      if (start.isFull) break;
    }
  } catch {
    // The answer's status is the news. Its body only explains it.
  } finally {
    clearTimeout(timer);
  }
  return start;
}
