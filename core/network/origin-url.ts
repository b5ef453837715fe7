// Checks a user's URL, for a record or a webhook, before anything is sent to it. The resolved address is checked again on the
// socket (outbound/guarded-agent.ts).
import {
  type AllowedNetworks,
  allowsNetworks,
  isAllowedAddress,
  isAllowedPort,
  isInAllowedNetworks,
} from './address-policy.ts';

export const MAX_URL_LENGTH = 2_048;

export type UrlVerdict = { url: URL } | { error: { code: 'url_not_allowed'; detail: string } };

/** Names that only exist within a network. Names without a dot count, too. */
const INSIDE_SUFFIXES = [
  '.local',
  '.internal',
  '.localdomain',
  '.lan',
  '.intranet',
  '.home.arpa',
  '.corp',
  '.home',
];

const ADVICE = {
  malformed: 'Give a complete URL such as https://example.com/data.csv.',
  scheme: 'Give a URL that begins with http:// or https://.',
  tooLong: `Give a URL of at most ${MAX_URL_LENGTH} characters.`,
  userInfo: 'Leave the user name and password out of the URL.',
  inside: 'Give a URL whose host is reachable from the public internet.',
  port: 'Use port 80, 443, or one from 1024 up that belongs to no database or other internal service.',
};

/**
 * Checks and normalises a URL. Store and show the `href` of the result, which has no fragment.
 * @returns the URL, or an error whose detail says what to do, without the URL
 */
export function checkUrl(text: string, allowed: AllowedNetworks): UrlVerdict {
  if (text.length > MAX_URL_LENGTH) return refuse('tooLong');
  const url = URL.parse(text);
  if (url === null) return refuse('malformed');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return refuse('scheme');
  if (url.username !== '' || url.password !== '') return refuse('userInfo');
  url.hash = '';
  if (url.href.length > MAX_URL_LENGTH) return refuse('tooLong');
  const hostProblem = judgeHost(url, allowed);
  return hostProblem === undefined ? { url } : refuse(hostProblem);
}

/** The port of a URL. */
function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

/** The host as an IP address, without the brackets of IPv6; undefined when it is a name. */
export function literalAddress(hostname: string): string | undefined {
  if (hostname.startsWith('[')) return hostname.slice(1, -1);
  return /^\d+\.\d+\.\d+\.\d+$/.test(hostname) ? hostname : undefined;
}

function judgeHost(url: URL, allowed: AllowedNetworks): keyof typeof ADVICE | undefined {
  const name = url.hostname.replace(/\.$/, '');
  if (name === '' || name.length > 253 || name.split('.').includes('')) return 'malformed';
  const literal = isLoopbackName(name) ? '127.0.0.1' : literalAddress(name);
  const port = portOf(url);
  if (literal !== undefined && !isAllowedAddress(literal, port, allowed)) return 'inside';
  const isNamedByOperator =
    literal === undefined
      ? isInsideName(name) && allowsNetworks(allowed)
      : isInAllowedNetworks(literal, port, allowed);
  if (isNamedByOperator) return undefined;
  if (literal === undefined && isInsideName(name)) return 'inside';
  return isAllowedPort(port) ? undefined : 'port';
}

/** Whether a name always means the machine itself (RFC 6761 6.3). */
export function isLoopbackName(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost');
}

function isInsideName(name: string): boolean {
  return !name.includes('.') || INSIDE_SUFFIXES.some((suffix) => name.endsWith(suffix));
}

function refuse(problem: keyof typeof ADVICE): UrlVerdict {
  return { error: { code: 'url_not_allowed', detail: ADVICE[problem] } };
}
