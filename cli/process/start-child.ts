// Starts a long-running child process: own process group, output to a log file, an orderly end.
import { spawn } from 'node:child_process';
import { closeSync, fstatSync } from 'node:fs';
import { endProcess, type EndOptions } from './end-process.ts';
import { lastLines, openLog } from './log-file.ts';
import { waitFor, type WaitOptions } from './wait-for.ts';

export interface ChildOptions {
  /** Shown to people: `worker`. */
  name: string;
  command: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  /** Output is appended here; the file outlives the child. */
  logFile: string;
  end?: EndOptions;
}

export interface Child {
  name: string;
  pid: number;
  logFile: string;
  /** Where the log file ended before this child wrote to it. */
  logStart: number;
  /** How this run or a later one ends it. */
  end: EndOptions;
  /** Resolves when the process has ended: with the error to show, or undefined when it was asked to end. */
  ended: Promise<Error | undefined>;
  /** Ends the process and waits until it is gone. */
  stop: () => Promise<void>;
}

/**
 * Starts a program as the leader of its own process group, so that Ctrl-C reaches the runner alone and the
 * runner decides the order in which things end.
 * @throws Error when the program cannot be started at all
 */
export async function startChild(options: ChildOptions): Promise<Child> {
  const { name, logFile } = options;
  const end: EndOptions = { isGroup: true, ...options.end };
  const log = openLog(logFile);
  const logStart = fstatSync(log).size;
  const child = spawn(options.command, options.args, {
    env: options.env,
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  let isStopping = false;
  let hasExited = false;
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => {
      hasExited = true;
      resolve(signal ?? `exit code ${code ?? 'unknown'}`);
    });
  });
  const pid = await new Promise<number>((resolve, reject) => {
    child.once('error', (error) => reject(new Error(`${name} cannot be started: ${error.message}`)));
    child.once('spawn', () => (child.pid === undefined ? undefined : resolve(child.pid)));
  });
  const ended = exited.then((how) => (isStopping ? undefined : unexpectedEnd(name, how, logFile, logStart)));
  const stop = async () => {
    isStopping = true;
    // Another process may have its id by now.
    if (!hasExited) await endProcess(pid, end);
    await exited;
  };
  return { name, pid, logFile, logStart, end, ended, stop };
}

function unexpectedEnd(name: string, how: string, logFile: string, logStart: number): Error {
  const tail = lastLines(logFile, { from: logStart });
  return new Error(
    `${name} ended unexpectedly (${how}). Its log is ${logFile}; the last lines:\n${tail || '  (empty)'}`,
  );
}

/**
 * Polls `isReady` until it returns true. Stops the child when the time is up.
 * @throws Error with the tail of the child's log when it died; waitFor's error when the time is up
 */
export async function awaitReady(
  child: Child,
  isReady: () => boolean | Promise<boolean>,
  options: WaitOptions,
): Promise<void> {
  let death: Error | undefined;
  void child.ended.then((error) => (death = error));
  const probe = async () => {
    if (death !== undefined) throw death;
    return (await isReady()) || undefined;
  };
  try {
    await waitFor(probe, options);
  } catch (error) {
    await child.stop();
    throw error;
  }
}
