// Gets a key by way of the dashboard (RFC 8628, with a key in place of a token): shows a code, and waits until the user has
// allowed the login there.
import { hostname } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { ConnectionError, isForeign, NotFoundError } from '../../../clients/typescript/src/errors.ts';
import { pastProxies } from '../../../clients/typescript/src/http/retry.ts';
import type { CollectedKey, StartedKeyRequest } from '../../../clients/typescript/src/models.ts';
import { safeText } from '../../../core/text/safe-text.ts';
import { ENDLESS, openClient } from '../calls/open-client.ts';
import { ServiceFault } from '../calls/service-fault.ts';
import { unreachable } from '../calls/unreachable.ts';
import { openBrowser } from './open-browser.ts';

/** @throws ServiceFault it was refused, nobody answered in time, the login is gone, or the service does not answer or has no such login */
export async function askInBrowser(url: string, { browser }: { browser: boolean }): Promise<string> {
  const started = await start(url);
  console.error(instructions(started));
  if (browser) openBrowser(started.verificationUrl);
  const { status, key } = await untilAnswered(url, started);
  if (key !== null) return key;
  throw status === 'refused' ? refused() : expired();
}

async function start(url: string): Promise<StartedKeyRequest> {
  try {
    return await openClient({ url }).keyRequests.start({ machine: thisMachine() });
  } catch (error) {
    if (error instanceof ConnectionError) throw unreachable(url, error);
    if (!(error instanceof NotFoundError) || isForeign(error)) throw error;
    throw new ServiceFault('This service has no login through the browser.', { advice: PASTE });
  }
}

const thisMachine = (): string => machineName(hostname());

/** Names in networks have no other characters; those that a system adds are left out. */
export function machineName(name: string): string {
  const usual = name.replaceAll(/[^A-Za-z0-9._-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '');
  return usual.slice(0, 63) || 'unnamed';
}

const instructions = ({ verificationUrl, userCode }: StartedKeyRequest): string => `
Open this page in a browser, and sign in if it asks you to:

  ${safeText(verificationUrl)}

Allow the login there if the page shows this code:

  ${safeText(userCode)}

Waiting for your answer. Ctrl-C ends it.`;

/** @throws ServiceFault nobody has answered in time, or the login is gone */
async function untilAnswered(url: string, started: StartedKeyRequest): Promise<CollectedKey> {
  const { deviceSecret, expiresInSeconds } = started;
  const signal = AbortSignal.timeout(expiresInSeconds * 1_000);
  // An outage does not end the login: the user may be answering meanwhile.
  const { keyRequests } = openClient({ url }, { ...ENDLESS, hasAnswered: true });
  let { intervalSeconds } = started;
  for (;;) {
    await setTimeout(intervalSeconds * 1_000, undefined, { signal }).catch(() => {
      throw expired();
    });
    const collect = (): Promise<CollectedKey> => keyRequests.collect({ deviceSecret }, { signal });
    const collected = await pastProxies(collect, signal).catch((error: unknown) => {
      // A key is handed out once, also when its answer does not arrive.
      if (signal.aborted) throw lost('The service did not answer in the time of the login.');
      if (error instanceof NotFoundError) {
        throw lost('The service has no such login any more.');
      }
      throw error;
    });
    if (collected.status !== 'pending') return collected;
    ({ intervalSeconds } = collected);
  }
}

const PASTE = 'Make a key in the dashboard, under Developer, and run “recordwatch login --paste”.';

const refused = (): ServiceFault =>
  new ServiceFault('The login was refused in the dashboard. Nothing was stored.', {
    advice: 'If that was a mistake, run “recordwatch login” again.',
  });

const expired = (): ServiceFault =>
  new ServiceFault('Nobody allowed the login in time. Nothing was stored.', {
    advice: 'Run “recordwatch login” again. It waits for ten minutes.',
  });

const lost = (why: string): ServiceFault =>
  new ServiceFault(`${why} Its key may have been made, and the answer lost. Nothing was stored.`, {
    advice: `If the dashboard shows a new key “recordwatch on ${thisMachine()}” under Developer, revoke it. Then run “recordwatch login” again.`,
  });
