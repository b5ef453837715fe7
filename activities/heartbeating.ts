// Tells Temporal that a long activity goes on, for as long as it does: while it gets things done, or waits for what ends by
// itself. Work in which nothing happens, as when a disk hangs, is given up, so that another try can begin.
import { Context } from '@temporalio/activity';
import { currentPulse, type Pulse, withPulse } from '../db/driver/pulse.ts';

/** Less than a third of the shortest heartbeat timeout in workflows/proxies.ts; worker/run-worker.ts lets as many through. */
const EVERY_MS = 2_000;
/** Beats without anything done, 100 s: longer than a disk takes for whatever it is asked, and than S3's own timeouts. */
const MOST_SILENT = 50;

/** The work goes on if what it waits for ever comes; activities may run twice at a time. */
export class StuckError extends Error {
  constructor() {
    super(`Nothing happened for ${(MOST_SILENT * EVERY_MS) / 1_000} s`);
    this.name = 'StuckError';
  }
}

/**
 * @param work gets a promise that is rejected when the work is stuck, to let go of what others wait for
 * @throws StuckError
 */
export async function heartbeating<T>(work: (stuck: Promise<never>) => Promise<T>): Promise<T> {
  const { promise: stuck, reject } = Promise.withResolvers<never>();
  stuck.catch(() => undefined);
  // A part of work that is looked at already.
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
