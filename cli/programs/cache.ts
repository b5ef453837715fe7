// The machine's cache of programs: one folder per program, version and source. Each is checked by a hash before it runs.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import envPaths from 'env-paths';
import type { GoProgram } from './build.ts';

const READ_BYTES = 1024 * 1024;

export interface CachedProgram {
  folder: string;
  /** The program; it may not be there yet. */
  path: string;
  lockFile: string;
}

/** The user's cache folder, which all checkouts share. XDG_CACHE_HOME moves it, where the system knows that. */
export const cacheFolder = (): string => envPaths('recordwatch', { suffix: '' }).cache;

/**
 * The paths of a program in the cache. A changed go.sum is another program.
 * @throws Error when there is no go.sum
 */
export function pathsInCache(program: GoProgram, cache = cacheFolder()): CachedProgram {
  const { name, version, moduleFolder } = program;
  const sums = createHash('sha256').update(readFileSync(join(moduleFolder, 'go.sum')));
  const folder = join(cache, `${name}-${version}-${sums.digest('hex').slice(0, 12)}`);
  return { folder, path: join(folder, name), lockFile: `${folder}.lock` };
}

/**
 * Whether the cache holds the program unchanged. Removes one that differs from its recorded hash, so a half-written
 * or altered program never runs.
 */
export async function checkCached(cached: CachedProgram, report: (text: string) => void): Promise<boolean> {
  if (!existsSync(cached.path)) return false;
  const recorded = existsSync(hashFile(cached)) ? readFileSync(hashFile(cached), 'utf8').trim() : '';
  if ((await sha256(cached.path)) === recorded) return true;
  report(`the cached program does not match its recorded hash and is made again: ${cached.path}`);
  rmSync(cached.path, { force: true });
  return false;
}

/** Moves a finished program from a temporary path (on the same file system) into the cache. */
export async function putIntoCache(cached: CachedProgram, finished: string): Promise<void> {
  mkdirSync(cached.folder, { recursive: true });
  writeFileSync(hashFile(cached), `${await sha256(finished)}\n`);
  renameSync(finished, cached.path);
}

const hashFile = (cached: CachedProgram): string => `${cached.path}.sha256`;

/** Reads into one buffer: a stream would leave a hundred megabytes of garbage. */
async function sha256(path: string): Promise<string> {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(READ_BYTES);
  await using file = await open(path);
  for (;;) {
    const { bytesRead } = await file.read(buffer);
    if (bytesRead === 0) return hash.digest('hex');
    hash.update(buffer.subarray(0, bytesRead));
  }
}
