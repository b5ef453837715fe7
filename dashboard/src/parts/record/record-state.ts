// A record's status in one word.
import type { components } from '../../client/schema.ts';

export type TrackedRecord = components['schemas']['Record'];

export type RecordState = 'checking' | 'failing' | 'held' | 'healthy' | 'paused' | 'waiting';

type Told = Pick<
  TrackedRecord,
  'status' | 'consecutiveFailures' | 'lastOutcome' | 'heldCheckId' | 'lastCheckedAt'
>;

/** `waiting`: for its first check. A held check stays so while a check of the stored body fails. */
export function recordState(record: Told): RecordState {
  const { status, consecutiveFailures, lastOutcome, heldCheckId, lastCheckedAt } = record;
  if (status === 'paused') return 'paused';
  if (consecutiveFailures > 0) return 'failing';
  if (lastOutcome === 'held' || heldCheckId !== null) return 'held';
  if (lastOutcome === 'failed') return 'failing';
  return lastCheckedAt === null ? 'waiting' : 'healthy';
}
