// Runs `recordwatch <args>` as a user does: as a process of its own.
import { spawn } from 'node:child_process';
import { PROGRAMS } from './programs.ts';
import type { Ended } from './run-in-process.ts';

export interface RunOptions {
  input?: string | Buffer;
  cwd?: string;
  env?: NodeJS.ProcessEnv;
}

/** @param program the file to run: by default the one of this checkout */
export function runProgram(
  args: readonly string[],
  { input = '', cwd, env = {} }: RunOptions = {},
  program: readonly [string, ...string[]] = [process.execPath, PROGRAMS.cli.path],
): Promise<Ended> {
  const [command, ...first] = program;
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(command, [...first, ...args], { cwd, env: { PATH, NODE_COMPILE_CACHE, ...env } });
  const ended: Ended = { code: 0, stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (ended.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (ended.stderr += text));
  // The program may end before it has read everything.
  child.stdin.on('error', () => undefined).end(input);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ ...ended, code: code ?? -1 }));
  });
}
