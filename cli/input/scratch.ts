// A folder for bodies that are fetched or decompressed. Only this user may read it. It is gone when the process ends.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Scratch {
  /** Creates the folder when it is first asked for. */
  folder: () => string;
  remove: () => void;
}

export function createScratch(): Scratch {
  let folder: string | undefined;
  const remove = (): void => {
    process.off('exit', remove);
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    folder = undefined;
  };
  return {
    folder() {
      if (folder === undefined) process.once('exit', remove);
      folder ??= mkdtempSync(join(tmpdir(), 'recordwatch-'));
      return folder;
    },
    remove,
  };
}
