// Starts a generation: stores all rows of a body under a new rule, without comparing them with earlier rows, and writes one
// event that says so. One transaction, under a lock on the record's head.
import type { DeltaCommit, LockedHead } from './commit-facts.ts';
import { analyzeRows } from './first-rows.ts';
import { loadIncomingRows } from './compare-rows.ts';
import { type Database, type Knex, rawRows } from '../driver/knex.ts';
import { keepStartOver } from './start-over.ts';
import { lockHead, writeCheck } from './write-check.ts';

/** The rule's `generation` is the one that ends. */
export type GenerationCommit = Pick<DeltaCommit, 'check' | 'validators' | 'batches' | 'body' | 'rule'> & {
  /** The accepted body, when it is read again; null for a new body. */
  storedSha256: string | null;
  /** The held check that this body belongs to, which a person accepted. */
  heldCheckId?: string;
};

export type GenerationOutcome =
  /** Nothing was written: an earlier run committed this check, or the record is deleted. */
  | { outcome: 'already-committed' }
  /** Nothing was written: after the rows were read, the generation ended, the request changed, or another body was accepted. */
  | { outcome: 'overtaken' }
  | { outcome: 'rekeyed'; sequence: number; totalCount: number; pendingDeliveries: number };

/**
 * Whether the body should still start a generation. A new body: while the user's request to start over is open. The
 * accepted body: unless a held body or a request to start over comes first.
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
  if (outcome.outcome === 'rekeyed') await analyzeRows(db, outcome.totalCount);
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
  const { pendingDeliveries } = await writeCheck(trx, {
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
  return { outcome: 'rekeyed', sequence: next, totalCount, pendingDeliveries };
}
