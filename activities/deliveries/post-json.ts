// Sends one delivery attempt: a POST without redirects, with one deadline for all of it.
import { setMaxListeners } from 'node:events';
import { type Dispatcher, request } from 'undici';
import { ATTEMPT_TIMEOUT_MS } from '../../core/deliveries.ts';
import type { AttemptErrorCode } from '../../core/errors.ts';
import { checkUrl } from '../../core/network/origin-url.ts';
import { parseRetryAfter } from '../../core/network/retry-after.ts';
import { createGuardedAgent, type GuardedAgent } from '../../outbound/guarded-agent.ts';
import type { OutboundGuard } from '../../outbound/guard.ts';
import { classifyFailure, type OutboundFailureKind } from '../../outbound/failure.ts';
import { discard } from '../fetch/open-origin.ts';

const EXCERPT_BYTES = 16 * 1024;

export interface PostOptions {
  url: string;
  body: string;
  /** Extra headers, such as the signature, or another content type. The user agent is set here. */
  headers: Readonly<Record<string, string>>;
  userAgent: string;
  guard: OutboundGuard;
  timeoutMs?: number;
  /** Cancels the attempt: postJson then rejects with the signal's reason. */
  signal?: AbortSignal;
  /** The webhook's agent, whose connections stay open. Without one, the attempt opens its own connection. */
  agent?: GuardedAgent;
}

/** The result of an attempt. `errorCode` is null for status 2xx only. */
export interface PostOutcome {
  errorCode: AttemptErrorCode | null;
  /** Null when no response came. */
  statusCode: number | null;
  durationMs: number;
  /** The first 16 KiB of the response as text that a database can hold; null when no response came. */
  excerpt: string | null;
  retryAfterMs: number | null;
  /** Whether no later attempt can succeed. */
  isFinal?: boolean;
}

/** Posts once. Failures of the network and the endpoint are outcomes, not exceptions. */
export async function postJson(options: PostOptions): Promise<PostOutcome> {
  const verdict = checkUrl(options.url, options.guard.allowed);
  if ('error' in verdict) return failed('url_not_allowed', 0);
  const startedAt = performance.now();
  const ending = endAfter(options.timeoutMs ?? ATTEMPT_TIMEOUT_MS, options.signal);
  const agent = options.agent ?? createGuardedAgent(options.guard, ending.signal);
  try {
    const answer = await post(verdict.url, options, agent.dispatcher, ending.signal);
    options.signal?.throwIfAborted();
    return { ...answer, durationMs: elapsedMs(startedAt) };
  } catch (error) {
    options.signal?.throwIfAborted();
    const errorCode = ending.signal.aborted ? 'endpoint_timeout' : FAILURES[classifyFailure(error)];
    return failed(errorCode, elapsedMs(startedAt));
  } finally {
    ending.forget();
    if (options.agent === undefined) await agent.destroy();
  }
}

/** A signal for the deadline or the cancellation of one attempt. AbortSignal.any with AbortSignal.timeout takes three times as long. */
function endAfter(timeoutMs: number, cancelling: AbortSignal | undefined) {
  const ending = new AbortController();
  const end = (): void => ending.abort();
  const timer = setTimeout(end, timeoutMs);
  // Many attempts of one activity may share this signal.
  if (cancelling !== undefined) setMaxListeners(0, cancelling);
  cancelling?.addEventListener('abort', end);
  if (cancelling?.aborted === true) end();
  const forget = (): void => {
    clearTimeout(timer);
    cancelling?.removeEventListener('abort', end);
  };
  return { signal: ending.signal, forget };
}

const failed = (errorCode: AttemptErrorCode, durationMs: number): PostOutcome => ({
  errorCode,
  statusCode: null,
  excerpt: null,
  retryAfterMs: null,
  durationMs,
});

/** A refused address, an unknown name and a closed port look the same from outside (decision 26). */
const FAILURES: Record<OutboundFailureKind, AttemptErrorCode> = {
  refused: 'endpoint_unreachable',
  dns: 'endpoint_unreachable',
  timeout: 'endpoint_timeout',
  certificate: 'endpoint_unreachable',
  tls: 'endpoint_unreachable',
  invalid_headers: 'endpoint_unreachable',
  unreachable: 'endpoint_unreachable',
};

async function post(
  url: URL,
  { body, headers, userAgent, agent, timeoutMs = ATTEMPT_TIMEOUT_MS }: PostOptions,
  dispatcher: Dispatcher,
  signal: AbortSignal,
): Promise<Omit<PostOutcome, 'durationMs'>> {
  const response = await request(url, {
    method: 'POST',
    dispatcher,
    signal,
    body,
    reset: agent === undefined,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    // Responses are not decompressed, because only an excerpt is kept.
    headers: {
      'content-type': 'application/json',
      'accept-encoding': 'identity',
      'user-agent': userAgent,
      ...headers,
    },
  });
  const isDelivered = response.statusCode >= 200 && response.statusCode <= 299;
  return {
    errorCode: isDelivered ? null : 'http_error',
    statusCode: response.statusCode,
    excerpt: await readExcerpt(response.body),
    retryAfterMs: parseRetryAfter(response.headers['retry-after']?.toString(), Date.now()) ?? null,
  };
}

/** Only the status decides the outcome. A body that breaks off or hangs makes the excerpt shorter. */
async function readExcerpt(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  try {
    for await (const chunk of body) {
      // undici's body yields Buffers; its type is that of any readable.
      chunks.push(chunk as Buffer);
      sizeBytes += (chunk as Buffer).length;
      if (sizeBytes >= EXCERPT_BYTES) break;
    }
  } catch {
    // Keep what was read so far.
  } finally {
    discard(body);
  }
  return toStorableText(Buffer.concat(chunks).subarray(0, EXCERPT_BYTES));
}

/** Replaces NUL, which PostgreSQL's text type cannot hold. */
function toStorableText(bytes: Buffer): string {
  return bytes.toString('utf8').replaceAll('\u0000', '\uFFFD');
}

function elapsedMs(startedAt: number): number {
  return Math.round(performance.now() - startedAt);
}
