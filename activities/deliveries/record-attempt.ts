// Records attempts in batches: those that end at about the same time share one statement.
import { setTimeout as pause } from 'node:timers/promises';
import type { DeliveryStatus } from '../../core/deliveries.ts';
import { type AttemptRecord, recordAttempts } from '../../db/webhooks/record-attempts.ts';
import { countAttempt } from '../../telemetry/deliveries.ts';
import type { ActivityDeps } from '../deps.ts';
import { startRetry } from './start-retry.ts';

/** The delivery after its attempt was recorded. */
export interface RecordedAttempt {
  /** Null when another run had recorded this attempt before. */
  status: DeliveryStatus | null;
  /** Why the attempt disabled the webhook; null when it did not. */
  disabledReason: string | null;
}

export type RecordAttempt = (attempt: AttemptRecord) => Promise<RecordedAttempt>;

interface Waiting {
  attempt: AttemptRecord;
  done: PromiseWithResolvers<RecordedAttempt>;
}

/** How long a finished attempt waits for others to join its statement. */
const GATHER_MS = 3;
const LARGEST_GROUP = 200;

export function createRecorder(deps: ActivityDeps): RecordAttempt {
  const waiting: Waiting[] = [];
  let isRecording = false;
  const recordAll = async (): Promise<void> => {
    isRecording = true;
    while (waiting.length > 0) {
      await pause(GATHER_MS);
      await recordGroup(deps, waiting.splice(0, LARGEST_GROUP));
    }
    isRecording = false;
  };
  return (attempt) => {
    const done = Promise.withResolvers<RecordedAttempt>();
    waiting.push({ attempt, done });
    if (!isRecording) void recordAll();
    return done.promise;
  };
}

/** Never rejects. Errors go to the callers that wait. */
async function recordGroup(deps: ActivityDeps, group: readonly Waiting[]): Promise<void> {
  try {
    const { statuses, disabled, notices } = await recordAttempts(
      deps.db,
      group.map(({ attempt }) => attempt),
    );
    for (const { attempt, done } of group) {
      const status = statuses.get(attempt.deliveryId) ?? null;
      // An attempt that another run recorded was counted there.
      if (status !== null) countAttempt({ ...attempt, status });
      done.resolve({
        status,
        disabledReason: disabled.get(attempt.webhookId) ?? null,
      });
    }
    const words = 'Another webhook of the record was disabled.';
    for (const deliveryId of notices) void startRetry(deps, { deliveryId, waitMs: 0, words });
  } catch (error) {
    for (const { done } of group) done.reject(error);
  }
}
