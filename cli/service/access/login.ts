// Logs in: gets an API key, tries it, and stores it for the other commands.
import { openClient } from '../calls/open-client.ts';
import { isLoopbackHost } from '../calls/loopback.ts';
import { ServiceFault } from '../calls/service-fault.ts';
import { EXIT } from '../../operator/fail.ts';
import { type AnswerOptions, answer } from '../output/answers.ts';
import { askInBrowser } from './ask-in-browser.ts';
import { askForKey, readPipedKey } from './ask-for-key.ts';
import { readServiceUrl } from './connection.ts';
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
  const who = await askWho(openClient({ url, apiKey }), { url, apiKey });
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
  const { protocol, hostname } = new URL(chosen);
  if (protocol === 'https:' || isLoopbackHost(hostname) || allowHttp === true) return chosen;
  throw new ServiceFault('Over http:// anyone on the way can read the key.', {
    advice: 'Use https://. In a network that you trust, add --allow-http.',
    exitCode: EXIT.misuse,
  });
}
