// Writes about attempts in batches: those that come at about the same time share one statement.
import { setTimeout as pause } from 'node:timers/promises';
import type { DeliveryStatus } from '../../core/deliveries.ts';
import type { Database } from '../../db/driver/knex.ts';
import { type LeasedDelivery, passLeases, type LineLease } from '../../db/webhooks/lines.ts';
import { type NewAttempt, recordAttempts } from '../../db/webhooks/record-attempts.ts';
import { measureAttempt } from '../../telemetry/deliveries.ts';
import type { ActivityDeps } from '../deps.ts';
import { startRetry } from './start-delivery-workflows.ts';

/** The delivery after its attempt was recorded. */
export interface RecordedAttempt {
  /** Null when another run had recorded this attempt before, and when the webhook is being deleted. */
  status: DeliveryStatus | null;
  /** Why the attempt disabled the webhook; null when it did not. */
  disabledReason: string | null;
}

export type WriteAttempt = (attempt: NewAttempt) => Promise<RecordedAttempt>;

export function createRecorder(deps: ActivityDeps): WriteAttempt {
  return inBatches(async (attempts: readonly NewAttempt[]) => {
    const { statuses, disabled, notices } = await recordAttempts(deps.db, attempts);
    const words = 'Another webhook of the record was disabled.';
    for (const deliveryId of notices) void startRetry(deps, { deliveryId, waitMs: 0, words });
    return attempts.map((attempt) => {
      const status = statuses.get(attempt.deliveryId) ?? null;
      // An attempt that another run recorded was counted there.
      if (status !== null) measureAttempt({ ...attempt, status });
      return { status, disabledReason: disabled.get(attempt.webhookId) ?? null };
    });
  });
}

/**
 * Ends a lease once its attempt is recorded, and takes the next one of its line if a delivery waits for it.
 * @param goesOn false: takes no other
 */
export type PassLease = (lease: LineLease, goesOn: boolean) => Promise<LeasedDelivery | undefined>;

export function createLeasePasser(db: Database): PassLease {
  const pass = inBatches(async (ended: readonly { lease: LineLease; goesOn: boolean }[]) => {
    const next = await passLeases(db, ended);
    return ended.map(({ lease: { webhookId, recordId } }) =>
      next.find((due) => due.webhookId === webhookId && due.recordId === recordId),
    );
  });
  return (lease, goesOn) => pass({ lease, goesOn });
}

/** How long one waits for others to join its statement. */
const GATHER_MS = 3;
const LARGEST_BATCH = 200;

interface Waiting<Item, Result> {
  item: Item;
  done: PromiseWithResolvers<Result>;
}

/**
 * Gathers the calls of a few milliseconds. One batch is written at a time; the next one gathers meanwhile.
 * @param write gives the results in the order of its items; an error goes to all callers of the batch
 */
function inBatches<Item, Result>(
  write: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let isWriting = false;
  const writeAll = async (): Promise<void> => {
    isWriting = true;
    while (waiting.length > 0) {
      await pause(GATHER_MS);
      await writeBatch(write, waiting.splice(0, LARGEST_BATCH));
    }
    isWriting = false;
  };
  return (item) => {
    const done = Promise.withResolvers<Result>();
    waiting.push({ item, done });
    if (!isWriting) void writeAll();
    return done.promise;
  };
}

/** Never rejects. */
async function writeBatch<Item, Result>(
  write: (items: readonly Item[]) => Promise<readonly Result[]>,
  batch: readonly Waiting<Item, Result>[],
): Promise<void> {
  try {
    const results = await write(batch.map(({ item }) => item));
    for (const [at, { done }] of batch.entries()) done.resolve(results[at] as Result);
  } catch (error) {
    for (const { done } of batch) done.reject(error);
  }
}
