// Prints the slowest test files at the end of a run.
import type { Reporter, TestModule } from 'vitest/node';

const SHOWN = 10;

interface Duration {
  project: string;
  path: string;
  ms: number;
}

/** The slowest files as lines of text, slowest first. The durations include imports, hooks and tests. */
export function slowestFiles(durations: readonly Duration[], shown = SHOWN): string[] {
  return durations
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, shown)
    .map(
      ({ project, path, ms }) => `${(ms / 1_000).toFixed(1).padStart(7)} s  ${project.padEnd(8)}  ${path}`,
    );
}

const durationOf = (module: TestModule): Duration => {
  const { setupDuration, collectDuration, duration } = module.diagnostic();
  return {
    project: module.project.name,
    path: module.relativeModuleId,
    ms: setupDuration + collectDuration + duration,
  };
};

export class SlowestFilesReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length < 2) return;
    console.log(`\n Slowest files\n${slowestFiles(modules.map(durationOf)).join('\n')}`);
  }
}
