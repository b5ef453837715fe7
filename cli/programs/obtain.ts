// Programs that Recordwatch brings along: from the machine's cache, or made once from the first source that works.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { awaitLock } from '../process/hold-lock.ts';
import { buildProgram, type GoProgram, type ObtainOptions } from './build.ts';
import { cacheFolder, checkCached, type CachedProgram, pathsInCache, putIntoCache } from './cache.ts';

/** Makes the program in the work folder. @returns its path */
type Source = (options: ObtainOptions) => Promise<string>;

export interface ProgramOptions {
  /** Called with each new state. */
  report: (text: string) => void;
  signal?: AbortSignal | undefined;
  /** Default: the user's. */
  cache?: string | undefined;
  /** Tried before the build, by name. */
  sources?: readonly (readonly [string, Source])[];
}

/**
 * Finds a program in the cache, or makes it. Processes that need it at once wait for the first.
 * @returns its path
 * @throws AggregateError with one error for each source when all of them fail
 */
export async function obtainProgram(program: GoProgram, options: ProgramOptions): Promise<string> {
  const { report, signal, cache = cacheFolder() } = options;
  const cached = pathsInCache(program, cache);
  if (await checkCached(cached, report)) return cached.path;
  const onWait = () => report('another process is making it; waiting for that');
  const lock = await awaitLock(cached.lockFile, { onWait, signal });
  try {
    // The process that held the lock before us may have made it.
    if (!(await checkCached(cached, report))) await make(program, cached, options);
    return cached.path;
  } finally {
    lock[Symbol.dispose]();
  }
}

/** Tries each source in turn and puts the first program into the cache. */
async function make(program: GoProgram, cached: CachedProgram, options: ProgramOptions): Promise<void> {
  const { report, signal, sources = [] } = options;
  // Only the holder of the lock works here. Removing the folder also stops a build that outlived a killed holder.
  const workFolders = `${cached.folder}.making`;
  rmSync(workFolders, { recursive: true, force: true });
  const workFolder = join(workFolders, String(process.pid));
  const build: Source = (obtain) => buildProgram(program, obtain);
  const failures: Error[] = [];
  try {
    for (const [name, source] of [...sources, ['build', build] as const]) {
      try {
        const finished = await source({ workFolder: join(workFolder, name), report, signal });
        return await putIntoCache(cached, finished);
      } catch (error) {
        signal?.throwIfAborted();
        failures.push(new Error(`${name}: ${describe(error)}`, { cause: error }));
      }
    }
  } finally {
    rmSync(workFolders, { recursive: true, force: true });
  }
  throw new AggregateError(failures, failures.map(({ message }) => message).join('\n'));
}

/** The message of an error and of what caused it: fetch hides why it failed in the cause. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
