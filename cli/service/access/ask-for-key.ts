// Reads a key that a person pastes or pipes. It is not shown while they type.
import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { Writable } from 'node:stream';
import { EXIT } from '../../operator/fail.ts';
import { ServiceFault } from '../calls/service-fault.ts';

/** The whole of standard input. */
export const readPipedKey = async (): Promise<string> => (await text(process.stdin)).trim();

/** @throws ServiceFault standard input is not a terminal, or they ended it with Ctrl-C or Ctrl-D */
export async function askForKey(question: string): Promise<string> {
  if (!process.stdin.isTTY) {
    throw new ServiceFault('Cannot ask for a key: standard input is not a terminal.', {
      advice: 'Pipe the key: recordwatch login --with-token < key-file',
      exitCode: EXIT.misuse,
    });
  }
  // The line editor would show each character.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  // Not before: until the line editor has the terminal, the terminal itself shows what is typed.
  process.stderr.write(question);
  const ended = new AbortController();
  lines.once('SIGINT', () => ended.abort()).once('close', () => ended.abort());
  try {
    return (await lines.question('', { signal: ended.signal })).trim();
  } catch {
    throw new ServiceFault('No key was given.', { exitCode: EXIT.misuse });
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}
