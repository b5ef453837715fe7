// Runs a program to its end, and passes on its output line by line.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { endProcess } from './end-process.ts';

export interface StepOptions {
  /** Default: ours. */
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  input?: Readable;
  signal?: AbortSignal | undefined;
  onOutput?: (line: string) => void;
  onMessage?: (line: string) => void;
}

const KEPT_LINES = 8;

/**
 * Runs to the end; standard output goes to `onOutput`, standard error to `onMessage`.
 * @throws Error with the last lines of standard error when it fails; the signal's reason when that ended it
 */
export async function runStep(command: string, args: readonly string[], options: StepOptions): Promise<void> {
  const { cwd = process.cwd(), env = process.env, input, signal } = options;
  signal?.throwIfAborted();
  const child = spawn(command, args, { cwd, env, detached: true });
  child.stdin.on('error', () => undefined);
  if (input === undefined) child.stdin.end();
  else input.on('error', () => child.stdin.destroy()).pipe(child.stdin);
  const tail: string[] = [];
  createInterface(child.stdout).on('line', (line) => options.onOutput?.(line));
  createInterface(child.stderr).on('line', (line) => {
    options.onMessage?.(line);
    tail.push(line);
    if (tail.length > KEPT_LINES) tail.shift();
  });
  const end = () => child.pid !== undefined && void endProcess(child.pid, { isGroup: true, graceMs: 2_000 });
  signal?.addEventListener('abort', end);
  try {
    const how = await new Promise<number | string>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, killer) => resolve(code ?? killer ?? 'unknown'));
    });
    signal?.throwIfAborted();
    if (how !== 0) throw new Error(`${command} failed (${how}): ${tail.join('\n')}`);
  } finally {
    signal?.removeEventListener('abort', end);
  }
}
