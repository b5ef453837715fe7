// Begins a generation: all rows of a body are stored under a new rule, and compared with nothing before. One event says
// so, all or nothing, under the lock of the record's head.
import { lockHead } from './commit-delta.ts';
import type { DeltaCommit, KeptRule, LockedHead } from './commit-facts.ts';
import { tellPlanner } from './first-rows.ts';
import { loadIncomingRows } from './incoming-rows.ts';
import { type Database, type Knex, rawRows } from '../driver/knex.ts';
import { recordDelta } from './record-delta.ts';
import { keepStartOver } from './start-over.ts';

export type GenerationCommit = Pick<DeltaCommit, 'check' | 'validators' | 'batches' | 'body'> & {
  /** `generation` is the one that ends. */
  rule: KeptRule;
  /** The accepted body that is read again; null: the body is a new one. */
  storedSha256: string | null;
  /** The held check whose body this is, accepted by a person. */
  heldCheckId?: string;
};

export type GenerationOutcome =
  /** Nothing was done: an earlier run has committed this check, or its record is deleted. */
  | { outcome: 'already-committed' }
  /** Nothing was done: since the rows were read the generation has ended or is to, or need not any more, or another body was accepted. */
  | { outcome: 'overtaken' }
  | { outcome: 'rekeyed'; totalCount: number; pendingDeliveries: number };

/**
 * Whether a body is still to begin a generation: a new one while that is asked for; the accepted one unless another body is
 * to be recorded next, or to begin anew with.
 */
function isWanted({ storedSha256, heldCheckId }: GenerationCommit, head: LockedHead): boolean {
  if (heldCheckId !== undefined) return head.isHeldAccepted && head.heldCheckId === heldCheckId;
  const startsOver = head.startsOverGeneration === head.generation;
  if (storedSha256 === null) return startsOver;
  return storedSha256 === head.bodySha256 && !head.isHeldAccepted && !startsOver;
}

/** Idempotent on the check's id. */
export async function commitGeneration(db: Database, commit: GenerationCommit): Promise<GenerationOutcome> {
  const outcome = await db.transaction((trx) => storeGeneration(trx, commit));
  if (outcome.outcome === 'rekeyed') await tellPlanner(db, outcome.totalCount);
  return outcome;
}

async function storeGeneration(trx: Knex.Transaction, commit: GenerationCommit): Promise<GenerationOutcome> {
  const totalCount = await loadIncomingRows(trx, commit.batches);
  const body = commit.body();
  const head = await lockHead(trx, commit.check);
  if (head === undefined) return { outcome: 'already-committed' };
  if (!isWanted(commit, head) || commit.rule.generation !== head.generation) return { outcome: 'overtaken' };
  const next = head.sequence + 1;
  const generation = head.generation + 1;
  await rawRows(
    trx,
    `insert into row_versions (record_no, generation, row_key, first_seq, row_hash, data)
     select ?, ?, row_key, ?, row_hash, data from incoming order by row_key`,
    [head.recordNo, generation, next],
  );
  const { pendingDeliveries } = await recordDelta(trx, {
    commit: { ...commit, isSharpDrop: () => false },
    body,
    head,
    counts: { new: 0, changed: 0, deleted: 0 },
    next,
    totalCount,
    opensGeneration: true,
  });
  await keepStartOver(trx, {
    commit,
    body,
    head,
    generation,
    isNewBody: commit.storedSha256 === null && commit.heldCheckId === undefined,
  });
  return { outcome: 'rekeyed', totalCount, pendingDeliveries };
}
