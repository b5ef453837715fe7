// Asks before something is deleted that cannot be restored.
import { createInterface } from 'node:readline/promises';
import { safeText } from '../../../core/text/safe-text.ts';
import { EXIT } from '../../operator/fail.ts';
import { ServiceFault } from '../calls/service-fault.ts';

/** @throws ServiceFault the answer is not yes, or nobody can answer */
export async function confirm(question: string, isGiven: boolean | undefined): Promise<void> {
  if (isGiven === true) return;
  if (!process.stdin.isTTY) {
    throw new ServiceFault(question, { advice: 'Say so with --yes.', exitCode: EXIT.misuse });
  }
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new AbortController();
  lines.once('close', () => ended.abort());
  const said = await lines
    .question(`${safeText(question)} (yes/no) `, { signal: ended.signal })
    .catch(() => '');
  lines.close();
  if (/^y(es)?$/i.test(said.trim())) return;
  throw new ServiceFault('Nothing was deleted.');
}
