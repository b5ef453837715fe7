// Tells Temporal that a long activity is alive, also while it waits for a slow origin or a long statement. It does not look
// at what the work waits for, so whatever an activity waits for must end by itself: origins have deadlines, connections to
// PostgreSQL are watched (db/driver/watch-connections.ts), the S3 client has timeouts.
import { Context } from '@temporalio/activity';

/** A third of the shortest heartbeat timeout in workflows/proxies.ts. */
const EVERY_MS = 5_000;

export async function heartbeating<T>(work: () => Promise<T>): Promise<T> {
  const context = Context.current();
  const timer = setInterval(() => context.heartbeat(), EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
