// What goes further of an origin's headers, into histories and the database: no more than is needed of each, and
// nothing that tells back what the origin was shown.
import type { Dispatcher } from 'undici';
import { freshForMs } from '../../core/freshness.ts';
import type { OriginCredentials } from './open-origin.ts';

export interface KeptHeaders {
  etag: string | undefined;
  lastModified: string | undefined;
  /** When the origin answered, by its own clock. */
  date: string | undefined;
  /** Media type and charset alone. */
  contentType: string | undefined;
  retryAfter: string | undefined;
  /** For how long the origin expects no change, in milliseconds. */
  freshForMs: number | undefined;
}

const MEDIA_TYPE = /^\s*[\w!#$&^.+-]+\/[\w!#$&^.+-]+/;
const CHARSET = /;\s*charset\s*=\s*"?([\w.:+-]+)/i;

/** @param shown what the origin was shown: an entity tag that holds it counts as missing */
export function keptHeaders(
  headers: Dispatcher.ResponseData['headers'],
  shown: OriginCredentials = {},
): KeptHeaders {
  const read = (name: string): string | undefined => headers[name]?.toString();
  const etag = read('etag');
  const date = read('date');
  const contentType = read('content-type');
  return {
    etag: shownValues(shown).some((value) => etag?.includes(value)) ? undefined : etag,
    lastModified: read('last-modified'),
    date,
    contentType: contentType === undefined ? undefined : mediaTypeOf(contentType),
    retryAfter: read('retry-after'),
    freshForMs: freshForMs({
      cacheControl: read('cache-control'),
      expires: read('expires'),
      date,
      age: read('age'),
    }),
  };
}

function mediaTypeOf(contentType: string): string {
  const [type = ''] = MEDIA_TYPE.exec(contentType) ?? [];
  const [, charset] = CHARSET.exec(contentType) ?? [];
  return type.trim() + (charset === undefined ? '' : `; charset=${charset}`);
}

/** As an origin finds them in its requests: with and without the scheme of an Authorization, a query also encoded. */
function shownValues({ headers = {}, query }: OriginCredentials): string[] {
  const inHeaders = Object.values(headers).flatMap((value) => [value, value.slice(value.indexOf(' ') + 1)]);
  return query === undefined ? inHeaders : [...inHeaders, query.value, encodeURIComponent(query.value)];
}
