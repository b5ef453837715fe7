// The home folder of a run: its files by name, and secrets that are made once and stored in it.
import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { writeWhole } from '../process/write-whole.ts';

export interface Home {
  folder: string;
  file: (name: string) => string;
  logFile: (name: string) => string;
  /** The text of a file that only the owner may read. Writes the result of `make` when the file does not exist. */
  keep: (name: string, make: () => string) => string;
}

export function openHome(path: string): Home {
  const folder = resolve(path);
  // Under root the database runs as another user, who must be able to enter this folder.
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
  mkdirSync(join(folder, 'logs'), { recursive: true, mode });
  const file = (name: string) => join(folder, name);
  return {
    folder,
    file,
    logFile: (name) => join(folder, 'logs', `${name}.log`),
    keep: (name, make) => keep(file(name), make),
  };
}

function keep(path: string, make: () => string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    const text = make();
    writeWhole(path, `${text}\n`, { mode: 0o600, isNew: true });
    return text;
  }
}
