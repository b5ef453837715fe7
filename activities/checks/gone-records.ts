// Tells running fetches that nobody wants their bodies any more: the record was deleted, or its session is over.
import { listGone } from '../../db/records/records.ts';
import type { ActivityDeps } from '../deps.ts';

export interface GoneRecords {
  /** A signal that is aborted within some seconds of the record's end, until `forget` is called. */
  watch: (recordId: string) => { signal: AbortSignal; forget: () => void };
}

/** One statement for all that are under way. */
const EVERY_MS = 2_000;

export function createGoneRecords({ db, log }: Pick<ActivityDeps, 'db' | 'log'>): GoneRecords {
  const watched = new Map<AbortController, string>();
  let timer: NodeJS.Timeout | undefined;
  const look = async (): Promise<void> => {
    const gone = new Set(await listGone(db, [...new Set(watched.values())]));
    for (const [controller, recordId] of watched) if (gone.has(recordId)) controller.abort();
  };
  const lookAgain = (): void => {
    timer = setTimeout(() => {
      look()
        .catch((err: unknown) => log.warn({ err }, 'deleted records could not be looked for'))
        .finally(() => (watched.size > 0 ? lookAgain() : (timer = undefined)));
    }, EVERY_MS).unref();
  };
  return {
    watch: (recordId) => {
      const controller = new AbortController();
      watched.set(controller, recordId);
      if (timer === undefined) lookAgain();
      return { signal: controller.signal, forget: () => void watched.delete(controller) };
    },
  };
}
