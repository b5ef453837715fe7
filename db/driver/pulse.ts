// Whether work makes progress: what it has done, and what it waits for. activities/heartbeating.ts decides when it is stuck.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Knex } from 'knex';

export interface Pulse {
  /** Set by every step of the work. */
  hasMoved: boolean;
  /** Waits in progress that end by themselves. */
  waits: number;
  /** The longest time, in milliseconds, for which the process has done nothing at all so far. */
  pausedMs: () => number;
  /** Rejects when the work is stuck. */
  stuck: Promise<never>;
}

const pulses = new AsyncLocalStorage<Pulse | undefined>();

export const withPulse = <T>(pulse: Pulse, work: () => T): T => pulses.run(pulse, work);

/** Runs work that goes on for others too, such as a timer that all share: it is no progress of the calling work. */
export const withoutPulse = <T>(work: () => T): T => pulses.run(undefined, work);

export const currentPulse = (): Pulse | undefined => pulses.getStore();

/** A process that is stopped, or swapped out, for longer than this cannot say what happened meanwhile. */
const LONGEST_PAUSE_MS = 5_000;

/** Whether the process was stopped during the calling work. Timers of it may have run out then without cause. */
export const wasPaused = (): boolean => (pulses.getStore()?.pausedMs() ?? 0) > LONGEST_PAUSE_MS;

/** Records that the calling work has made progress, such as reading some bytes. */
export function noteProgress(): void {
  const pulse = pulses.getStore();
  if (pulse !== undefined) pulse.hasMoved = true;
}

/** Marks a wait that ends by itself, however long it takes. */
export async function waiting<T>(wait: () => Promise<T>): Promise<T> {
  const end = beginWait();
  try {
    return await wait();
  } finally {
    end();
  }
}

function beginWait(): () => void {
  const pulse = pulses.getStore();
  if (pulse === undefined) return () => undefined;
  pulse.waits += 1;
  return () => {
    pulse.waits -= 1;
    pulse.hasMoved = true;
  };
}

/**
 * Counts statements as waits that end by themselves, because their connections are watched (db/driver/watch-connections.ts).
 */
export function countStatements(db: Knex): void {
  const underWay = new Map<string, () => void>();
  const over = ({ __knexQueryUid: id }: { __knexQueryUid: string }): void => {
    underWay.get(id)?.();
    underWay.delete(id);
  };
  db.on('query', ({ __knexQueryUid: id }: { __knexQueryUid?: string }) => {
    // Statements of db/driver/prepared.ts have no id, and no event when they end. They are quick.
    if (id !== undefined && currentPulse() !== undefined) underWay.set(id, beginWait());
  });
  db.on('query-response', (_response: unknown, query: { __knexQueryUid: string }) => over(query));
  db.on('query-error', (_error: unknown, query: { __knexQueryUid: string }) => over(query));
}
