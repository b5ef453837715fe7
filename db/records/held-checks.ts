// Decisions about held checks. A person may decide only about the record's latest held check, and only once.
import type { CheckDecision } from '../../core/checks.ts';
import { type Database, rawRows } from '../driver/knex.ts';

/** What the record says until its next check. The detail of the held check would say what it waits for. */
const REJECTED = 'The held body was rejected. The last snapshot stays.';

/**
 * Stores a decision about a held body. An accepted body is committed by the record's workflow. After a rejected drop, the
 * next drop to about as many rows is not confirmed by a repetition; a key that repeats never is. Neither is news then, so the
 * facts of a rejected body with a repeated key stay until the next good check. Waits for a check that is being committed.
 * @returns false, with no change, when the check is not the held one (any more) or is already decided
 */
export async function decideHeldCheck(
  db: Database,
  { recordId, checkId, decision }: { recordId: string; checkId: string; decision: CheckDecision },
): Promise<boolean> {
  // The next check that removes unused bodies removes the rejected one, because db/ cannot reach the blob store.
  const change =
    decision === 'accepted'
      ? 'is_held_accepted = true'
      : `rejected_rows = coalesce(held_rows, rejected_rows), held_rows = null, held_check_id = null,
           held_body = case when held_body ->> 'isKeyRepeated' = 'true' then held_body end,
           last_error_detail = case when last_outcome = 'held' then :rejected else last_error_detail end`;
  const decided = await rawRows(
    db,
    `with head as (
       update record_heads set ${change}
       where record_id = :recordId and held_check_id = :checkId and not is_held_accepted
         and exists (select from checks where id = :checkId)
       returning record_id
     )
     update checks set decision = :decision, decided_at = clock_timestamp() from head
     where checks.id = :checkId and checks.record_id = head.record_id
     returning checks.id`,
    { recordId, checkId, decision, rejected: REJECTED },
  );
  return decided.length > 0;
}

/** Whether the body of an accepted check has been committed. */
export async function isHeldRecorded(
  db: Database,
  held: { recordId: string; checkId: string },
): Promise<boolean> {
  const recorded = await rawRows(
    db,
    `select from checks held join checks later on later.record_id = held.record_id and later.number > held.number
     where held.id = :checkId and held.record_id = :recordId and held.decision = 'accepted'
       and later.trigger = 'accepted' and later.outcome in ('changed', 'unchanged') limit 1`,
    held,
  );
  return recorded.length > 0;
}

/** Forgets a held body that could not be read, so that it is neither tried again nor confirms another one. */
export async function dropHeldBody(db: Database, recordId: string, checkId: string): Promise<void> {
  await rawRows(
    db,
    `update record_heads set held_rows = null, held_check_id = null, held_body = null, is_held_accepted = false
     where record_id = ? and held_check_id = ?`,
    [recordId, checkId],
  );
}
