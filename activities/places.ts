// Places for work that a process does little of at once. Who waits for one is served in turns of the keys, and no key ever
// takes all of them.

export interface Places {
  /**
   * Runs the work once there is a place for it.
   * @throws the signal's reason when it is aborted before that
   */
  run: <T>(key: string, signal: AbortSignal, work: () => Promise<T>) => Promise<T>;
  /** Takes a place, for work that is no function; calling what it returns gives the place back. Throws as `run` does. */
  take: (key: string, signal: AbortSignal) => Promise<() => void>;
  /** How many wait under this key. */
  waiting: (key: string) => number;
}

export function createPlaces(count: number): Places {
  let free = count;
  const held = new Map<string, number>();
  /** In the order of their turns: a key that was served goes to the end. */
  const queues = new Map<string, Set<() => void>>();
  const hold = (key: string, change: 1 | -1): void => {
    free -= change;
    const now = (held.get(key) ?? 0) + change;
    if (now === 0) held.delete(key);
    else held.set(key, now);
  };
  const admit = (): void => {
    for (const [key, queue] of queues) {
      const [start] = queue;
      if (start === undefined || !mayHoldMore(held.get(key), free)) continue;
      queues.delete(key);
      queue.delete(start);
      if (queue.size > 0) queues.set(key, queue);
      hold(key, 1);
      start();
    }
  };
  const enter = (key: string, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const queue = queues.get(key) ?? new Set();
      queues.set(key, queue);
      const giveUp = (): void => {
        queue.delete(start);
        if (queue.size === 0) queues.delete(key);
        reject(signal.reason as Error);
      };
      const start = (): void => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      signal.addEventListener('abort', giveUp, { once: true });
      queue.add(start);
      admit();
    });
  const take = async (key: string, signal: AbortSignal): Promise<() => void> => {
    await enter(key, signal);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      hold(key, -1);
      admit();
    };
  };
  return {
    waiting: (key) => queues.get(key)?.size ?? 0,
    take,
    run: async (key, signal, work) => runHolding(await take(key, signal), work),
  };
}

async function runHolding<T>(giveBack: () => void, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    giveBack();
  }
}

/**
 * The rule of dynamic thresholds (Choudhury and Hahne, 1998): one key alone gets half of the places, two get a third each,
 * and whoever comes next always finds some that are free.
 */
export const mayHoldMore = (held = 0, free: number): boolean => held < free;
