// What mends a first check that did not work.
import type { TrackedRecord } from '../../parts/record/record-state.ts';

/** `credentials`: the origin wants to know who comes. `format`: the body is read in the wrong way, or is no data. */
export type Mending = 'credentials' | 'format' | 'none';

/** No data have ever come. */
export const hasFailedAtFirst = ({ latestSnapshotId, lastOutcome }: TrackedRecord): boolean =>
  latestSnapshotId === null && lastOutcome === 'failed';

export function mendingOf({ code, detail }: NonNullable<TrackedRecord['lastError']>): Mending {
  if (code === 'credentials_unreadable') return 'credentials';
  // The record tells the status in these words alone; the check has it as a number, at the price of another call.
  if (code === 'http_error') return /\b40[13]\b/.test(detail) ? 'credentials' : 'none';
  const aboutFormat = [
    'header_unclear',
    'malformed_body',
    'too_many_columns',
    'row_too_large',
    'body_truncated',
  ];
  return aboutFormat.includes(code) ? 'format' : 'none';
}
