// Bodies in a local folder, with one folder for each record. Files appear only when they are complete.
import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { readFileAt } from '../../core/delta/raw/read-at.ts';
import { noteProgress } from '../../db/driver/pulse.ts';
import { blobKey, blobPrefix, BlobNotFound, type BlobStore, isBlobKey, rowIndexName } from './blob-store.ts';

/** Not a valid record id. */
const PARTIAL = '.partial';

export function createFolderBlobs(root: string): BlobStore {
  return {
    put: async (recordId, name, filePath) => {
      const target = join(root, blobKey(recordId, name));
      await syncToDisk(filePath);
      await move(filePath, target, join(root, PARTIAL)).catch(async (error: unknown) => {
        if (!hasCode(error, 'ENOENT')) throw error;
        // The record's first body. Other users of the machine may not see even the names.
        await mkdir(dirname(target), { recursive: true, mode: 0o700 });
        await move(filePath, target, join(root, PARTIAL));
      });
      // A new file is durable only after its folder and the folder above are synced.
      await syncToDisk(dirname(target));
      await syncToDisk(root);
    },
    open: async (recordId, name) => {
      const key = blobKey(recordId, name);
      const file = await open(join(root, key)).catch((error: unknown) => {
        throw hasCode(error, 'ENOENT') ? new BlobNotFound(key) : error;
      });
      return { read: readFileAt(file), [Symbol.asyncDispose]: () => file.close() };
    },
    remove: async (recordId, sha256) => {
      for (const name of [rowIndexName(sha256), sha256]) {
        await unlink(join(root, blobKey(recordId, name))).catch((error: unknown) => {
          if (!hasCode(error, 'ENOENT')) throw error;
        });
      }
    },
    removeAll: (recordId) => rm(join(root, blobPrefix(recordId)), { recursive: true, force: true }),
    list: async (afterKey, limit) => {
      const [afterRecord = ''] = afterKey.split('/');
      const keys: string[] = [];
      for (const recordId of (await readdir(root).catch((): string[] => [])).toSorted()) {
        if (recordId < afterRecord) continue;
        const names = await readdir(join(root, recordId)).catch(() => []);
        const found = names.map((name) => `${recordId}/${name}`).filter(isBlobKey);
        keys.push(...found.filter((key) => key > afterKey).toSorted());
        if (keys.length >= limit) return { keys: keys.slice(0, limit), next: keys[limit - 1] ?? null };
      }
      return { keys, next: null };
    },
    abandonUploads: async (before) => {
      const folder = join(root, PARTIAL);
      for (const name of await readdir(folder).catch(() => [])) {
        // A missing file was completed meanwhile.
        const { mtime } = (await stat(join(folder, name)).catch(() => undefined)) ?? { mtime: before };
        if (mtime < before) await rm(join(folder, name), { force: true });
      }
    },
  };
}

/** Renames. Between two file systems, copies to a temporary file first. */
async function move(from: string, to: string, partialFolder: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (!hasCode(error, 'EXDEV')) throw error;
    await mkdir(partialFolder, { recursive: true, mode: 0o700 });
    const partial = join(partialFolder, randomUUID());
    await pipeline(createReadStream(from), withProgressOf, createWriteStream(partial));
    await syncToDisk(partial);
    await rename(partial, to);
    await rm(from);
  }
}

async function* withProgressOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    noteProgress();
    yield chunk;
  }
}

async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
