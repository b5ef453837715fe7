// Sends the GET request of a check and follows redirects itself, so that each hop is checked and credentials go to the
// record's own origin only.
import { type Dispatcher, request } from 'undici';
import { hostEchoTest } from '../../core/credential-echo.ts';
import { checkUrl } from '../../core/network/origin-url.ts';
import { ACCEPT_ENCODING } from './content-decoder.ts';
import { connectionFailure, FetchFailure } from './fetch-failure.ts';
import type { OutboundGuard } from '../../outbound/guard.ts';

const MAX_REDIRECTS = 5;
const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Sent only to the record's own origin (scheme, host and port), and not after a redirect has left it: another origin chose
 * that URL.
 */
export interface OriginCredentials {
  headers?: Readonly<Record<string, string>>;
  /** Added to the query of each such request; not part of `finalUrl`. */
  query?: { name: string; value: string };
}

export interface OriginRequest {
  url: string;
  guard: OutboundGuard;
  userAgent: string;
  /**
   * Conditional headers such as If-None-Match. Not sent after a redirect, because two URLs may use the same tag for
   * different bodies.
   */
  conditions?: Readonly<Record<string, string>>;
  credentials?: OriginCredentials;
  /** Until the headers of a hop are complete, with DNS and connecting. */
  answerTimeoutMs?: number;
  /** The longest silence of the origin before that. */
  headersTimeoutMs?: number;
  /** The longest pause within the body. */
  bodyTimeoutMs?: number;
}

export interface OriginResponse {
  response: Dispatcher.ResponseData;
  finalUrl: string;
  isRedirected: boolean;
}

/** @throws FetchFailure there is no final response */
export async function openOrigin(
  options: OriginRequest,
  dispatcher: Dispatcher,
  signal: AbortSignal,
): Promise<OriginResponse> {
  const start = checkUrl(options.url, options.guard.allowed);
  if ('error' in start) throw new FetchFailure('url_not_allowed', start.error.detail);
  let { url } = start;
  let isHome = true;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const isRedirected = hop > 0;
    const response = await send({ url, isRedirected, isHome }, options, dispatcher, signal).catch(
      (error: unknown) => {
        throw connectionFailure(error);
      },
    );
    const location = response.headers['location'];
    if (!REDIRECT_STATUSES.has(response.statusCode) || location === undefined) {
      return { response, finalUrl: url.href, isRedirected };
    }
    discard(response.body);
    url = nextHop(String(location), url, options);
    isHome &&= url.origin === start.url.origin;
  }
  throw new FetchFailure('too_many_redirects', `More than ${MAX_REDIRECTS} in a row.`);
}

/** Closes a body that will not be read. */
export function discard(body: Dispatcher.ResponseData['body']): void {
  body.on('error', () => {}).destroy();
}

/** Needed because interim responses (1xx) restart undici's own timeout. */
const ANSWER_TIMEOUT_MS = 60_000;

async function send(
  { url, isRedirected, isHome }: { url: URL; isRedirected: boolean; isHome: boolean },
  { credentials, conditions, userAgent, answerTimeoutMs, headersTimeoutMs, bodyTimeoutMs }: OriginRequest,
  dispatcher: Dispatcher,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  const target = isHome && credentials?.query !== undefined ? withQuery(url, credentials.query) : url;
  const late = new AbortController();
  const timer = setTimeout(() => {
    late.abort(new DOMException('No answer in time', 'TimeoutError'));
  }, answerTimeoutMs ?? ANSWER_TIMEOUT_MS);
  return request(target, {
    method: 'GET',
    dispatcher,
    signal: AbortSignal.any([signal, late.signal]),
    headersTimeout: headersTimeoutMs ?? 30_000,
    bodyTimeout: bodyTimeoutMs ?? 30_000,
    headers: {
      accept: '*/*',
      'accept-encoding': ACCEPT_ENCODING,
      'user-agent': userAgent,
      ...(isRedirected ? {} : conditions),
      ...(isHome ? credentials?.headers : {}),
    },
  }).finally(() => clearTimeout(timer));
}

/** Joins texts, because URLSearchParams would re-encode the rest of the query. */
function withQuery(url: URL, { name, value }: { name: string; value: string }): URL {
  const target = new URL(url);
  const pair = `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
  target.search = url.search === '' ? `?${pair}` : `${url.search}&${pair}`;
  return target;
}

function nextHop(location: string, from: URL, { guard, credentials = {} }: OriginRequest): URL {
  const next = URL.parse(location, from.href);
  if (next === null) throw new FetchFailure('redirect_not_allowed', 'Its Location is not a valid URL.');
  const verdict = checkUrl(next.href, guard.allowed);
  // A host name reaches DNS servers and logs, so it must not contain a credential.
  const host = next.hostname;
  const leaks = host !== from.hostname && hostEchoTest(credentials)(host);
  if ('error' in verdict || leaks) throw new FetchFailure('redirect_not_allowed');
  if (from.protocol === 'https:' && next.protocol === 'http:') {
    throw new FetchFailure('redirect_not_allowed', 'It led from https to http.');
  }
  return verdict.url;
}

/** User-Agent of all outbound requests. @param baseUrl tells owners of servers who calls */
export function userAgent(baseUrl: string): string {
  return `Recordwatch/1 (+${baseUrl})`;
}
