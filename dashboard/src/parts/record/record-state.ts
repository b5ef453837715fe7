// A record's status in one word.
import type { components } from '../../client/schema.ts';

export type TrackedRecord = components['schemas']['Record'];

export type RecordState = 'checking' | 'failing' | 'held' | 'healthy' | 'paused' | 'waiting';

type Told = Pick<TrackedRecord, 'status' | 'consecutiveFailures' | 'lastOutcome' | 'lastCheckedAt'>;

/** `waiting`: for its first check. */
export function recordState({ status, consecutiveFailures, lastOutcome, lastCheckedAt }: Told): RecordState {
  if (status === 'paused') return 'paused';
  if (consecutiveFailures > 0 || lastOutcome === 'failed') return 'failing';
  if (lastOutcome === 'held') return 'held';
  return lastCheckedAt === null ? 'waiting' : 'healthy';
}
