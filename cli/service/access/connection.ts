// Which service the commands talk to, and with which key: the environment first, then the file that `login` wrote.
import { EXIT } from '../../operator/fail.ts';
import { ServiceFault } from '../calls/service-fault.ts';
import { isLoopbackHost } from '../calls/loopback.ts';
import type { Access } from '../calls/open-client.ts';
import { credentialsFile, isDamaged, readCredentials } from './credentials.ts';

export interface Connection extends Access {
  /** Where the key comes from. */
  keyFrom: 'RECORDWATCH_API_KEY' | 'login';
}

/** @throws ServiceFault nothing says which service or which key, or anyone on the way could read the key */
export function findConnection(env: NodeJS.ProcessEnv = process.env): Connection {
  const stored = readCredentials();
  const givenUrl = env['RECORDWATCH_URL'] || undefined;
  const givenKey = env['RECORDWATCH_API_KEY'] || undefined;
  const url = givenUrl === undefined ? stored?.url : readServiceUrl(givenUrl);
  if (url === undefined) throw notLoggedIn('No service is named.');
  // A key goes to the service that it was given for, and to no other.
  const isStored = stored?.url === url;
  if (givenKey !== undefined) {
    // Whoever logged in to this service has allowed its address.
    requireSafe(url, isStored || isHttpAllowed(env));
    return { url, apiKey: readKeyText(givenKey), keyFrom: 'RECORDWATCH_API_KEY' };
  }
  if (isStored) return { ...stored, keyFrom: 'login' };
  throw notLoggedIn(`There is no key for ${url}.`);
}

function notLoggedIn(what: string): ServiceFault {
  const words = isDamaged() ? `${credentialsFile()} cannot be read, or is damaged.` : what;
  return new ServiceFault(words, {
    advice:
      'Log in with “recordwatch login --url https://…”, or set RECORDWATCH_URL and RECORDWATCH_API_KEY.',
    exitCode: EXIT.misuse,
  });
}

const ALLOW_HTTP = 'RECORDWATCH_ALLOW_HTTP';

export const isHttpAllowed = (env: NodeJS.ProcessEnv = process.env): boolean =>
  ['1', 'true'].includes(env[ALLOW_HTTP] ?? '');

/** @throws ServiceFault the address is unencrypted, of another machine, and not allowed */
export function requireSafe(url: string, isAllowed: boolean): void {
  const { protocol, hostname } = new URL(url);
  if (protocol === 'https:' || isLoopbackHost(hostname) || isAllowed) return;
  throw new ServiceFault('Over http:// anyone on the way can read the key.', {
    advice: `Use https://. In a network that you trust, set ${ALLOW_HTTP}=1, or log in with --allow-http.`,
    exitCode: EXIT.misuse,
  });
}

/**
 * The address of a service, as it is stored and compared.
 * @throws ServiceFault it is no URL of a service
 */
export function readServiceUrl(text: string): string {
  const url = URL.parse(text);
  const isWeb = url !== null && ['http:', 'https:'].includes(url.protocol);
  if (!isWeb || url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new ServiceFault('This is not the URL of a Recordwatch service.', {
      advice:
        'Give one such as https://recordwatch.example.com, without a user name, a query or a key in it.',
      exitCode: EXIT.misuse,
    });
  }
  return url.href.replace(/(?<!\/)\/+$/, '');
}

/** Keys have letters, digits and underscores. Anything else cannot be in a header, and may be a whole line too much. */
function readKeyText(text: string): string {
  const key = text.trim();
  if (/^\w+$/.test(key)) return key;
  throw new ServiceFault('RECORDWATCH_API_KEY is not a valid API key.', {
    advice: 'It must be one key and nothing else.',
    exitCode: EXIT.misuse,
  });
}
