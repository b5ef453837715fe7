// Builds the Temporal server from the Go module proxy, with the pinned tool module in tools/temporal.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ObtainOptions } from './download.ts';
import { programsOnPath } from './on-path.ts';
import { TEMPORAL_VERSION } from './release.ts';
import { runStep } from '../process/run-step.ts';

const PACKAGE = 'github.com/temporalio/cli/cmd/temporal';
const LINK_FLAGS = `-s -w -X github.com/temporalio/cli/internal/temporalcli.Version=${TEMPORAL_VERSION}`;

/**
 * Fetches the modules and compiles the server: seconds with a warm Go build cache, minutes with a cold one.
 * @returns the path of the program
 * @throws Error when there is no Go, or it fails
 */
export async function buildServer(moduleFolder: string, options: ObtainOptions): Promise<string> {
  const { workFolder, report, signal } = options;
  const [go] = programsOnPath('go');
  if (go === undefined) throw new Error('there is no Go on PATH');
  mkdirSync(workFolder, { recursive: true });
  const path = join(workFolder, 'temporal');
  // SQLite is compiled to Go here, so no C compiler is needed; an older Go fetches the one that go.mod names.
  const env = { ...process.env, CGO_ENABLED: '0', GOTOOLCHAIN: process.env['GOTOOLCHAIN'] ?? 'auto' };
  const step = { cwd: moduleFolder, env, signal };
  const total = await countPackages(go, step, report);
  let compiled = 0;
  await runStep(go, ['build', '-v', '-trimpath', '-ldflags', LINK_FLAGS, '-o', path, PACKAGE], {
    ...step,
    onMessage: (line) => {
      compiled += line.startsWith('go: ') ? 0 : 1;
      report(`compiling: ${compiled} of at most ${total} packages`);
    },
  });
  return path;
}

/** Counts what the server consists of, which makes Go fetch it all. */
async function countPackages(
  go: string,
  step: { cwd: string; env: NodeJS.ProcessEnv; signal: AbortSignal | undefined },
  report: (text: string) => void,
): Promise<number> {
  let total = 0;
  let fetched = 0;
  report('resolving Go modules');
  await runStep(go, ['list', '-deps', PACKAGE], {
    ...step,
    onOutput: () => (total += 1),
    onMessage: (line) => {
      fetched += line.startsWith('go: downloading') ? 1 : 0;
      if (fetched > 0) report(`fetching Go modules: ${fetched} so far`);
    },
  });
  return total;
}
