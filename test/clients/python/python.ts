// The client package for Python, driven by lines of JSON.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { installPackages } from '../../support/servers/python-packages.ts';

export const CLIENT = fileURLToPath(new URL('../../../clients/python', import.meta.url));
export const FOLDER = fileURLToPath(new URL('.', import.meta.url));

/** What programs in Python need. @param source where the package is: the one of this checkout by default */
export async function pythonEnvironment(source = `${CLIENT}/src`): Promise<NodeJS.ProcessEnv> {
  const packages = await installPackages(`${FOLDER}requirements.txt`);
  const { PATH } = process.env;
  return { PATH, PYTHONPATH: `${source}:${packages}`, PYTHONDONTWRITEBYTECODE: '1' };
}

export interface Python {
  /** Runs a command of driver.py. @returns what it answered: `value`, or the error by its parts */
  // Answers of another language: tests compare them.
  // oxlint-disable-next-line typescript/no-explicit-any
  run: (command: string, options: object) => Promise<any>;
  kill: () => Promise<void>;
}

export async function startPython(): Promise<Python> {
  const child: ChildProcess = spawn('python3', [`${FOLDER}driver.py`], {
    env: await pythonEnvironment(),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  if (child.stdout === null || child.stdin === null) throw new Error('Both are pipes');
  const { stdin } = child;
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    run: async (command, options) => {
      stdin.write(`${JSON.stringify([command, options])}\n`);
      const { value, done } = await lines.next();
      if (done === true) throw new Error('The program has ended');
      return JSON.parse(value);
    },
    kill: async () => {
      if (child.exitCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}
