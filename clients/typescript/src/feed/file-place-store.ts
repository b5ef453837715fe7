// Keeps the place of a reader of the feed in a file. One process at a time may use it.
import { open, readFile, rename, rm } from 'node:fs/promises';
import type { PlaceStore } from './place-store.ts';

export class FilePlaceStore implements PlaceStore {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  async load(): Promise<string | undefined> {
    try {
      const place = (await readFile(this.#path, 'utf8')).trim();
      return place === '' ? undefined : place;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** The file has the place before or this one, whenever the process or the machine stops. */
  async save(place: string): Promise<void> {
    const next = `${this.#path}.next`;
    const file = await open(next, 'w', 0o600);
    try {
      await file.writeFile(`${place}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(next, this.#path);
  }

  async clear(): Promise<void> {
    await rm(this.#path, { force: true });
  }
}
