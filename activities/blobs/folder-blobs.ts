// Bodies in a local folder: one folder per record, files that appear whole or not at all.
import { randomUUID } from 'node:crypto';
import { copyFile, type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { blobKey, blobPrefix, BlobNotFound, type BlobStore, rowIndexName } from './blob-store.ts';

export function createFolderBlobs(root: string): BlobStore {
  return {
    put: async (recordId, name, filePath) => {
      const target = join(root, blobKey(recordId, name));
      // Bodies are their owners' business: other users of the machine do not even see their names.
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      await syncToDisk(filePath);
      await move(filePath, target);
      // A new name is durable only once its folder is: the record's, and the one that holds that.
      await syncToDisk(dirname(target));
      await syncToDisk(root);
    },
    open: async (recordId, name) => {
      const key = blobKey(recordId, name);
      const file = await open(join(root, key)).catch((error: unknown) => {
        throw hasCode(error, 'ENOENT') ? new BlobNotFound(key) : error;
      });
      return { read: (into, at) => fill(file, into, at), [Symbol.asyncDispose]: () => file.close() };
    },
    remove: async (recordId, sha256) => {
      for (const name of [rowIndexName(sha256), sha256]) {
        await rm(join(root, blobKey(recordId, name)), { force: true });
      }
    },
    removeAll: (recordId) => rm(join(root, blobPrefix(recordId)), { recursive: true, force: true }),
  };
}

async function fill(file: FileHandle, into: Uint8Array, at: number): Promise<number> {
  let filled = 0;
  while (filled < into.length) {
    const { bytesRead } = await file.read(into, filled, into.length - filled, at + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return filled;
}

/** Renames; between two disks, copies to a temporary name beside the target first. */
async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (!hasCode(error, 'EXDEV')) throw error;
    const partial = `${to}.${randomUUID()}.partial`;
    await copyFile(from, partial);
    await syncToDisk(partial);
    await rename(partial, to);
    await rm(from);
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
