// The bundled release of Temporal, and the versions that are accepted of another one.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Of the command line tool that holds the server; tools/temporal/go.mod requires the same. */
export const TEMPORAL_VERSION = '1.8.2';
export const OLDEST_ACCEPTED_VERSION = '1.6.0';

const run = promisify(execFile);

/**
 * Asks a `temporal` program for its version by running it.
 * @returns such as `1.8.2`; undefined when it does not run or does not say
 */
export async function askVersion(path: string): Promise<string | undefined> {
  try {
    const { stdout } = await run(path, ['--version'], { timeout: 20_000 });
    return /temporal version v?(\d+\.\d+\.\d+)/.exec(stdout)?.[1];
  } catch {
    return undefined;
  }
}

/** Whether a version is new enough; `1.10.0` is newer than `1.6.0`. */
export function isAccepted(version: string): boolean {
  return version.localeCompare(OLDEST_ACCEPTED_VERSION, 'en', { numeric: true }) >= 0;
}
