// Logs in: gets an API key, tries it, and stores it for the other commands.
import { AuthenticationError, ConnectionError } from '../../../clients/typescript/src/errors.ts';
import { exitCodeOf } from '../calls/advice.ts';
import { openClient } from '../calls/open-client.ts';
import { ServiceFault } from '../calls/service-fault.ts';
import { unreachable } from '../calls/unreachable.ts';
import { EXIT } from '../../operator/fail.ts';
import { type AnswerOptions, answer } from '../output/answers.ts';
import { askInBrowser } from './ask-in-browser.ts';
import { askForKey, readPipedKey } from './ask-for-key.ts';
import { isHttpAllowed, readServiceUrl, requireSafe } from './connection.ts';
import { credentialsFile, readCredentials, writeCredentials } from './credentials.ts';
import { askWho, requireKey } from './who.ts';
import { whoWords } from './who-words.ts';

export interface LoginOptions extends AnswerOptions {
  url?: string;
  withToken?: true;
  paste?: true;
  /** False with --no-browser. */
  browser: boolean;
  allowHttp?: true;
}

export async function login(options: LoginOptions): Promise<void> {
  const url = chooseUrl(options);
  const apiKey = await obtainKey(url, options);
  requireKey(apiKey);
  const who = await askWho(openClient({ url, apiKey }), { url, apiKey }).catch((error: unknown) => {
    throw aboutLogin(url, error);
  });
  writeCredentials({ url, apiKey });
  await answer(options, who, () => `Logged in.\n${whoWords(who)}\nThe key is in ${credentialsFile()}`);
}

async function obtainKey(url: string, options: LoginOptions): Promise<string> {
  if (options.withToken) return readPipedKey();
  if (options.paste) return askForKey(question(url));
  const apiKey = await askInBrowser(url, options);
  // The service hands it out once, so it is kept before anything else may fail.
  requireKey(apiKey);
  writeCredentials({ url, apiKey });
  return apiKey;
}

const question = (url: string): string =>
  `Make an API key on this page, and copy it:\n\n  ${url}/dashboard/developer\n\nPaste the key (it is not shown): `;

function chooseUrl({ url, allowHttp }: LoginOptions): string {
  const text = url ?? (process.env['RECORDWATCH_URL'] || readCredentials()?.url);
  if (text === undefined) {
    throw new ServiceFault('Which service?', {
      advice: 'Name it: recordwatch login --url https://recordwatch.example.com',
      exitCode: EXIT.misuse,
    });
  }
  const chosen = readServiceUrl(text);
  requireSafe(chosen, allowHttp === true || isHttpAllowed());
  return chosen;
}

/** What the other commands say is about the service and the key that are stored, or in the environment. */
function aboutLogin(url: string, error: unknown): unknown {
  if (error instanceof ConnectionError) return unreachable(url, error);
  if (!(error instanceof AuthenticationError)) return error;
  return new ServiceFault(`${url}: ${error.message}`, {
    code: error.code,
    advice: 'Copy all of the key, or run “recordwatch login” without one, which makes a new one.',
    exitCode: exitCodeOf(error.status),
  });
}
