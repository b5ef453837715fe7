// The bytes of a file across connections that break off. The service sends a file from its beginning only, so a new connection
// repeats what has arrived, and that is dropped.
import { setTimeout as pause } from 'node:timers/promises';
import { isForeign } from '../../../clients/typescript/src/errors.ts';
import type { Download } from '../../../clients/typescript/src/http/download.ts';
import { isWorthRepeating } from '../../../clients/typescript/src/http/retry.ts';
import { ServiceFault } from '../calls/service-fault.ts';
import { createRowCounter } from './row-counter.ts';

/** Under the same reference, the service has a newer file. */
export class OtherFile extends ServiceFault {}

export interface FileOptions {
  /** Requests the same file again. */
  reopen: () => Promise<Download>;
  /** Called when a connection has broken off, before that. */
  onBreak: () => void;
  format: 'csv' | 'jsonl';
  /** How many it has, if known: a connection through some proxies just ends when it breaks off. */
  rows: number | undefined;
  /** The reference leads to a newer file as soon as there is one. */
  isLatest: boolean;
  signal: AbortSignal;
  patience?: Patience;
}

/** It gives up after so many attempts in a row, and so much time, in which no new byte arrived. */
interface Patience {
  attempts: number;
  totalMs: number;
  /** The pause after the first attempt without a new byte. It doubles. */
  pauseMs: number;
}

/** A service that restarts, and the proxy before it, are back by then. */
const PATIENCE: Patience = { attempts: 4, totalMs: 120_000, pauseMs: 1_000 };
const LONGEST_PAUSE_MS = 15_000;

/**
 * @throws OtherFile what follows would belong to another file: by the entity tag, which stands for the bytes
 * @throws ServiceFault it was given up @throws ApiError the service refuses the file @throws the signal's reason
 */
export async function* wholeFile(
  first: Download,
  { reopen, onBreak, format, rows, isLatest, signal, patience = PATIENCE }: FileOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  const counter = createRowCounter(format);
  let [arrivedBytes, vainAttempts, lastNewMs] = [0, 0, performance.now()];
  let open = (): Promise<Download> => Promise.resolve(first);
  for (;;) {
    const heldBytes = arrivedBytes;
    try {
      const { stream } = await open();
      for await (const piece of withoutFirst(stream, heldBytes)) {
        arrivedBytes += piece.length;
        counter.add(piece);
        yield piece;
        lastNewMs = performance.now();
      }
      if (rows === undefined || counter.rows() >= rows) return;
    } catch (error) {
      signal.throwIfAborted();
      if (!isPassing(error)) throw error;
    }
    vainAttempts = arrivedBytes > heldBytes ? 0 : vainAttempts + 1;
    const isLong = performance.now() - lastNewMs >= patience.totalMs;
    if (isLong && vainAttempts >= patience.attempts) throw new ServiceFault(BROKE_OFF, INCOMPLETE);
    onBreak();
    await pause(pauseAfter(vainAttempts, patience), undefined, { signal });
    open = () => reopenSame(first, reopen, isLatest);
  }
}

/** None when the last connection brought something new. */
const pauseAfter = (vainAttempts: number, { pauseMs }: Patience): number =>
  vainAttempts === 0 ? 0 : Math.min(LONGEST_PAUSE_MS, pauseMs * 2 ** (vainAttempts - 1));

/** @throws OtherFile @throws ServiceFault it may be another file */
async function reopenSame(
  first: Download,
  reopen: () => Promise<Download>,
  isLatest: boolean,
): Promise<Download> {
  const answer = await reopen();
  if (first.etag !== undefined && answer.etag === first.etag) return answer;
  await answer.stream.cancel();
  // A proxy may strip the entity tag.
  const isKnown = first.etag !== undefined && answer.etag !== undefined;
  if (!isKnown || !isLatest) throw new ServiceFault(BROKE_OFF, INCOMPLETE);
  throw new OtherFile('The connection broke off, and there is a newer version.', INCOMPLETE);
}

/** @throws BrokenOff the file is shorter than before */
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
  if (left > 0) throw new BrokenOff();
}

const BROKE_OFF = 'The connection broke off before the file was complete.';
const INCOMPLETE = {
  code: 'incomplete',
  advice: 'Start again. What went to standard output, if anything, is incomplete.',
};

class BrokenOff extends Error {}

/** Another attempt may succeed. fetch says so of connections by a TypeError with a cause; errors of files are none. */
const isPassing = (error: unknown): boolean =>
  error instanceof BrokenOff ||
  (error instanceof TypeError && error.cause instanceof Error) ||
  isForeign(error) ||
  isWorthRepeating(error, true);
