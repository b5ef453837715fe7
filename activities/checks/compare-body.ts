// Compares a stored body with the latest snapshot and commits what it comes to: by the bytes of its rows where that can
// be sure, else row by row.
import type { ReadSummary } from '../../core/delta/read-rows.ts';
import type { CheckFacts, DropRows, ReadBody, Validators } from '../../db/commit/commit-facts.ts';
import { commitDelta, type DeltaOutcome } from '../../db/commit/commit-delta.ts';
import type { TrackedRecord } from '../../db/records/records.ts';
import { commitByBytes } from './commit-by-bytes.ts';
import type { ActivityDeps } from '../deps.ts';
import { indexBody } from './index-body.ts';
import { describeBody, openStoredBody, type StoredBody } from './read-body.ts';
import { ruleOf } from './rule-in-force.ts';

/** What a check says of itself, whatever its body comes to. */
export type CheckHead = Omit<CheckFacts, 'bytes' | 'rows'>;

/** The key that was chosen from the data names two rows of a later body. */
export class KeyRepeated extends Error {
  readonly body: ReadBody;

  constructor(body: ReadBody) {
    super('The key repeats');
    this.body = body;
  }
}

/** Only of a key that nobody gave: of rows that share one, all but the last would be lost. */
function requireKey({ snapshotId }: TrackedRecord, body: ReadBody): void {
  const isRepeated = body.warnings.some(({ code }) => code === 'duplicate_key');
  if (snapshotId !== null && body.key.source === 'detected' && isRepeated) throw new KeyRepeated(body);
}

/** @throws CheckError the body is not what the record needs @throws KeyRepeated */
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
    body: () => {
      const read = describeBody(record, reader, summary(), body);
      if (check.trigger !== 'accepted') requireKey(record, read);
      return read;
    },
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
