// A user of the command line: a folder for its settings, and commands as processes of their own.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { PROGRAMS } from '../../support/servers/programs.ts';
import type { Ended } from '../../support/servers/run-in-process.ts';
import { runProgram } from '../../support/servers/run-program.ts';
import { until } from '../../support/until.ts';

const IN_TERMINAL = fileURLToPath(new URL('in-terminal.py', import.meta.url));

export interface Running {
  stdout: string;
  stderr: string;
  child: ChildProcessByStdio<null, Readable, Readable>;
  ended: Promise<number | null>;
}

export interface CliUser {
  /** Where commands run. */
  folder: string;
  credentialsFile: string;
  env: NodeJS.ProcessEnv;
  run: (args: readonly string[], options?: { input?: string; env?: NodeJS.ProcessEnv }) => Promise<Ended>;
  /** Runs a command in a terminal of its own, and types an answer when the prompt is shown. */
  runInTerminal: (
    args: readonly string[],
    options?: { prompt?: string; typed?: string; env?: NodeJS.ProcessEnv },
  ) => Promise<Ended>;
  /** Starts a command that continues until it is stopped. */
  start: (...args: string[]) => Running;
  /** Ends what still runs, and removes the folder. */
  leave: () => Promise<void>;
}

export function newCliUser(env: NodeJS.ProcessEnv = {}): CliUser {
  const folder = mkdtempSync(join(tmpdir(), 'recordwatch-user-'));
  const own = { HOME: folder, XDG_CONFIG_HOME: join(folder, 'config'), ...env };
  const running: Running[] = [];
  return {
    folder,
    credentialsFile: join(folder, 'config/recordwatch/credentials.json'),
    env: own,
    run: (args, { input = '', env: more = {} } = {}) =>
      runProgram(args, { input, cwd: folder, env: { ...own, ...more } }),
    runInTerminal: (args, { prompt = '', typed = '', env: more = {} } = {}) => {
      const program = ['python3', IN_TERMINAL, prompt, process.execPath, PROGRAMS.cli.path] as const;
      return runProgram(args, { input: typed, cwd: folder, env: { TERM: 'xterm', ...own, ...more } }, [
        ...program,
      ]);
    },
    start: (...args) => {
      const { PATH, NODE_COMPILE_CACHE } = process.env;
      const child = spawn(process.execPath, [PROGRAMS.cli.path, ...args], {
        stdio: ['ignore', 'pipe', 'pipe'],
        cwd: folder,
        env: { PATH, NODE_COMPILE_CACHE, ...own },
      });
      const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
      const started: Running = { stdout: '', stderr: '', child, ended };
      child.stdout.setEncoding('utf8').on('data', (text: string) => (started.stdout += text));
      child.stderr.setEncoding('utf8').on('data', (text: string) => (started.stderr += text));
      running.push(started);
      return started;
    },
    leave: async () => {
      for (const { child, ended } of running) {
        child.kill('SIGKILL');
        await ended;
      }
      rmSync(folder, { recursive: true });
    },
  };
}

export const untilSaid = (running: Running, words: string): Promise<unknown> =>
  until(`it says ${words}; it said ${running.stdout}${running.stderr}`, () =>
    `${running.stdout}${running.stderr}`.includes(words),
  );
