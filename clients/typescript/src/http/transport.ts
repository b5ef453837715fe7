// Sends requests: credentials, timeouts, repetitions, idempotency keys. Answers that refuse become errors.
import {
  apiErrorOf,
  ConnectionError,
  NotFoundError,
  RecordwatchError,
  SecretNotShownError,
  UnreadableAnswerError,
} from '../errors.ts';
import type { paths } from '../schema.ts';
import type { AnswerOf, Method, PathWith, Sent } from './call-types.ts';
import { Download } from './download.ts';
import { isAnswer } from './is-answer.ts';
import type { CallOptions, ChangeOptions, RecordwatchOptions } from './options.ts';
import { queryString } from './query-string.ts';
import { onAbort, releasing } from './release.ts';
import {
  isSurelyNotDone,
  isWorthRepeating,
  MAX_RETRY_WAIT_MS,
  pause,
  readRetryAfter,
  waitBefore,
} from './retry.ts';

const MAX_RETRIES = 4;
const TIMEOUT_MS = 60_000;

interface Request {
  method: Method;
  url: string;
  headers: Record<string, string>;
  body?: string;
  /** Whether doing it twice does no harm. */
  isRepeatable: boolean;
  timeoutMs: number;
}

interface Reply {
  status: number;
  headers: Headers;
  /** Empty for a stream. */
  text: string;
  stream: ReadableStream<Uint8Array> | null;
}

export class Transport {
  readonly #options: RecordwatchOptions;
  readonly #apiKey: RecordwatchOptions['apiKey'];
  readonly #baseUrl: string;
  readonly #parseJson: (text: string) => unknown;

  constructor(options: RecordwatchOptions) {
    this.#options = options;
    const { apiKey } = options;
    this.#apiKey = typeof apiKey === 'string' ? readApiKey(apiKey) : apiKey;
    this.#baseUrl = readBaseUrl(options.baseUrl);
    this.#parseJson = options.parseJson ?? JSON.parse;
  }

  get maxRetryWaitMs(): number {
    return this.#options.maxRetryWaitMs ?? MAX_RETRY_WAIT_MS;
  }

  /** @throws RecordwatchError */
  async call<M extends Method, P extends PathWith<M>>(
    method: M,
    path: P,
    sent: Sent<M, P>,
    options: ChangeOptions = {},
  ): Promise<AnswerOf<M, P>> {
    const reply = await this.#send(this.#request(method, path, sent, options), options, false);
    // The OpenAPI document describes the answers, and the service's tests hold it to that.
    return (reply.status === NO_CONTENT ? undefined : this.#read(reply.text)) as AnswerOf<M, P>;
  }

  /** @throws UnreadableAnswerError */
  #read(text: string): object {
    let answer: unknown;
    try {
      answer = this.#parseJson(text);
    } catch (cause) {
      throw new UnreadableAnswerError(this.#baseUrl, { cause });
    }
    if (!isAnswer(answer)) throw new UnreadableAnswerError(this.#baseUrl);
    return answer;
  }

  /** As `call`, for an answer that shows a secret once. */
  async callForSecret<M extends Method, P extends PathWith<M>>(
    method: M,
    path: P,
    sent: Sent<M, P>,
    secret: keyof AnswerOf<M, P>,
    options?: ChangeOptions,
  ): Promise<AnswerOf<M, P>> {
    const answer = await this.call(method, path, sent, options);
    if (typeof answer === 'object' && answer !== null && secret in answer) return answer;
    const { id } = (answer ?? {}) as { id?: string };
    throw new SecretNotShownError(id);
  }

  /** A file's content as it arrives. Not repeated after its first byte. */
  async download<P extends PathWith<'get'>>(
    path: P,
    sent: Sent<'get', P>,
    options: CallOptions = {},
  ): Promise<Download> {
    const { headers, stream } = await this.#send(this.#request('get', path, sent, options), options, true);
    if (stream === null) throw new UnreadableAnswerError(this.#baseUrl);
    const download = new Download(headers, stream, this.#parseJson);
    // The service names each file. A page of a proxy has no such name.
    if (download.fileName !== undefined) return download;
    await stream.cancel();
    throw new UnreadableAnswerError(this.#baseUrl);
  }

  #request(
    method: Method,
    path: keyof paths,
    sent: { path?: unknown; query?: unknown; body?: unknown },
    { waitSeconds, idempotencyKey, timeoutMs = this.#options.timeoutMs ?? TIMEOUT_MS }: ChangeOptions,
  ): Request {
    const names = (sent.path ?? {}) as Record<string, string>;
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => pathSegment(name, names[name]));
    const headers: Record<string, string> = { accept: 'application/json' };
    if (waitSeconds !== undefined) headers['prefer'] = `wait=${waitSeconds}`;
    if (sent.body !== undefined) headers['content-type'] = 'application/json';
    if (method === 'post') headers['idempotency-key'] = idempotencyKey ?? crypto.randomUUID();
    return {
      method,
      url: `${this.#baseUrl}${filled}${queryString(sent.query as object | undefined)}`,
      headers,
      ...(sent.body === undefined ? {} : { body: JSON.stringify(sent.body) }),
      // A session has no owner yet for whom an answer could be kept, so a repetition would start a second one.
      isRepeatable: !(method === 'post' && path === '/v1/sessions'),
      timeoutMs: timeoutMs + (waitSeconds ?? 0) * 1_000,
    };
  }

  async #send(request: Request, options: CallOptions, isStream: boolean): Promise<Reply> {
    const maxRetries = options.maxRetries ?? this.#options.maxRetries ?? MAX_RETRIES;
    const longestMs = this.maxRetryWaitMs;
    let mayBeDone = false;
    for (let repetition = 0; ; repetition += 1) {
      try {
        return await this.#attempt(request, options.signal, isStream);
      } catch (error) {
        // An attempt before, whose answer was lost, has deleted it.
        if (mayBeDone && request.method === 'delete' && isNotFound(error)) return DELETED;
        mayBeDone ||= !isSurelyNotDone(error);
        if (repetition >= maxRetries || !isWorthRepeating(error, request.isRepeatable)) throw error;
        const waitMs = waitBefore(repetition, error);
        if (waitMs > longestMs && maxRetries !== Infinity) throw error;
        await pause(Math.min(waitMs, longestMs), options.signal);
      }
    }
  }

  async #attempt(request: Request, signal: AbortSignal | undefined, isStream: boolean): Promise<Reply> {
    const { url, method, body, timeoutMs } = request;
    const ending = new AbortController();
    const headers = { ...request.headers, ...(await this.#credential()) };
    const send = this.#options.fetch ?? fetch;
    const timer = setTimeout(() => ending.abort(new ConnectionError(noAnswerWithin(timeoutMs))), timeoutMs);
    // AbortSignal.any would leave something behind in the caller's signal, which may outlive many requests.
    const release = onAbort(signal, (reason) => ending.abort(reason));
    let stream: Reply['stream'] = null;
    try {
      const response = await send(url, {
        method: method.toUpperCase(),
        headers,
        signal: ending.signal,
        // A redirect would turn a POST into a GET. The API has none.
        redirect: 'manual',
        ...(body === undefined ? {} : { body }),
      });
      const { status, headers: received } = response;
      if (response.ok && isStream) {
        stream = response.body && releasing(response.body, release);
        return { status, headers: received, text: '', stream };
      }
      const text = await response.text();
      if (response.ok) return { status, headers: received, text, stream: null };
      throw apiErrorOf(status, text, readRetryAfter(received.get('retry-after')));
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof RecordwatchError) throw error;
      if (ending.signal.aborted) throw new ConnectionError(noAnswerWithin(timeoutMs), { cause: error });
      throw new ConnectionError('The service could not be reached.', { cause: error });
    } finally {
      clearTimeout(timer);
      if (stream === null) release();
    }
  }

  async #credential(): Promise<Record<string, string>> {
    const apiKey = this.#apiKey;
    const value = typeof apiKey === 'function' ? readApiKey(await apiKey()) : apiKey;
    return value === undefined ? {} : { authorization: `Bearer ${value}` };
  }
}

const NO_CONTENT = 204;
const DELETED: Reply = { status: NO_CONTENT, headers: new Headers(), text: '', stream: null };

/** Whether the service says so. A proxy's own 404, as while the service restarts, does not count. */
const isNotFound = (error: unknown): boolean => error instanceof NotFoundError && error.code === 'not_found';

const noAnswerWithin = (ms: number): string => `No answer within ${ms / 1_000} seconds.`;

/** @throws RecordwatchError no header can hold it. The error does not repeat it. */
function readApiKey(text: string): string {
  const key = text.trim();
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new RecordwatchError(
    'apiKey must be one API key and nothing else: characters of ASCII without spaces.',
  );
}

function readBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new RecordwatchError(
      'baseUrl must be the service’s address, for example https://recordwatch.example',
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new RecordwatchError(
      'baseUrl must have no user name and no password. The key is an option of its own: apiKey.',
    );
  }
  return `${url.origin}${url.pathname.replace(/(?<!\/)\/+$/, '')}`;
}

function pathSegment(name: string, value: string | undefined): string {
  if (value === undefined || value === '') throw new RecordwatchError(`${name} must not be empty`);
  // URLs have no way to write these two as a segment.
  if (value === '.' || value === '..') throw new RecordwatchError(`${name} cannot be “${value}” in a path`);
  return encodeURIComponent(value);
}
