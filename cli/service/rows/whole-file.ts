// The bytes of a file across connections that break off. The service sends a file from its beginning only, so a new connection
// repeats what has arrived, and that is dropped.
import type { Download } from '../../../clients/typescript/src/http/download.ts';
import { ServiceFault } from '../calls/service-fault.ts';

/** How many connections in a row may end without a new byte. */
const ATTEMPTS = 4;

/** Under the same reference, the service has another file now. */
export class OtherFile extends ServiceFault {}

/**
 * @param reopen requests the same file again
 * @param onBreak called before that
 * @throws OtherFile what follows would belong to another file: by the entity tag, which stands for the bytes
 */
export async function* wholeFile(
  first: Download,
  reopen: () => Promise<Download>,
  onBreak: () => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  let [answer, arrivedBytes, vainAttempts] = [first, 0, 0];
  for (;;) {
    const heldBytes = arrivedBytes;
    try {
      for await (const piece of withoutFirst(answer.stream, heldBytes)) {
        arrivedBytes += piece.length;
        yield piece;
      }
      return;
    } catch (error) {
      if (!isBroken(error)) throw error;
    }
    vainAttempts = arrivedBytes > heldBytes ? 1 : vainAttempts + 1;
    if (vainAttempts === ATTEMPTS) throw incomplete('The connection broke off before the file was complete.');
    onBreak();
    answer = await reopen();
    if (first.etag === undefined || answer.etag !== first.etag) {
      await answer.stream.cancel();
      throw new OtherFile('The connection broke off, and there is a newer version.', INCOMPLETE);
    }
  }
}

async function* withoutFirst(
  stream: ReadableStream<Uint8Array>,
  bytes: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let left = bytes;
  for await (const chunk of stream) {
    const rest = chunk.subarray(left);
    left -= chunk.length - rest.length;
    if (rest.length > 0) yield rest;
  }
  if (left > 0) throw incomplete('The service sent less than before.');
}

const INCOMPLETE = {
  code: 'incomplete',
  advice: 'What was written to standard output is incomplete. Start again.',
};
const incomplete = (words: string): ServiceFault => new ServiceFault(words, INCOMPLETE);

/** The connection ended early. fetch says so, and errors of files are no TypeErrors. */
const isBroken = (error: unknown): boolean => error instanceof TypeError && error.cause instanceof Error;
