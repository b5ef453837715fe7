// Removes temporary files of bodies that a worker left behind when it was killed.
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Longer than an activity takes to fetch and store a body. */
const ABANDONED_AFTER_MS = 60 * 60_000;
const EVERY_MS = 10 * 60_000;

/** Removes abandoned files. Several workers may share the folder. */
export async function clearSpool(folder: string, nowMs = Date.now()): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    // The file was moved by its owner or removed by another worker.
    const { mtimeMs } = (await stat(path).catch(() => undefined)) ?? { mtimeMs: nowMs };
    if (nowMs - mtimeMs > ABANDONED_AFTER_MS) await rm(path, { force: true });
  }
}

/** Clears now and every ten minutes. The timer does not keep the process alive. */
export function keepSpoolClear(folder: string, onError: (error: unknown) => void): void {
  const clear = (): void => void clearSpool(folder).catch(onError);
  clear();
  setInterval(clear, EVERY_MS).unref();
}
