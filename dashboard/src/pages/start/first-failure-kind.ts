// Which form repairs a failed first check.
import type { TrackedRecord } from '../../parts/record/record-state.ts';

/** `credentials`: the origin needs credentials. `format`: the body is read wrongly, or is not data. */
export type RepairKind = 'credentials' | 'format' | 'none';

/** The record has never had data. */
export const hasFailedAtFirst = ({ latestSnapshotId, lastOutcome }: TrackedRecord): boolean =>
  latestSnapshotId === null && lastOutcome === 'failed';

export function repairOf({ code, detail }: NonNullable<TrackedRecord['lastError']>): RepairKind {
  if (code === 'credentials_unreadable') return 'credentials';
  // The record has the status only in its error's words. The check has it as a number, but would cost another call.
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
