// Sends the GET of a check and follows redirects by hand: each hop is judged anew, and secrets stay with their origin.
import { type Dispatcher, request } from 'undici';
import { checkUrl } from '../../core/network/origin-url.ts';
import { ACCEPT_ENCODING } from './content-decoder.ts';
import { connectionFailure, FetchFailure } from './fetch-failure.ts';
import { shownValues } from './kept-headers.ts';
import type { OutboundGuard } from '../../outbound/guard.ts';

const MAX_REDIRECTS = 5;
const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** What only the record's own origin (scheme, host and port) may see. */
export interface OriginCredentials {
  headers?: Readonly<Record<string, string>>;
  /** Added to the query of each request to that origin; never part of the final URL. */
  query?: { name: string; value: string };
}

export interface OriginRequest {
  url: string;
  guard: OutboundGuard;
  userAgent: string;
  /**
   * If-None-Match and the like, sent to the URL itself and to none that it redirects to: two places may use
   * one tag ("1") for two bodies.
   */
  conditions?: Readonly<Record<string, string>>;
  credentials?: OriginCredentials;
  /** How long it may take until a hop's headers are complete, resolving and connecting included. */
  answerTimeoutMs?: number;
  /** How long the origin may be silent before that. */
  headersTimeoutMs?: number;
  /** How long the body may pause. */
  bodyTimeoutMs?: number;
}

export interface OriginResponse {
  response: Dispatcher.ResponseData;
  finalUrl: string;
  isRedirected: boolean;
}

/** @throws FetchFailure when there is no response that is not a redirect */
export async function openOrigin(
  options: OriginRequest,
  dispatcher: Dispatcher,
  signal: AbortSignal,
): Promise<OriginResponse> {
  const start = checkUrl(options.url, options.guard.allowed);
  if ('error' in start) throw new FetchFailure('url_not_allowed', start.error.detail);
  let { url } = start;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const isRedirected = hop > 0;
    const response = await send({ url, isRedirected }, start.url, options, dispatcher, signal).catch(
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
  }
  throw new FetchFailure('too_many_redirects', `More than ${MAX_REDIRECTS} in a row.`);
}

/** Lets go of a body that nobody will read. */
export function discard(body: Dispatcher.ResponseData['body']): void {
  body.on('error', () => {}).destroy();
}

/** From asking to complete headers, whatever comes in between: interim answers (1xx) start undici's own clock anew. */
const ANSWER_TIMEOUT_MS = 60_000;

async function send(
  { url, isRedirected }: { url: URL; isRedirected: boolean },
  home: URL,
  { credentials, conditions, userAgent, answerTimeoutMs, headersTimeoutMs, bodyTimeoutMs }: OriginRequest,
  dispatcher: Dispatcher,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  const isHome = url.origin === home.origin;
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

/** Joined as text, so that the rest of the query stays byte for byte as the origin knows it. */
function withQuery(url: URL, { name, value }: { name: string; value: string }): URL {
  const target = new URL(url);
  const pair = `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
  target.search = url.search === '' ? `?${pair}` : `${url.search}&${pair}`;
  return target;
}

function nextHop(location: string, from: URL, { guard, credentials = {} }: OriginRequest): URL {
  const next = URL.parse(location, from.href);
  if (next === null) throw new FetchFailure('redirect_not_allowed', 'It named no valid URL.');
  const verdict = checkUrl(next.href, guard.allowed);
  // DNS and the log hear the name of a host.
  const host = next.hostname;
  const tells = host !== from.hostname && shownValues(credentials).some((value) => isPartOf(value, host));
  if ('error' in verdict || tells) throw new FetchFailure('redirect_not_allowed');
  if (from.protocol === 'https:' && next.protocol === 'http:') {
    throw new FetchFailure('redirect_not_allowed', 'It led from https to http.');
  }
  return verdict.url;
}

/** Shorter ones are in many names by chance. */
const SHORTEST_TOLD = 6;

const isPartOf = (value: string, host: string): boolean =>
  value.length >= SHORTEST_TOLD && host.includes(value.toLowerCase());
