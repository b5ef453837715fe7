// A folder for bodies that are fetched or decompressed. Only this user may read it. It is gone when the process ends. Also the files
// of the user's that are open for as long.
import { mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Scratch {
  /** Creates the folder when it is first asked for. */
  folder: () => string;
  /** Closes a file when the folder is removed. */
  hold: (file: FileHandle) => void;
  remove: () => void;
}

/** Systems remove what is old from their temporary folder: systemd after ten days, macOS after three. */
const TOUCH_EVERY_MS = 3_600_000;

export function createScratch(): Scratch {
  let folder: string | undefined;
  let touching: NodeJS.Timeout | undefined;
  const held: FileHandle[] = [];
  const remove = (): void => {
    process.off('exit', remove);
    clearInterval(touching);
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    folder = undefined;
    for (const file of held.splice(0)) void file.close();
  };
  const create = (): string => {
    process.once('exit', remove);
    const made = mkdtempSync(join(tmpdir(), 'recordwatch-'));
    touching = setInterval(() => touch(made), TOUCH_EVERY_MS).unref();
    return made;
  };
  return {
    folder() {
      folder ??= create();
      return folder;
    },
    hold: (file) => void held.push(file),
    remove,
  };
}

function touch(folder: string): void {
  const now = new Date();
  try {
    for (const path of [folder, ...readdirSync(folder).map((name) => join(folder, name))]) {
      utimesSync(path, now, now);
    }
  } catch {
    // A file was removed meanwhile. The next time comes soon.
  }
}
