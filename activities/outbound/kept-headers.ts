// What goes further of an origin's headers, into histories and the database: no more than is needed of each, and
// nothing that tells back what the origin was shown.
import type { Dispatcher } from 'undici';
import { isCharsetLabel } from '../../core/delta/decode-text.ts';
import { charsetOf, formatOfMediaType } from '../../core/delta/detect-dialect.ts';
import type { BodyFormat } from '../../core/delta/model.ts';
import { freshForMs } from '../../core/freshness.ts';
import { isHttpDate } from '../../core/last-modified.ts';
import type { CredentialsToSend } from '../../core/source-credentials.ts';

export interface KeptHeaders {
  etag: string | undefined;
  lastModified: string | undefined;
  /** When the origin answered, by its own clock. */
  date: string | undefined;
  /** A media type and a charset that the product knows; `charset=unknown` for any other. */
  contentType: string | undefined;
  retryAfter: string | undefined;
  /** For how long the origin expects no change, in milliseconds. */
  freshForMs: number | undefined;
}

const MEDIA_TYPES: Record<BodyFormat, string> = {
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  jsonl: 'application/jsonl',
  json: 'application/json',
};
/** For a charset that nobody knows; reading the body then says so. */
const UNKNOWN_CHARSET = 'unknown';

/** @param shown what the origin was shown: an entity tag that holds it counts as missing */
export function keptHeaders(
  headers: Dispatcher.ResponseData['headers'],
  shown: CredentialsToSend = {},
): KeptHeaders {
  const read = (name: string): string | undefined => headers[name]?.toString();
  const etag = read('etag');
  const lastModified = read('last-modified');
  const date = read('date');
  const contentType = read('content-type');
  return {
    etag: shownValues(shown).some((value) => etag?.includes(value)) ? undefined : etag,
    lastModified: lastModified !== undefined && isHttpDate(lastModified) ? lastModified : undefined,
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

/** In words of our own: whatever else an origin writes there may be what it was shown. */
function knownContentType(contentType: string): string {
  const format = formatOfMediaType(contentType);
  const label = charsetOf(contentType)?.toLowerCase();
  const charset = label === undefined || isCharsetLabel(label) ? label : UNKNOWN_CHARSET;
  return [
    format === undefined ? '' : MEDIA_TYPES[format],
    ...(charset === undefined ? [] : [`charset=${charset}`]),
  ].join('; ');
}

/** As an origin finds them in its requests: an Authorization also without its scheme, and decoded; a query also encoded. */
export function shownValues({ headers = {}, query }: CredentialsToSend): string[] {
  const inHeaders = Object.values(headers).flatMap((value) => [value, value.slice(value.indexOf(' ') + 1)]);
  const basic = Object.values(headers).flatMap((value) => {
    const [, encoded] = /^Basic (.+)$/.exec(value) ?? [];
    const pair = Buffer.from(encoded ?? '', 'base64').toString('utf8');
    return [pair, pair.slice(pair.indexOf(':') + 1)];
  });
  const inQuery = query === undefined ? [] : [query.value, encodeURIComponent(query.value)];
  return [...inHeaders, ...basic, ...inQuery].filter((value) => value !== '');
}
