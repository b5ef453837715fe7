// Where `listen` and `trigger` send events: a URL on this machine, unless the user allows another.
import { EXIT } from '../../operator/fail.ts';
import { isLoopbackHost } from '../calls/loopback.ts';
import { ServiceFault } from '../calls/service-fault.ts';

export interface Target {
  url: URL;
  /** Another machine may get the events. */
  isAnywhere: boolean;
}

/**
 * @param text a URL; `http://` may be left out
 * @throws ServiceFault it is no URL, has a password, or another machine's without `isAnywhere`
 */
export function readTarget(text: string, isAnywhere: boolean): Target {
  const url = URL.parse(/^[a-z]+:\/\//i.test(text) ? text : `http://${text}`);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw misused('--forward-to needs a URL.', 'Give one such as localhost:3000/hook.');
  }
  if (url.username !== '' || url.password !== '') {
    throw misused(
      '--forward-to must have no user name and no password.',
      'Webhooks of the service have none either.',
    );
  }
  if (!isAnywhere && !isLoopbackHost(url.hostname)) {
    throw misused(
      `${url.host} is not this machine.`,
      'Events go to this machine only. --allow-remote sends them to another one.',
    );
  }
  return { url, isAnywhere };
}

const misused = (message: string, advice: string): ServiceFault =>
  new ServiceFault(message, { advice, exitCode: EXIT.misuse });
