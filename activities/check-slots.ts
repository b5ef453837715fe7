// Decides when a worker takes another activity of a check. Temporal and PostgreSQL serve in order of arrival, so the activities
// at work delay the checks of all accounts. Those that wait for an origin delay nobody, and do not count.
import { AsyncLocalStorage } from 'node:async_hooks';
import type {
  ActivityInterceptors,
  ActivitySlotInfo,
  CustomSlotSupplier,
  SlotPermit,
} from '@temporalio/worker';

export interface CheckSlotsOptions {
  /** Activities in progress. */
  total: number;
  /** Those at work. A few more may be: each poll for tasks has its slot before there is a task. */
  atWork: number;
  /** Longer work, such as comparing large bodies, has limits of its own, and does not count. */
  briefMs: number;
}

/** One activity. */
interface Task {
  begin: () => void;
  end: () => void;
}

const tasks = new AsyncLocalStorage<Task>();

/** Says that the calling activity is not at work while it waits for others: an origin, or a webhook's endpoint. */
export async function waitingForOthers<T>(wait: () => Promise<T>): Promise<T> {
  const task = tasks.getStore();
  task?.end();
  try {
    return await wait();
  } finally {
    task?.begin();
  }
}

export class CheckSlots implements CustomSlotSupplier<ActivitySlotInfo> {
  readonly type = 'custom';
  readonly #options: CheckSlotsOptions;
  /** When each activity at work began to be, the oldest first. */
  readonly #atWork = new Map<Task, number>();
  readonly #requests = new Set<() => void>();
  #reserved = 0;
  #running = 0;
  #willAdmit = false;

  constructor(options: CheckSlotsOptions) {
    this.#options = options;
  }

  /** Activities in progress, and those of them that count as at work. */
  get load(): { running: number; atWork: number } {
    this.#forgetLongWork();
    return { running: this.#running, atWork: this.#atWork.size };
  }

  /** Of the worker that uses these slots. */
  readonly interceptor = (): ActivityInterceptors => ({
    inbound: { execute: (input, next) => this.#run(() => next(input)) },
  });

  reserveSlot(_context: unknown, signal: AbortSignal): Promise<SlotPermit> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const giveUp = (): void => {
        this.#requests.delete(grant);
        reject(signal.reason as Error);
      };
      const grant = (): void => {
        signal.removeEventListener('abort', giveUp);
        resolve(this.#reserve());
      };
      signal.addEventListener('abort', giveUp, { once: true });
      this.#requests.add(grant);
      this.#admit();
    });
  }

  /**
   * For a task that comes with the answer to a workflow task, past Temporal's queue, in which accounts take turns. Polls that wait
   * come first: they have got each slot before this is asked for it.
   */
  tryReserveSlot(): SlotPermit | null {
    return this.#hasRoom() ? this.#reserve() : null;
  }

  markSlotUsed(): void {
    // The interceptor counts.
  }

  releaseSlot(): void {
    this.#reserved -= 1;
    this.#admit();
  }

  #reserve(): SlotPermit {
    this.#reserved += 1;
    return {};
  }

  async #run<T>(work: () => Promise<T>): Promise<T> {
    const task: Task = {
      begin: () => this.#atWork.set(task, performance.now()),
      end: () => {
        this.#atWork.delete(task);
        this.#admit();
      },
    };
    task.begin();
    this.#running += 1;
    try {
      return await tasks.run(task, work);
    } finally {
      this.#running -= 1;
      // Work that was given up as stuck may go on. It is no activity any more.
      task.begin = () => undefined;
      task.end();
    }
  }

  #hasRoom(): boolean {
    this.#forgetLongWork();
    return this.#reserved < this.#options.total && this.#atWork.size < this.#options.atWork;
  }

  #admit(): void {
    for (const grant of this.#requests) {
      if (!this.#hasRoom()) return this.#admitLater();
      this.#requests.delete(grant);
      grant();
    }
  }

  /** An end of work admits too. This is for work that becomes too long to count. */
  #admitLater(): void {
    if (this.#willAdmit) return;
    this.#willAdmit = true;
    setTimeout(() => {
      this.#willAdmit = false;
      this.#admit();
    }, this.#options.briefMs).unref();
  }

  #forgetLongWork(): void {
    const sinceMs = performance.now() - this.#options.briefMs;
    for (const [task, beganAtMs] of this.#atWork) {
      if (beganAtMs > sinceMs) return;
      this.#atWork.delete(task);
    }
  }
}
