// Sends heartbeats for a long activity while it makes progress or waits for something that ends by itself. An activity
// without progress, for example on a hanging disk, is given up, so that it can be retried.
import { Context } from '@temporalio/activity';
import { currentPulse, type Pulse, withPulse } from '../db/driver/pulse.ts';

/** Less than a third of the shortest heartbeat timeout in workflows/proxies.ts. worker/run-worker.ts throttles to the same. */
const EVERY_MS = 2_000;
/** Heartbeats without progress: 100 s, longer than any disk operation takes, and longer than the timeouts of S3. */
const MOST_SILENT = 50;

/** The stuck work continues if what it waits for ever ends. An activity may run twice at a time. */
export class StuckError extends Error {
  constructor() {
    super(`Nothing happened for ${(MOST_SILENT * EVERY_MS) / 1_000} s`);
    this.name = 'StuckError';
  }
}

/**
 * @param work gets a promise that rejects when the work is stuck, so that it can release what others wait for
 * @throws StuckError
 */
export async function heartbeating<T>(work: (stuck: Promise<never>) => Promise<T>): Promise<T> {
  const { promise: stuck, reject } = Promise.withResolvers<never>();
  stuck.catch(() => undefined);
  // Part of work that is watched already.
  if (currentPulse() !== undefined) return work(stuck);
  const context = Context.current();
  const pulse: Pulse = { hasMoved: false, waits: 0 };
  let silentBeats = 0;
  const timer = setInterval(() => {
    silentBeats = pulse.hasMoved || pulse.waits > 0 ? 0 : silentBeats + 1;
    pulse.hasMoved = false;
    if (silentBeats < MOST_SILENT) context.heartbeat();
    else reject(new StuckError());
  }, EVERY_MS);
  try {
    return await Promise.race([withPulse(pulse, () => work(stuck)), stuck]);
  } finally {
    clearInterval(timer);
  }
}
