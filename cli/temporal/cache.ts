// The machine's cache of Temporal servers: one folder per version and source, its program checked by a hash.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import envPaths from 'env-paths';
import { TEMPORAL_VERSION } from './release.ts';

const READ_BYTES = 1024 * 1024;

export interface ServerCache {
  folder: string;
  /** The program; it may not be there yet. */
  path: string;
  lockFile: string;
}

/** The user's cache folder, which all checkouts share. XDG_CACHE_HOME moves it, where the system knows that. */
export const cacheFolder = (): string => envPaths('recordwatch', { suffix: '' }).cache;

/**
 * The place of the server that the module in `moduleFolder` builds. A changed go.sum is another server.
 * @throws Error when there is no go.sum
 */
export function openCache(moduleFolder: string, cache = cacheFolder()): ServerCache {
  const sums = createHash('sha256').update(readFileSync(join(moduleFolder, 'go.sum')));
  const folder = join(cache, `temporal-${TEMPORAL_VERSION}-${sums.digest('hex').slice(0, 12)}`);
  return { folder, path: join(folder, 'temporal'), lockFile: `${folder}.lock` };
}

/**
 * Whether the cache holds the program unchanged. Removes one that differs from its recorded hash, so a half-written
 * or altered server never runs.
 */
export async function checkCached(cache: ServerCache, report: (text: string) => void): Promise<boolean> {
  if (!existsSync(cache.path)) return false;
  const recorded = existsSync(hashFile(cache)) ? readFileSync(hashFile(cache), 'utf8').trim() : '';
  if ((await sha256(cache.path)) === recorded) return true;
  report(`the cached server does not match its recorded hash and is made again: ${cache.path}`);
  rmSync(cache.path, { force: true });
  return false;
}

/** Moves a finished program from a temporary path (on the same file system) into the cache. */
export async function putIntoCache(cache: ServerCache, finished: string): Promise<void> {
  mkdirSync(cache.folder, { recursive: true });
  writeFileSync(hashFile(cache), `${await sha256(finished)}\n`);
  renameSync(finished, cache.path);
}

const hashFile = (cache: ServerCache): string => `${cache.path}.sha256`;

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
