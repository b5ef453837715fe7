// Describes what an origin answered, for the readers of a record whose check failed. What may contain a credential is left out.
import { TextDecoder } from '@exodus/bytes/encoding.js';
import type { Dispatcher } from 'undici';
import type { OriginAnswer } from '../../core/checks.ts';
import { echoTest } from '../../core/credential-echo.ts';
import { encodingOf, UTF_8 } from '../../core/delta/decode-text.ts';
import { charsetOf } from '../../core/delta/detect-dialect.ts';
import type { CredentialsToSend } from '../../core/source-credentials.ts';
import type { BodyStart } from './body-start.ts';

const LONGEST_BEGINNING = 200;
/** Shorter values of a query, such as page numbers, occur in many texts. */
const SHORTEST_SECRET = 6;
/** A text with a larger share of characters that cannot be shown is no text. */
const MOST_UNPRINTABLE = 1 / 10;

interface Answered {
  /** After redirects, without source credentials. */
  finalUrl: string;
  headers: Dispatcher.ResponseData['headers'];
  start: BodyStart;
}

/** @param asked the record's URL, and the credentials that its origin was shown */
export function originAnswer(
  { finalUrl, headers, start }: Answered,
  asked: { url: string; credentials?: CredentialsToSend },
): OriginAnswer {
  const isEcho = echoTest(asked.credentials ?? {});
  const unlessEcho = (text: string | null): string | null => (text === null || isEcho(text) ? null : text);
  const { shown, hidden } = splitQuery(new URL(finalUrl), new URL(asked.url));
  const contentType = headers['content-type']?.toString();
  const text = textOf(start, contentType);
  const beginning = text === null ? null : beginningOf(text);
  // A secret may be cut at the end of what was read, and at the end of what is shown.
  const isSafe = [`${text}…`, beginning ?? ''].every(
    (each) => !isEcho(each) && !hidden.some((test) => test(each)),
  );
  return {
    url: unlessEcho(shown),
    contentType: unlessEcho(mediaType(contentType)),
    beginning: isSafe ? beginning : null,
  };
}

/** A redirect's query may hold secrets, such as a signature. The record's own query is in its URL, which its readers see. */
function splitQuery(url: URL, asked: URL): { shown: string; hidden: ((text: string) => boolean)[] } {
  if (url.search === asked.search) return { shown: url.href, hidden: [] };
  const values = [...url.searchParams.values()].filter(({ length }) => length >= SHORTEST_SECRET);
  url.search = '';
  return { shown: url.href, hidden: values.map((value) => echoTest({ query: { name: '', value } })) };
}

/** `text/html`, without its parameters. */
const mediaType = (contentType = ''): string | null =>
  /^\s*([\w.+-]{1,50}\/[\w.+-]{1,100})\s*(?:;|$)/.exec(contentType)?.[1]?.toLowerCase() ?? null;

/** Returns null for an empty text and for binary data. Whitespace becomes one space, and unprintable characters become U+FFFD. */
function textOf({ bytes }: BodyStart, contentType: string | undefined): string | null {
  const text = decode(bytes, charsetOf(contentType)).replaceAll(/\s+/g, ' ').trim();
  const characters = Array.from(text);
  const unprintable = characters.filter((character) => UNPRINTABLE.test(character)).length;
  if (text === '' || unprintable > characters.length * MOST_UNPRINTABLE) return null;
  return text.replaceAll(new RegExp(UNPRINTABLE, 'gu'), '\uFFFD');
}

/** A charset that the standard does not know, or refuses to decode, is read as UTF-8. */
function decode(bytes: Uint8Array, charset = UTF_8): string {
  try {
    // The last character may be cut.
    return new TextDecoder(encodingOf(bytes, charset)).decode(bytes, { stream: true });
  } catch {
    return new TextDecoder().decode(bytes, { stream: true });
  }
}

/** Control and format characters, such as those that change the direction of a text, and what could not be decoded. */
const UNPRINTABLE = /[\p{C}\uFFFD]/u;

function beginningOf(text: string): string {
  const characters = Array.from(text);
  if (characters.length <= LONGEST_BEGINNING) return text;
  return `${characters.slice(0, LONGEST_BEGINNING - 1).join('')}…`;
}
