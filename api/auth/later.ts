// Work that an answer does not wait for, so that how long it takes tells nobody whether there was something to do.
import type { FastifyBaseLogger } from 'fastify';

export interface Later {
  run: (what: string, work: () => Promise<void>) => void;
  /** Comes back when all of it is done. */
  done: () => Promise<void>;
}

export function createLater(log: FastifyBaseLogger): Later {
  const underWay = new Set<Promise<void>>();
  return {
    run: (what, work) => {
      const doing = work()
        .catch((error: unknown) => log.error({ err: error }, what))
        .finally(() => underWay.delete(doing));
      underWay.add(doing);
    },
    done: async () => void (await Promise.all(underWay)),
  };
}
