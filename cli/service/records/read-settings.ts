// Settings of a record from a file of JSON: those that have no option, such as credentials of the origin, which do not belong
// into a command line.
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { inputFault } from '../../input/input-fault.ts';
import { EXIT } from '../../operator/fail.ts';
import { ServiceFault } from '../calls/service-fault.ts';

/** @param name of a file; - for standard input @throws ServiceFault it is no object of JSON */
export async function readSettings(name: string): Promise<Record<string, unknown>> {
  const content = await (name === '-' ? text(process.stdin) : readFile(name, 'utf8')).catch(
    (error: unknown) => {
      throw inputFault(name, error);
    },
  );
  try {
    const found: unknown = JSON.parse(content);
    if (typeof found === 'object' && found !== null && !Array.isArray(found)) return { ...found };
  } catch {
    // Said below.
  }
  throw new ServiceFault(`${name}: It is not a JSON object.`, {
    advice: 'Write settings as in the API, such as {"authType": "bearer", "authToken": "…"}.',
    exitCode: EXIT.misuse,
  });
}
