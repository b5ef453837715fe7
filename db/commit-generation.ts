// Begins a generation: all rows of a body are stored under a new rule, and compared with nothing before. One event says
// so, all or nothing, under the lock of the record's head.
import { type DeltaCommit, type KeptRule, lockHead, type LockedHead } from './commit-delta.ts';
import { loadIncomingRows } from './incoming-rows.ts';
import { type Database, rawRows } from './knex.ts';
import { recordDelta } from './record-delta.ts';

export type GenerationCommit = Pick<DeltaCommit, 'check' | 'validators' | 'batches' | 'body'> & {
  /** `generation` is the one that ends. */
  rule: KeptRule;
  /** The accepted body that is read again; null: the body is a new one. */
  storedSha256: string | null;
};

export type GenerationOutcome =
  /** Nothing was done: an earlier run has committed this check, or its record is deleted. */
  | { outcome: 'already-committed' }
  /** Nothing was done: since the rows were read the generation has ended or is to, or another body was accepted. */
  | { outcome: 'overtaken' }
  | { outcome: 'rekeyed'; totalCount: number; pendingDeliveries: number };

/** Whether another body is to be recorded next, or to begin anew with: reading this one again is no use. */
const isToEnd = ({ isHeldAccepted, startsOverGeneration, generation }: LockedHead): boolean =>
  isHeldAccepted || startsOverGeneration === generation;

/** Idempotent on the check's id. */
export function commitGeneration(db: Database, commit: GenerationCommit): Promise<GenerationOutcome> {
  return db.transaction(async (trx): Promise<GenerationOutcome> => {
    const totalCount = await loadIncomingRows(trx, commit.batches);
    const body = commit.body();
    const head = await lockHead(trx, commit.check);
    if (head === undefined) return { outcome: 'already-committed' };
    const { storedSha256 } = commit;
    const isOther = storedSha256 !== null && (storedSha256 !== head.bodySha256 || isToEnd(head));
    if (isOther || commit.rule.generation !== head.generation) return { outcome: 'overtaken' };
    const next = head.sequence + 1;
    await rawRows(
      trx,
      `insert into row_versions (record_no, generation, row_key, first_seq, row_hash, data)
       select ?, ?, row_key, ?, row_hash, data from incoming order by row_key`,
      [head.recordNo, head.generation + 1, next],
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
    return { outcome: 'rekeyed', totalCount, pendingDeliveries };
  });
}
