// Limits what is in use at once, in total and by key: work in progress, downloads, bytes of memory.

/** Gives back what was taken. Calling it again does nothing. */
export type Release = () => void;

export interface LimiterOptions {
  /** Units in use at once over all keys. Default: no limit. */
  total?: number;
  /**
   * Units in use at once under one key; `fair`: no more than are still free (`isFairShare`). Default: no limit.
   */
  perKey?: number | 'fair';
  /** Bounds the requests that wait under one key; `error` refuses the excess. Default: no bound. */
  queue?: { max: number; error: () => Error };
}

/** Units that may be in use under a key, the requested ones included. */
export interface KeyLimit {
  key: string;
  max: number;
}

export interface TakeOptions {
  /** Ends the wait: `take` then rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Waits even if the queue of the key is full. */
  ignoreQueueLimit?: boolean;
}

export class Limiter {
  readonly #options: LimiterOptions;
  readonly #inUse = new Map<string, number>();
  /** In the order in which the keys are served: a key that was served moves to the end. */
  readonly #queues = new Map<string, Set<() => void>>();
  #totalInUse = 0;

  constructor(options: LimiterOptions = {}) {
    this.#options = options;
  }

  /** Over all keys: units in use, and requests that wait. */
  get load(): { running: number; waiting: number } {
    const waiting = [...this.#queues.values()].reduce((sum, queue) => sum + queue.size, 0);
    return { running: this.#totalInUse, waiting };
  }

  /** Units in use under this key. */
  inUse(key: string): number {
    return this.#inUse.get(key) ?? 0;
  }

  /** Requests that wait under this key. */
  waiting(key: string): number {
    return this.#queues.get(key)?.size ?? 0;
  }

  /**
   * Takes units under several keys without waiting: under all of them or none. The limits given here replace `perKey`.
   * @returns the first key that has no room, or `total`
   */
  tryTake(limits: readonly KeyLimit[], units = 1): { release: Release } | { full: string } {
    const full = limits.find(({ key, max }) => this.inUse(key) + units > max);
    if (full !== undefined) return { full: full.key };
    if (this.#totalInUse + units > this.#total) return { full: 'total' };
    const keys = limits.map(({ key }) => key);
    return { release: this.#hold(keys, units) };
  }

  /**
   * Takes one unit, first come first served within the key. Keys with waiting requests take turns.
   * @throws the error of `queue`, or the reason of the signal
   */
  take(key: string, { signal, ignoreQueueLimit = false }: TakeOptions = {}): Promise<Release> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      if (this.waiting(key) === 0 && this.#hasRoom(key)) return resolve(this.#hold([key], 1));
      const { queue: bound } = this.#options;
      if (bound !== undefined && !ignoreQueueLimit && this.waiting(key) >= bound.max) throw bound.error();
      const queue = this.#queues.get(key) ?? new Set();
      this.#queues.set(key, queue);
      const giveUp = (): void => {
        queue.delete(start);
        if (queue.size === 0) this.#queues.delete(key);
        reject(signal?.reason as Error);
      };
      const start = (): void => {
        signal?.removeEventListener('abort', giveUp);
        resolve(this.#hold([key], 1));
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      queue.add(start);
    });
  }

  /** Runs the work with one unit, which it gives back at the end. Throws as `take` and the work do. */
  async run<T>(key: string, work: () => Promise<T>, options?: TakeOptions): Promise<T> {
    const release = await this.take(key, options);
    try {
      return await work();
    } finally {
      release();
    }
  }

  get #total(): number {
    return this.#options.total ?? Infinity;
  }

  #hasRoom(key: string): boolean {
    const { perKey = Infinity } = this.#options;
    const free = this.#total - this.#totalInUse;
    if (free < 1) return false;
    return perKey === 'fair' ? isFairShare(this.inUse(key), free) : this.inUse(key) < perKey;
  }

  #hold(keys: readonly string[], units: number): Release {
    this.#add(keys, units);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#add(keys, -units);
      this.#admit(keys);
    };
  }

  #add(keys: readonly string[], units: number): void {
    this.#totalInUse += units;
    for (const key of keys) {
      const sum = this.inUse(key) + units;
      if (sum === 0) this.#inUse.delete(key);
      else this.#inUse.set(key, sum);
    }
  }

  /** Starts requests that have room now. Without a total, only those of the released keys can have any. */
  #admit(released: readonly string[]): void {
    if (this.#total === Infinity) {
      for (const key of released) while (this.#startNext(key)) continue;
      return;
    }
    // A served key moves to the end of the map, where the loop meets it again.
    for (const key of this.#queues.keys()) this.#startNext(key);
  }

  #startNext(key: string): boolean {
    const queue = this.#queues.get(key);
    const [start] = queue ?? [];
    if (queue === undefined || start === undefined || !this.#hasRoom(key)) return false;
    this.#queues.delete(key);
    queue.delete(start);
    if (queue.size > 0) this.#queues.set(key, queue);
    start();
    return true;
  }
}

/**
 * Dynamic thresholds (Choudhury and Hahne, 1998): a key that holds fewer units than are free may take another one. One key
 * alone gets half of the units, two get a third each, and a new key always finds a free one.
 */
export const isFairShare = (inUse: number, free: number): boolean => inUse < free;
