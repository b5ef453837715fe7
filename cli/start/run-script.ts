// Runs a script of the product in a process of its own, so that its memory is free when it ends.
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { runStep } from '../process/run-step.ts';

const ROOT = new URL('../../', import.meta.url);

export const pathInCheckout = (path: string): string => fileURLToPath(new URL(path, ROOT));

export interface ScriptOptions {
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  /** For its standard input. */
  input?: string;
}

/** @returns what it wrote to standard output. @throws Error with the end of what it wrote to standard error */
export async function runScript(
  path: string,
  args: readonly string[],
  options: ScriptOptions,
): Promise<string> {
  const { env, signal, input = '' } = options;
  const lines: string[] = [];
  await runStep(process.execPath, [pathInCheckout(path), ...args], {
    env,
    signal,
    input: Readable.from([input]),
    onOutput: (line) => lines.push(line),
  });
  return lines.join('\n');
}
