// Attempts that end at about the same time are recorded in one statement, whichever events they belong to.
import { setTimeout as pause } from 'node:timers/promises';
import type { DeliveryStatus } from '../../core/deliveries.ts';
import { type AttemptRecord, recordAttempts } from '../../db/webhooks/record-attempts.ts';
import type { ActivityDeps } from '../deps.ts';
import { startRetry } from './start-retry.ts';

/** What became of the delivery, once the attempt is recorded. */
export interface RecordedAttempt {
  /** Null when somebody else had recorded this attempt before. */
  status: DeliveryStatus | null;
  /** Why the webhook is disabled from now on; null when it is not. */
  disabledReason: string | null;
}

export type RecordAttempt = (attempt: AttemptRecord) => Promise<RecordedAttempt>;

interface Waiting {
  attempt: AttemptRecord;
  done: PromiseWithResolvers<RecordedAttempt>;
}

/** Neighbours that answer as quickly fall into the same statement; a slow one keeps nobody waiting. */
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

/** Never rejects: those who wait are told. */
async function recordGroup(deps: ActivityDeps, group: readonly Waiting[]): Promise<void> {
  try {
    const { statuses, disabled, notices } = await recordAttempts(
      deps.db,
      group.map(({ attempt }) => attempt),
    );
    for (const { attempt, done } of group) {
      done.resolve({
        status: statuses.get(attempt.deliveryId) ?? null,
        disabledReason: disabled.get(attempt.webhookId) ?? null,
      });
    }
    const words = 'Another webhook of the record was disabled.';
    for (const deliveryId of notices) void startRetry(deps, { deliveryId, waitMs: 0, words });
  } catch (error) {
    for (const { done } of group) done.reject(error);
  }
}
