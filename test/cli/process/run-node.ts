// Runs TypeScript in another process and reads its output line by line.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { waitFor } from '../../../cli/process/wait-for.ts';
import { LIVENESS_MS } from '../../support/until.ts';

export interface NodeProcess {
  pid: number;
  lines: readonly string[];
  /** Waits for a line that contains this text. @returns the first one */
  says: (text: string) => Promise<string>;
  /** Ends it at once, as the out-of-memory killer would. */
  kill: () => Promise<void>;
  /** Resolves when it has ended. */
  exited: Promise<number | NodeJS.Signals | null>;
}

/** @param code an ES module; relative imports start at the folder of the given base URL */
export function runNode(code: string, base: string, env: NodeJS.ProcessEnv = {}): NodeProcess {
  const located = code.replaceAll(
    /from '(\.[^']*)'/g,
    (_, path: string) => `from '${new URL(path, base).href}'`,
  );
  const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', located], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  createInterface(child.stdout).on('line', (line) => lines.push(line));
  const exited = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.once('exit', (exitCode, signal) => resolve(signal ?? exitCode));
  });
  const kill = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  onTestFinished(kill);
  const says = (text: string) =>
    waitFor(() => lines.find((line) => line.includes(text)), {
      what: `it says ${text}`,
      timeoutMs: LIVENESS_MS,
    });
  return { pid: child.pid ?? 0, lines, says, kill, exited };
}
