// Runs a command of the command line in the test's own process, as `recordwatch <args>` does in another.
import { vi } from 'vitest';
import { runProgram } from '../../../cli/program.ts';

export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** One at a time, because the output of the process is caught. @param env replaces the environment */
export async function runInProcess(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Ended> {
  const before = process.env;
  const ended: Ended = { code: 0, stdout: '', stderr: '' };
  const spies = [
    ...catchOutput('log', 'stdout', (text) => (ended.stdout += text)),
    ...catchOutput('error', 'stderr', (text) => (ended.stderr += text)),
  ];
  process.env = { ...env };
  try {
    ended.code = await runProgram(args);
    return ended;
  } finally {
    process.env = before;
    for (const spy of spies) spy.mockRestore();
  }
}

/** Vitest has a console of its own, so what is logged does not arrive at the stream. */
function catchOutput(method: 'log' | 'error', stream: 'stdout' | 'stderr', add: (text: string) => void) {
  return [
    vi.spyOn(console, method).mockImplementation((text: unknown) => add(`${String(text)}\n`)),
    vi.spyOn(process[stream], 'write').mockImplementation((text: unknown) => {
      add(String(text));
      return true;
    }),
  ];
}
