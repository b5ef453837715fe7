// Recognizes source credentials in what an origin answers, however the origin writes them.
import { decodeHTML } from 'entities';
import type { CredentialsToSend } from './source-credentials.ts';

/** Shorter pieces of a credential, and shorter names, occur in many texts by chance. */
const SHORTEST_PIECE = 6;
/** The end of a shortened text (core/delta/warnings.ts). A credential may have been cut there. */
const CUT = '…';
const MOST_ENCODINGS = 3;

/**
 * A test for texts of an origin that was shown these credentials: whether the text contains one, in any case, in percent
 * encoding, escaped for HTML, JSON or JavaScript, with `+` for a space, with other white space, or with the base64 of Basic decoded or written for URLs.
 * Long ones are also found in base64 and hex, alone or with what surrounds them, and with spaces, signs or invisible
 * characters between their letters. With letters or digits between them they are not: an origin that hides a credential on
 * purpose cannot be stopped.
 */
export const echoTest = (shown: CredentialsToSend): ((text: string) => boolean) =>
  searchFor([...shownValues(shown), ...userNames(shown).filter(isLong)], shownNames(shown).filter(isLong));

/** The same for host names. Short credentials do not count, because many host names contain a user name or a short text. */
export const hostEchoTest = (shown: CredentialsToSend): ((host: string) => boolean) =>
  searchFor(shownValues(shown).filter(isLong));

const isLong = (text: string): boolean => text.length >= SHORTEST_PIECE;

/** @param names are searched without their encodings: `api_key` is not in “Your API key has expired” */
function searchFor(values: readonly string[], names: readonly string[] = []): (text: string) => boolean {
  if (values.length + names.length === 0) return () => false;
  // Names of columns are trimmed, and base64 may come without its padding.
  const trimmed = values.map((value) => value.replace(/(?<!=)=+$/, '').trim());
  const secrets = [...values, ...trimmed].flatMap(secretForms);
  const encoded = trimmed.filter(isLong).flatMap(encodingsOf).map(fold);
  const isIn = containsTest([...secrets, ...names.flatMap(secretForms)].filter((secret) => secret !== ''));
  const isInLetters = containsTest([...secrets, ...encoded].map(lettersOf).filter(isLong));
  return (text) => formsOf(text).some((form) => isIn(form) || isInLetters(lettersOf(form)));
}

const secretForms = (value: string): string[] =>
  formsOf(value).map((form) => form.replace(/(?<!=)=+$/, '').trim());

function containsTest(secrets: readonly string[]): (text: string) => boolean {
  const sought = [...new Set(secrets)];
  return (text) => sought.some((secret) => text.includes(secret) || hasCut(text, secret));
}

/** Without spaces, signs and invisible characters. It makes all alphabets and line lengths of base64 alike. */
const lettersOf = (text: string): string => text.replaceAll(/[^\p{L}\p{N}…]/gu, '');

/** In hex, and the part of its base64 that does not depend on what surrounds it, for each offset in a group of three bytes. */
function encodingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const inBase64 = [0, 1, 2].map((offset) => {
    const whole = Math.floor(((offset + bytes.length) * 8) / 6);
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    return text.slice(Math.ceil((offset * 8) / 6), whole);
  });
  return [bytes.toString('hex'), ...inBase64];
}

/** The credentials as an origin sees them: Authorization with and without its scheme and decoded. */
function shownValues({ headers = {}, query }: CredentialsToSend): string[] {
  const inHeaders = Object.values(headers).flatMap((value) => [value, value.slice(value.indexOf(' ') + 1)]);
  const basic = pairsOf(headers).flatMap((pair) => [pair, pair.slice(pair.indexOf(':') + 1)]);
  return [...inHeaders, ...basic, ...(query === undefined ? [] : [query.value])];
}

const userNames = ({ headers = {} }: CredentialsToSend): string[] =>
  pairsOf(headers).map((pair) => pair.slice(0, pair.indexOf(':')));

/** Names of headers and parameters. They are stored as secrets too. */
const shownNames = ({ headers = {}, query }: CredentialsToSend): string[] => [
  ...Object.keys(headers).filter((name) => name !== 'authorization'),
  ...(query === undefined ? [] : [query.name]),
];

/** User names and passwords of Basic, as `user:password`. */
const pairsOf = (headers: Readonly<Record<string, string>>): string[] =>
  Object.values(headers).flatMap((value) => {
    const [, encoded] = /^Basic (.+)$/.exec(value) ?? [];
    const pair = Buffer.from(encoded ?? '', 'base64').toString('utf8');
    return pair.includes(':') ? [pair] : [];
  });

/** The text as it is, and with its encodings undone once and more often. */
function formsOf(text: string): string[] {
  const forms = [text];
  for (let last = text; forms.length <= MOST_ENCODINGS;) {
    const decoded = decodeOnce(last);
    if (decoded === last) break;
    forms.push(decoded);
    last = decoded;
  }
  return forms.map(fold);
}

/** Undoes percent encoding, the references of HTML and XML, and the escapes of JSON and JavaScript. */
const decodeOnce = (text: string): string =>
  decodeHTML(
    text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (run) =>
      Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'),
    ),
  )
    // Names of HTML in other case, as an origin writes them that changes the case of a text.
    .replaceAll(/&[a-z]{2,8};/gi, (reference) => decodeHTML(reference.toLowerCase()))
    .replaceAll(/\\(?:u([0-9a-f]{4})|u\{([0-9a-f]{1,6})\}|x([0-9a-f]{2}))/gi, readEscape);

const LAST_CODE_POINT = 0x10_ff_ff;

function readEscape(escape: string, ...digits: (string | undefined)[]): string {
  const code = Number.parseInt(digits.slice(0, 3).find((each) => each !== undefined) ?? '', 16);
  return code <= LAST_CODE_POINT ? String.fromCodePoint(code) : escape;
}

/** Writes alike what may be written in several ways. */
const fold = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll('\\', '')
    .replaceAll(/[\s+-]+/g, ' ')
    .replaceAll('_', '/')
    .replaceAll(/%[0-9a-f]?(?=…)/g, '');

/** Whether a shortened part of the text ends with the beginning of the secret. Takes as long as finding that beginning. */
function hasCut(text: string, secret: string): boolean {
  if (!isLong(secret) || !text.includes(CUT)) return false;
  const start = secret.slice(0, SHORTEST_PIECE);
  for (let at = text.indexOf(start); at !== -1; at = text.indexOf(start, at + 1)) {
    const end = text.indexOf(CUT, at);
    if (end === -1) return false;
    if (secret.startsWith(text.slice(at, end))) return true;
  }
  return false;
}
