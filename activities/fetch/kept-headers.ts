// Reads an origin's response headers. Only what is needed gets into workflow histories and the database, and nothing that
// could echo the source credentials.
import type { Dispatcher } from 'undici';
import { echoTest } from '../../core/credential-echo.ts';
import { isCharsetLabel } from '../../core/delta/decode-text.ts';
import { charsetOf, formatOfMediaType } from '../../core/delta/detect-dialect.ts';
import type { DataFormat } from '../../core/delta/model.ts';
import { freshForMs, parseHttpDate, tellsVersionsApart } from '../../core/http-caching.ts';
import type { CredentialsToSend } from '../../core/source-credentials.ts';

export interface KeptHeaders {
  etag: string | undefined;
  /** As IMF-fixdate, whichever form it had. */
  lastModified: string | undefined;
  /** Whether the origin sent a Last-Modified that cannot be read, or must not be stored. */
  isModifiedUnclear: boolean;
  /** The time of the response, by the origin's clock. */
  date: string | undefined;
  /** A known media type and charset; `charset=unknown` for any other charset. */
  contentType: string | undefined;
  retryAfter: string | undefined;
  /** How long the response is fresh, in milliseconds. */
  freshForMs: number | undefined;
}

const MEDIA_TYPES: Record<DataFormat, string> = {
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  jsonl: 'application/jsonl',
  json: 'application/json',
};
/** Makes reading the body fail with a clear error. */
const UNKNOWN_CHARSET = 'unknown';

/** @param shown credentials that were sent; an entity tag or a date that contains one is dropped */
export function keptHeaders(
  headers: Dispatcher.ResponseData['headers'],
  shown: CredentialsToSend = {},
): KeptHeaders {
  const read = (name: string): string | undefined => headers[name]?.toString();
  const isEcho = echoTest(shown);
  const readUnlessEcho = (name: string): string | undefined => {
    const value = read(name);
    return value === undefined || isEcho(value) ? undefined : value;
  };
  const modifiedMs = parseHttpDate(readUnlessEcho('last-modified') ?? '');
  const date = read('date');
  const contentType = read('content-type');
  return {
    etag: usableTag(readUnlessEcho('etag')),
    lastModified: modifiedMs === undefined ? undefined : new Date(modifiedMs).toUTCString(),
    isModifiedUnclear: modifiedMs === undefined && read('last-modified') !== undefined,
    date,
    contentType: contentType === undefined ? undefined : knownContentType(contentType),
    retryAfter: read('retry-after'),
    freshForMs: freshForMs({
      cacheControl: read('cache-control'),
      expires: read('expires'),
      date,
      age: read('age'),
    }),
  };
}

/** What the next conditional request for the same body sends. */
export const validatorsOf = (headers: KeptHeaders): { etag: string | null; lastModified: string | null } => ({
  etag: etagOf(headers),
  lastModified: lastModifiedOf(headers),
});

/** In If-None-Match, `*` means any body. */
const usableTag = (etag: string | undefined): string | undefined => (etag?.trim() === '*' ? undefined : etag);

/**
 * Null when the body may have been modified within the second of the response: servers make tags from the time in seconds and
 * the size, so the body may change again under the same tag. A weak tag counts like a strong one.
 */
function etagOf({ etag, lastModified, isModifiedUnclear, date }: KeptHeaders): string | null {
  const isTold = lastModified === undefined ? !isModifiedUnclear : tellsVersionsApart(lastModified, date);
  return isTold ? (etag ?? null) : null;
}

/** Null when two versions of the body could have the same date. */
function lastModifiedOf({ lastModified, date }: KeptHeaders): string | null {
  return lastModified !== undefined && tellsVersionsApart(lastModified, date) ? lastModified : null;
}

/** Rebuilt from known values, because the rest of the header may echo credentials. */
function knownContentType(contentType: string): string {
  const format = formatOfMediaType(contentType);
  const label = charsetOf(contentType)?.toLowerCase();
  const charset = label === undefined || isCharsetLabel(label) ? label : UNKNOWN_CHARSET;
  return [
    format === undefined ? '' : MEDIA_TYPES[format],
    ...(charset === undefined ? [] : [`charset=${charset}`]),
  ].join('; ');
}
