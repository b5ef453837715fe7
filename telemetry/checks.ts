// Metrics of checks: outcomes, lag, the duration of each part, rows and bytes.
import { CHECK_ERRORS, type CheckErrorCode } from '../core/errors.ts';
import { counter, durations, observeAmount } from './instruments.ts';

/** In seconds: from a 304 of a near origin to the largest bodies. */
const PART_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900];
const LAG_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900, 3_600];

const checks = counter('recordwatch.checks', {
  unit: '{check}',
  description: 'Committed checks by outcome.',
});
const parts = durations('recordwatch.check.part.duration', 'Duration of a part of a check.', PART_SECONDS);
const lag = durations(
  'recordwatch.check.lag',
  'Time from when a check on schedule was due to the start of its fetch.',
  LAG_SECONDS,
);
const bytes = counter('recordwatch.check.body.size', {
  unit: 'By',
  description: 'Bytes of fetched bodies, decompressed.',
});
const rows = counter('recordwatch.check.rows', { unit: '{row}', description: 'Rows of compared bodies.' });
const changes = counter('recordwatch.check.row.changes', {
  unit: '{row}',
  description: 'Rows that checks found new, changed or deleted.',
});

const CHANGES = ['new', 'changed', 'deleted'] as const;
const HELD_CODES: ReadonlySet<string> = new Set(['sharp_drop', 'key_repeated'] satisfies CheckErrorCode[]);

/**
 * Begins all series of the counters at zero. A series that begins with its first check begins at 1, and to `rate()` of
 * Prometheus that is no increase: no alert would see the only check that fails.
 */
export function beginCounters(): void {
  for (const outcome of ['changed', 'unchanged']) checks(0, { outcome });
  for (const code of Object.keys(CHECK_ERRORS))
    checks(0, { outcome: HELD_CODES.has(code) ? 'held' : 'failed', 'error.type': code });
  bytes(0);
  rows(0);
  for (const change of CHANGES) changes(0, { change });
}

/** @param errorCode of a failed or held check */
export function countCheck(
  outcome: 'changed' | 'unchanged' | 'held' | 'failed',
  errorCode?: CheckErrorCode,
): void {
  checks(1, errorCode === undefined ? { outcome } : { outcome, 'error.type': errorCode });
}

/** @param counts undefined when the rows were not compared with earlier ones */
export function countRows(
  total: number,
  counts: { new: number; changed: number; deleted: number } = { new: 0, changed: 0, deleted: 0 },
): void {
  rows(total);
  for (const change of CHANGES) if (counts[change] > 0) changes(counts[change], { change });
}

export const countBytes = (size: number): void => bytes(size);

/** @param dueAt by the database's clock; null when no check was planned */
export function recordLag(dueAt: Date | null, startedAt: Date): void {
  if (dueAt !== null) lag(Math.max(0, startedAt.getTime() - dueAt.getTime()));
}

/** Times a part of a check, also when it fails. */
export async function timePart<T>(part: 'fetch' | 'commit', work: () => Promise<T>): Promise<T> {
  const beganAt = performance.now();
  try {
    return await work();
  } finally {
    parts(performance.now() - beganAt, { part });
  }
}

/**
 * Times a comparison and its commit, which are one transaction: the comparison ends when the rows of the body are read, and
 * `body` is called. A commit that throws is not counted.
 */
export async function timeCommit<Commit extends { body: () => unknown }, Outcome>(
  commit: Commit,
  run: (commit: Commit) => Promise<Outcome>,
): Promise<Outcome> {
  const beganAt = performance.now();
  let readAt: number | undefined;
  const body = (): unknown => {
    readAt ??= performance.now();
    return commit.body();
  };
  const outcome = await run({ ...commit, body });
  readAt ??= performance.now();
  parts(readAt - beganAt, { part: 'compare' });
  parts(performance.now() - readAt, { part: 'commit' });
  return outcome;
}

/** The activities of checks in this process: in progress, and those of them that count as at work (activities/check-slots.ts). */
export function observeActivities(read: () => { running: number; atWork: number }): void {
  observeAmount(
    'recordwatch.check.activities',
    {
      unit: '{activity}',
      description: 'Activities of checks: at work, or waiting for others or at long work.',
    },
    () => {
      const { running, atWork } = read();
      return [
        { value: atWork, attributes: { state: 'at_work' } },
        { value: running - atWork, attributes: { state: 'waiting' } },
      ];
    },
  );
}

/** The limits on the checks of a process. */
export interface CheckLimits {
  comparing: { running: number; waiting: number };
  /** In bytes. The limit is infinite until the disk has been looked at. */
  spool: { used: number; limit: number };
}

export function observeLimits(read: () => CheckLimits): void {
  observeAmount(
    'recordwatch.comparisons',
    { unit: '{comparison}', description: 'Bodies that are being compared, or wait for it.' },
    () => {
      const { running, waiting } = read().comparing;
      return [
        { value: running, attributes: { state: 'running' } },
        { value: waiting, attributes: { state: 'waiting' } },
      ];
    },
  );
  observeAmount(
    'recordwatch.spool.usage',
    { unit: 'By', description: 'Disk that bodies take while they are fetched.' },
    () => [{ value: read().spool.used }],
  );
  observeAmount(
    'recordwatch.spool.limit',
    { unit: 'By', description: 'Disk that bodies may take while they are fetched.' },
    () => {
      const { limit } = read().spool;
      return Number.isFinite(limit) ? [{ value: limit }] : [];
    },
  );
}
