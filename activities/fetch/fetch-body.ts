// Fetches one body from an origin into a file, or finds that it has not changed.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { OriginAnswer } from '../../core/checks.ts';
import { parseRetryAfter } from '../../core/network/retry-after.ts';
import { waiting } from '../../db/driver/pulse.ts';
import { guardOfFetch } from '../../outbound/guard.ts';
import { createGuardedAgent } from '../../outbound/guarded-agent.ts';
import { BodyStart, readStart } from './body-start.ts';
import { FetchFailure } from './fetch-failure.ts';
import { readContentEncoding, type TakeWindow } from './content-decoder.ts';
import { type KeptHeaders, keptHeaders } from './kept-headers.ts';
import { discard, openOrigin, type OriginRequest, type OriginResponse } from './open-origin.ts';
import { originAnswer } from './origin-answer.ts';
import { saveBody, type SavedBody } from './save-body.ts';

const DEFAULT_TOTAL_TIMEOUT_MS = 15 * 60_000;

export interface FetchOptions extends OriginRequest {
  /** Folder for the temporary file; created when missing. */
  folder: string;
  /** Limit for the decompressed body. */
  maxBytes: number;
  /** For the whole fetch: DNS, redirects, headers and body. */
  totalTimeoutMs?: number;
  /** How long the body may come at any rate. */
  graceMs?: number;
  /** The smallest average rate after that. */
  minBytesPerSecond?: number;
  /** Called with the decompressed bytes so far. */
  onProgress?: (bytes: number) => void;
  /** Limits the memory of decompression over all fetches. */
  takeWindow?: TakeWindow;
  /** Cancels the fetch: fetchBody then rejects with the signal's reason. */
  signal?: AbortSignal;
}

export type FetchedResponse =
  | { status: 'not_modified'; httpStatus: number; headers: KeptHeaders; finalUrl: string }
  | ({
      status: 'ok';
      httpStatus: number;
      headers: KeptHeaders;
      /** After redirects, without source credentials. */
      finalUrl: string;
      /** Made on demand: only a body that differs needs it. */
      answer: () => OriginAnswer;
      /** Path of the temporary file, which the caller moves or removes. */
      file: string;
      /** Whether only the end of the connection ended the body (RFC 9112, section 6.3), so that a broken one looks complete. */
      isCloseDelimited: boolean;
    } & SavedBody);

/**
 * Fetches a URL. A 304 counts as `not_modified` only after a conditional request.
 * @throws FetchFailure (a CheckError) for failures of the network or the origin; no file is left then
 */
export async function fetchBody(options: FetchOptions): Promise<FetchedResponse> {
  const late = new AbortController();
  const deadline = late.signal;
  // `AbortSignal.timeout` would keep all that listens to it in memory for the whole time, also when the fetch takes a moment.
  const abort = (): void => late.abort(new DOMException('The fetch took too long', 'TimeoutError'));
  const timer = setTimeout(abort, options.totalTimeoutMs ?? DEFAULT_TOTAL_TIMEOUT_MS);
  const signal = options.signal === undefined ? deadline : AbortSignal.any([deadline, options.signal]);
  const guard = guardOfFetch(options.guard);
  const agent = createGuardedAgent(guard, signal);
  const ending = AbortSignal.any([signal, agent.broken]);
  try {
    // Each answer has a deadline of its own.
    const answer = await waiting(() => openOrigin({ ...options, guard }, agent.dispatcher, ending));
    return await receive(answer, options, ending);
  } catch (error) {
    // After an abort, streams fail with various errors. The signal has the real reason.
    options.signal?.throwIfAborted();
    if (deadline.aborted) throw new FetchFailure('origin_timeout');
    throw error;
  } finally {
    clearTimeout(timer);
    await agent.destroy();
    // Node keeps a signal of AbortSignal.any as long as something listens to it, and with it all that this fetch used.
    late.abort();
  }
}

async function receive(
  { response, finalUrl, isRedirected }: OriginResponse,
  options: FetchOptions,
  signal: AbortSignal,
): Promise<FetchedResponse> {
  const httpStatus = response.statusCode;
  const kept = keptHeaders(response.headers, options.credentials);
  // Validators of a redirect's target do not belong to this URL.
  const headers = isRedirected ? { ...kept, etag: undefined, lastModified: undefined } : kept;
  let start = new BodyStart();
  const answer = (): OriginAnswer => originAnswer({ finalUrl, headers: response.headers, start }, options);
  try {
    if (httpStatus === 304 && !isRedirected && isConditional(options)) {
      return { status: 'not_modified', httpStatus, headers, finalUrl };
    }
    const isPart = httpStatus === 206 || isPartial(response.headers['content-range']);
    if (isPart || !WITH_A_BODY.has(httpStatus)) {
      start = await readStart(response, options.takeWindow);
      throw statusFailure(httpStatus, headers, isPart);
    }
    const file = join(options.folder, `fetch-${randomUUID()}`);
    const path = new URL(finalUrl).pathname;
    const saved = await saveBody(response, { ...options, file, path, start, signal });
    const isCloseDelimited = hasNoEnd(response.headers);
    return { status: 'ok', httpStatus, headers, finalUrl, answer, file, isCloseDelimited, ...saved };
  } catch (error) {
    if (error instanceof FetchFailure) {
      error.httpStatus = httpStatus;
      error.answer = answer();
    }
    throw error;
  } finally {
    discard(response.body);
  }
}

function isConditional({ conditions = {} }: FetchOptions): boolean {
  return Object.keys(conditions).length > 0;
}

/** Other ones in this class do not have the data: accepted for later (202), several answers (207), a difference (226). */
const WITH_A_BODY: ReadonlySet<number> = new Set([200, 201, 203, 204]);

/** A body ends with its connection without a length, and if its last transfer coding is not chunked. Compressed data show where they end. */
function hasNoEnd(headers: OriginResponse['response']['headers']): boolean {
  const coding = headers['transfer-encoding'];
  if (readContentEncoding(String(headers['content-encoding'] ?? '')) !== undefined) return false;
  return coding === undefined
    ? headers['content-length'] === undefined
    : !/(?:^|,)\s*chunked\s*$/i.test(String(coding));
}

/** Whether Content-Range names less than the whole body, as a 206 does, or does not say how much that is (RFC 9110, section 14.4). */
function isPartial(contentRange: string | string[] | undefined): boolean {
  const [, first, last, size] =
    /^bytes (\d+)-(\d+)\/(\d+|\*)$/i.exec(contentRange?.toString().trim() ?? '') ?? [];
  if (first === undefined) return false;
  return Number(first) > 0 || size === '*' || Number(last) + 1 < Number(size);
}

function statusFailure(httpStatus: number, { retryAfter }: KeptHeaders, isPart: boolean): FetchFailure {
  const words = isPart ? `Status ${httpStatus}: only a part of the body.` : `Status ${httpStatus}.`;
  return new FetchFailure('http_error', words, parseRetryAfter(retryAfter, Date.now()));
}
