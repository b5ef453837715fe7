// Compares a stored body with the latest snapshot and commits what it comes to: by the bytes of its rows where that can
// be sure, else row by row.
import type { ReadSummary } from '../../core/delta/read-rows.ts';
import type { CheckFacts, Validators, DropRows } from '../../db/commit-facts.ts';
import { commitDelta, type DeltaOutcome } from '../../db/commit-delta.ts';
import type { TrackedRecord } from '../../db/records.ts';
import { commitByBytes } from './commit-by-bytes.ts';
import type { ActivityDeps } from '../deps.ts';
import { indexBody } from './index-body.ts';
import { describeBody, openStoredBody, type StoredBody } from './read-body.ts';
import { ruleOf } from './rule-in-force.ts';

/** What a check says of itself, whatever its body comes to. */
export type CheckHead = Omit<CheckFacts, 'bytes' | 'rows'>;

/** @throws CheckError the body is not what the record needs */
export async function compareBody(
  deps: ActivityDeps,
  record: TrackedRecord,
  check: CheckHead,
  body: StoredBody & Validators,
  isSharpDrop: (rows: DropRows) => boolean,
): Promise<DeltaOutcome> {
  const { reader, limits } = await openStoredBody(deps, record, body);
  const commit = (summary: () => ReadSummary) => ({
    check,
    validators: body,
    body: () => describeBody(record, reader, summary(), body),
    isSharpDrop,
    rule: ruleOf(record),
  });
  const fast = await commitByBytes(deps, { record, body, reader, limits, commit });
  if (fast !== undefined) return fast;
  const exact = commit(() => reader.summary());
  const outcome = await commitDelta(deps.db, { ...exact, batches: reader.batches() });
  if (outcome.outcome === 'changed' || outcome.outcome === 'unchanged') {
    const { dialect } = reader;
    await indexBody(deps, record, { ...exact.body(), dialect });
  }
  return outcome;
}
