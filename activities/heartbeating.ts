// Sends heartbeats for a long activity while it makes progress or waits for something that ends by itself. An activity
// without progress, for example on a hanging disk, is given up, so that it can be retried.
import { Context } from '@temporalio/activity';
import { currentPulse, type Pulse, withPulse } from '../db/driver/pulse.ts';

/** Beats in a heartbeat timeout: two may be late or lost. */
const BEATS_IN_TIMEOUT = 3.5;
/** Between beats where there is no timeout. */
const EVERY_MS = 5_000;
/** Longer than any operation of a disk, and longer than S3's own timeouts. */
const MOST_SILENT_MS = 100_000;

/** The stuck work continues if its wait ends after all, so an activity may run twice at a time. */
export class StuckError extends Error {
  constructor() {
    super(`Nothing happened for ${MOST_SILENT_MS / 1_000} s`);
    this.name = 'StuckError';
  }
}

const detailsOf = new WeakMap<Context, unknown>();
const sentDetails = new WeakMap<Context, unknown>();

/**
 * Sends a heartbeat with details for the next attempt at this activity, which finds them in `info.heartbeatDetails` even if
 * this worker dies. The server keeps the details of the last heartbeat only, so every later heartbeat of this attempt
 * repeats them.
 */
export function recordHeartbeatDetails(details: unknown): void {
  setHeartbeatDetails(details);
  beat(Context.current());
}

/** Sends the details with the next heartbeat, if the attempt lasts that long. A heartbeat is a write in Temporal's database. */
export function setHeartbeatDetails(details: unknown): void {
  detailsOf.set(Context.current(), details);
}

/** The details that this attempt has sent; undefined for none. */
export const lastHeartbeatDetails = (): unknown => sentDetails.get(Context.current());

function beat(context: Context): void {
  const details = detailsOf.get(context);
  if (details !== undefined) sentDetails.set(context, details);
  context.heartbeat(details);
}

/**
 * Work inside of watched work is watched with it: its heartbeats are those of the outer call, and both get stuck together.
 * @param work gets a promise that rejects when the work is stuck, so that it can release what others wait for
 * @throws StuckError
 */
export async function heartbeating<T>(work: (stuck: Promise<never>) => Promise<T>): Promise<T> {
  const outer = currentPulse()?.stuck;
  if (outer !== undefined) return Promise.race([work(outer), outer]);
  const { promise: stuck, reject } = Promise.withResolvers<never>();
  stuck.catch(() => undefined);
  const context = Context.current();
  const timeoutMs = context.info.heartbeatTimeoutMs;
  const everyMs = timeoutMs === undefined ? EVERY_MS : timeoutMs / BEATS_IN_TIMEOUT;
  let silentMs = 0;
  let beatAtMs = performance.now();
  let pausedMs = 0;
  const latenessMs = (): number => Math.max(0, performance.now() - beatAtMs - everyMs);
  const pulse: Pulse = { hasMoved: false, waits: 0, pausedMs: () => Math.max(pausedMs, latenessMs()), stuck };
  const timer = setInterval(() => {
    pausedMs = pulse.pausedMs();
    beatAtMs = performance.now();
    silentMs = pulse.hasMoved || pulse.waits > 0 ? 0 : silentMs + everyMs;
    pulse.hasMoved = false;
    if (silentMs < MOST_SILENT_MS) beat(context);
    else reject(new StuckError());
  }, everyMs);
  try {
    return await Promise.race([withPulse(pulse, () => work(stuck)), stuck]);
  } finally {
    clearInterval(timer);
  }
}
