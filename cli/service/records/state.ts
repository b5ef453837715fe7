// The state of a record in a word.
import type { WatchedRecord } from '../../../clients/typescript/src/models.ts';

export function stateOf(record: WatchedRecord): string {
  if (record.status === 'paused') return 'paused';
  if (record.heldCheckId !== null) return 'held';
  if (record.lastOutcome === null) return 'not checked yet';
  return record.lastOutcome === 'failed' ? `failing (${record.consecutiveFailures})` : 'good';
}

export const labelsText = (labels: WatchedRecord['labels']): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}:${value}`)
    .join(', ');
