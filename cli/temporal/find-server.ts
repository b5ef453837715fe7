// Finds the Temporal server: on PATH, in the cache, from the vendor, or built from source, in this order.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { awaitLock } from '../process/hold-lock.ts';
import { buildServer } from './build.ts';
import { cacheFolder, checkCached, openCache, putIntoCache, type ServerCache } from './cache.ts';
import { downloadServer, type ObtainOptions } from './download.ts';
import { programsOnPath } from './on-path.ts';
import { askVersion, isAccepted, OLDEST_ACCEPTED_VERSION, TEMPORAL_VERSION } from './release.ts';

export interface FoundServer {
  path: string;
  version: string;
}

export interface FindOptions {
  /** Called with each new state. */
  report?: (text: string) => void;
  signal?: AbortSignal | undefined;
  /** Default: the user's. */
  cache?: string;
  /** Folder of go.mod and go.sum. */
  moduleFolder?: string;
  /** Where the vendor's releases are. */
  downloadOrigin?: string;
}

const TOOL_MODULE = fileURLToPath(new URL('../../tools/temporal', import.meta.url));

/**
 * Finds a server, and makes one when there is none yet. Processes that need it at once wait for the first.
 * Not called when TEMPORAL_ADDRESS is set.
 * @throws Error that says what to install when every way fails
 */
export async function findTemporalServer(options: FindOptions = {}): Promise<FoundServer> {
  const { report = () => undefined, signal, moduleFolder = TOOL_MODULE } = options;
  const onPath = await findOnPath(report);
  if (onPath !== undefined) return onPath;
  const cache = openCache(moduleFolder, options.cache ?? cacheFolder());
  const cached = { path: cache.path, version: TEMPORAL_VERSION };
  if (await checkCached(cache, report)) return cached;
  const onWait = () => report('another process is making it; waiting for that');
  const lock = await awaitLock(cache.lockFile, { onWait, signal });
  try {
    // The process that held the lock before us may have made it.
    if (!(await checkCached(cache, report))) await obtain(cache, { ...options, report, moduleFolder });
    return cached;
  } finally {
    lock[Symbol.dispose]();
  }
}

async function findOnPath(report: (text: string) => void): Promise<FoundServer | undefined> {
  for (const path of programsOnPath('temporal')) {
    const version = await askVersion(path);
    if (version !== undefined && isAccepted(version)) return { path, version };
    report(
      `${path} is passed over: version ${version ?? 'unknown'}, wanted ${OLDEST_ACCEPTED_VERSION} or newer`,
    );
  }
  return undefined;
}

/** Tries each source in turn and puts the first program into the cache. */
async function obtain(
  cache: ServerCache,
  {
    report,
    signal,
    moduleFolder,
    downloadOrigin,
  }: FindOptions & { report: (text: string) => void; moduleFolder: string },
): Promise<void> {
  // Only the holder of the lock works here. Removing the folder also stops a build that outlived a killed holder.
  const workFolders = `${cache.folder}.making`;
  rmSync(workFolders, { recursive: true, force: true });
  const workFolder = join(workFolders, String(process.pid));
  const sources: readonly (readonly [string, (options: ObtainOptions) => Promise<string>])[] = [
    ['download', (options) => downloadServer(options, downloadOrigin)],
    ['build', (options) => buildServer(moduleFolder, options)],
  ];
  const failures: string[] = [];
  try {
    for (const [name, source] of sources) {
      try {
        const finished = await source({ workFolder: join(workFolder, name), report, signal });
        return await putIntoCache(cache, finished);
      } catch (error) {
        signal?.throwIfAborted();
        failures.push(`${name}: ${describe(error)}`);
      }
    }
  } finally {
    rmSync(workFolders, { recursive: true, force: true });
  }
  throw new Error(nothingWorked(failures));
}

/** The message of an error and of what caused it: fetch hides why it failed in the cause. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}

function nothingWorked(failures: readonly string[]): string {
  return [
    'There is no Temporal server and none could be made:',
    ...failures.map((failure) => `  ${failure.replaceAll('\n', '\n    ')}`),
    'Do one of these and start again:',
    `  - install the Temporal CLI ${OLDEST_ACCEPTED_VERSION} or newer: brew install temporal, or https://docs.temporal.io/cli/setup-cli`,
    '  - install Go 1.24 or newer (https://go.dev/dl), which builds it from source in some minutes',
    '  - set TEMPORAL_ADDRESS to the host:port of a Temporal server that runs already',
  ].join('\n');
}
