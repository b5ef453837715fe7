// Builds a program from the Go module proxy, with one of the pinned tool modules in tools/.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { runStep } from '../process/run-step.ts';
import { programsOnPath } from './on-path.ts';

export interface GoProgram {
  name: string;
  version: string;
  /** Folder of go.mod and go.sum. */
  moduleFolder: string;
  /** Import path of its main package. */
  package: string;
  /** Beyond those that leave out symbols: `-X main.Version=1.0.0`. */
  linkFlags?: string;
}

export interface ObtainOptions {
  /** An empty folder to work in, on the cache's file system. */
  workFolder: string;
  report: (text: string) => void;
  signal?: AbortSignal | undefined;
}

/**
 * Fetches the modules and compiles the program: seconds with a warm Go build cache, minutes with a cold one.
 * @returns the path of the program
 * @throws Error when there is no Go, or it fails
 */
export async function buildProgram(program: GoProgram, options: ObtainOptions): Promise<string> {
  const { workFolder, report, signal } = options;
  const [go] = programsOnPath('go');
  if (go === undefined) throw new Error('there is no Go on PATH');
  mkdirSync(workFolder, { recursive: true });
  const path = join(workFolder, program.name);
  // All programs are pure Go, so no C compiler is needed; an older Go fetches the one that go.mod names.
  const env = { ...process.env, CGO_ENABLED: '0', GOTOOLCHAIN: process.env['GOTOOLCHAIN'] ?? 'auto' };
  const step = { cwd: program.moduleFolder, env, signal };
  const total = await countPackages(go, program.package, step, report);
  let compiled = 0;
  const flags = ['-v', '-trimpath', '-ldflags', `-s -w ${program.linkFlags ?? ''}`.trim()];
  await runStep(go, ['build', ...flags, '-o', path, program.package], {
    ...step,
    onMessage: (line) => {
      compiled += line.startsWith('go: ') ? 0 : 1;
      report(`compiling: ${compiled} of at most ${total} packages`);
    },
  });
  return path;
}

/** Counts what the program consists of, which makes Go fetch it all. */
async function countPackages(
  go: string,
  packagePath: string,
  step: { cwd: string; env: NodeJS.ProcessEnv; signal: AbortSignal | undefined },
  report: (text: string) => void,
): Promise<number> {
  let total = 0;
  let fetched = 0;
  report('resolving Go modules');
  await runStep(go, ['list', '-deps', packagePath], {
    ...step,
    onOutput: () => (total += 1),
    onMessage: (line) => {
      fetched += line.startsWith('go: downloading') ? 1 : 0;
      if (fetched > 0) report(`fetching Go modules: ${fetched} so far`);
    },
  });
  return total;
}
