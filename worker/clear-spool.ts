// Files on their way into the blob store that a worker left behind when it was killed.
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Well over the time in which an activity fetches and stores a body: what is older belongs to nobody. */
const ABANDONED_AFTER_MS = 60 * 60_000;
const EVERY_MS = 10 * 60_000;

/** Removes what is abandoned in the folder, which several workers may share. */
export async function clearSpool(folder: string, nowMs = Date.now()): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    // Gone meanwhile: another worker was faster, or its owner has moved it.
    const { mtimeMs } = (await stat(path).catch(() => undefined)) ?? { mtimeMs: nowMs };
    if (nowMs - mtimeMs > ABANDONED_AFTER_MS) await rm(path, { force: true });
  }
}

/** Clears now and every ten minutes; never keeps the process alive. */
export function keepSpoolClear(folder: string, onError: (error: unknown) => void): void {
  const clear = (): void => void clearSpool(folder).catch(onError);
  clear();
  setInterval(clear, EVERY_MS).unref();
}
