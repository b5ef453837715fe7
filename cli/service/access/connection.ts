// Which service the commands talk to, and with which key: the environment first, then the file that `login` wrote.
import { EXIT } from '../../operator/fail.ts';
import { ServiceFault } from '../calls/service-fault.ts';
import type { Access } from '../calls/open-client.ts';
import { readCredentials } from './credentials.ts';

export interface Connection extends Access {
  /** Where the key comes from. */
  keyFrom: 'RECORDWATCH_API_KEY' | 'login';
}

/** @throws ServiceFault nothing says which service or which key */
export function findConnection(env: NodeJS.ProcessEnv = process.env): Connection {
  const stored = readCredentials();
  const givenUrl = env['RECORDWATCH_URL'] || undefined;
  const givenKey = env['RECORDWATCH_API_KEY'] || undefined;
  const url = givenUrl === undefined ? stored?.url : readServiceUrl(givenUrl);
  if (url === undefined) throw notLoggedIn('No service is named.');
  if (givenKey !== undefined) return { url, apiKey: readKeyText(givenKey), keyFrom: 'RECORDWATCH_API_KEY' };
  // A key goes to the service that it was given for, and to no other.
  if (stored?.url === url) return { ...stored, keyFrom: 'login' };
  throw notLoggedIn(`There is no key for ${url}.`);
}

const notLoggedIn = (what: string): ServiceFault =>
  new ServiceFault(what, {
    advice:
      'Log in with “recordwatch login --url https://…”, or set RECORDWATCH_URL and RECORDWATCH_API_KEY.',
    exitCode: EXIT.misuse,
  });

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
  return url.href.replace(/\/+$/, '');
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
