// Says which service and which key the commands use.
import { openClient } from '../calls/open-client.ts';
import { answer, type AnswerOptions } from '../output/answers.ts';
import { findConnection } from './connection.ts';
import { credentialsFile } from './credentials.ts';
import { askWho } from './who.ts';
import { whoWords } from './who-words.ts';

export async function whoami(options: AnswerOptions): Promise<void> {
  const connection = findConnection();
  const who = await askWho(openClient(connection), connection);
  const from = connection.keyFrom === 'login' ? credentialsFile() : connection.keyFrom;
  await answer(options, { ...who, keyFrom: from }, () => `${whoWords(who)}\nThe key is from ${from}`);
}
