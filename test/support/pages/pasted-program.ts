// Runs a program as a reader would: writes its text to a file, runs the file, and keeps its output.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startChild } from '../../../cli/process/start-child.ts';

export interface Language {
  /** The name of the file. */
  file: string;
  /** The program that runs the file. */
  program: string;
}

export interface PastedProgram {
  /** Its output so far, including standard error. */
  output: () => string;
  end: () => Promise<void>;
}

/** @param folder of the file, and the program's working directory */
export async function startPasted(
  folder: string,
  { file, program }: Language,
  text: string,
): Promise<PastedProgram> {
  writeFileSync(join(folder, file), text);
  const logFile = join(folder, `${file}.log`);
  const child = await startChild({
    name: file,
    command: 'sh',
    // Shells need their own directory to be told; the names are the tests' own.
    args: ['-c', `cd "$0" && exec "$1" "$2"`, folder, program, file],
    env: { ...process.env, PYTHONUTF8: '1' },
    logFile,
    end: { isGroup: true, graceMs: 0 },
  });
  return { output: () => readFileSync(logFile, 'utf8'), end: () => child.stop() };
}

export function isHere(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** The text of a file, with \n as line end; undefined while there is none. */
export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').replaceAll('\r', '');
  } catch {
    return undefined;
  }
}
