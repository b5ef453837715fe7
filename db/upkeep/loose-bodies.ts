// Bodies in the blob store that no record head names, either not yet or no longer. A trigger adds those that a head stops
// naming (db/schema.txt). A body that stays here longer than any check takes was left behind by a crash.
import type { OriginAnswer } from '../../core/checks.ts';
import { type Database, type Knex, rawRows } from '../driver/knex.ts';

export interface LooseBody {
  recordId: string;
  sha256: string;
}

/**
 * Call it before storing a body. Waits while the same body is being removed.
 * @param answer what the origin said with it, for the case that its check fails
 */
export async function noteBody(db: Database, body: LooseBody, answer: OriginAnswer): Promise<void> {
  await rawRows(
    db,
    `insert into loose_bodies (record_id, sha256, answer) values (:recordId, :sha256, :answer::json)
     on conflict (record_id, sha256) do update set loose_since = clock_timestamp(), answer = excluded.answer`,
    { ...body, answer: JSON.stringify(answer) },
  );
}

/** What the origin said with a stored body; null when it is not known. */
export async function findAnswer(
  db: Database,
  { recordId, sha256 }: LooseBody,
): Promise<OriginAnswer | null> {
  const [body] = await rawRows<{ answer: OriginAnswer | null }>(
    db,
    'select answer from loose_bodies where record_id = :recordId and sha256 = :sha256',
    { recordId, sha256 },
  );
  return body?.answer ?? null;
}

/** Call it after removing a body. */
export async function forgetLooseBody(db: Database, body: LooseBody): Promise<void> {
  await rawRows(db, 'delete from loose_bodies where record_id = :recordId and sha256 = :sha256', { ...body });
}

const IS_OLD = `loose.loose_since < now() - :olderThanMs::double precision * interval '1 millisecond'`;

/** Removes at most `limit` bodies from the list that a head names now. @returns how many */
export async function strikeNamedBodies(db: Database, olderThanMs: number, limit: number): Promise<number> {
  const struck = await rawRows(
    db,
    `delete from loose_bodies where (record_id, sha256) in (
       select loose.record_id, loose.sha256 from loose_bodies loose
       join record_heads head on head.record_id = loose.record_id
         and loose.sha256 in (head.body_sha256, head.held_sha256)
       where ${IS_OLD} order by loose.loose_since limit :limit)
     and loose_since < now() - :olderThanMs::double precision * interval '1 millisecond'
     returning 1`,
    { olderThanMs, limit },
  );
  return struck.length;
}

/** The body's own check is over if a check of the record ended after the body was stored: a workflow runs one check at a time. */
const IS_ORPHAN = `${IS_OLD} and not exists (
  select from record_heads head where head.record_id = loose.record_id
    and (loose.sha256 in (head.body_sha256, head.held_sha256)
      or coalesce(head.last_checked_at < loose.loose_since, true)))`;

/** Oldest first, after the given one. */
export function listOrphans(
  db: Database,
  olderThanMs: number,
  after: LooseBody & { looseSince: string },
  limit: number,
): Promise<(LooseBody & { looseSince: string })[]> {
  return rawRows(
    db,
    `select record_id as "recordId", sha256, loose_since::text as "looseSince" from loose_bodies loose
     where (loose_since, record_id, sha256) > (:looseSince::timestamptz, :recordId, :sha256) and ${IS_ORPHAN}
     order by loose_since, record_id, sha256 limit :limit`,
    { ...after, olderThanMs, limit },
  );
}

/**
 * Removes a body if it is still an orphan. A check that stores it again waits until it is removed (noteBody).
 * @param remove removes it from the store; when it fails, the body stays an orphan
 */
export async function removeOrphan(
  db: Database,
  olderThanMs: number,
  { recordId, sha256 }: LooseBody,
  remove: () => Promise<void>,
): Promise<boolean> {
  return db.transaction(async (trx: Knex.Transaction) => {
    const struck = await rawRows(
      trx,
      `delete from loose_bodies loose where record_id = :recordId and sha256 = :sha256 and ${IS_ORPHAN} returning 1`,
      { recordId, sha256, olderThanMs },
    );
    if (struck.length === 0) return false;
    await remove();
    return true;
  });
}

/** @returns the key of the store after which bodies are still to be looked at; null when all have been */
export async function readSweep(db: Database): Promise<string | null> {
  const [sweep] = await rawRows<{ afterKey: string | null }>(
    db,
    'select after_key as "afterKey" from body_sweep',
  );
  return sweep?.afterKey ?? null;
}

/** Notes those of the bodies that no head names, and how far the store has been looked at. */
export async function noteSwept(
  db: Database,
  bodies: readonly LooseBody[],
  afterKey: string | null,
): Promise<void> {
  await rawRows(
    db,
    `with swept as (update body_sweep set after_key = :afterKey)
     insert into loose_bodies (record_id, sha256)
     select distinct found.record_id, found.sha256
     from unnest(:recordIds::text[], :hashes::text[]) as found (record_id, sha256)
     where not exists (select from record_heads head where head.record_id = found.record_id
       and found.sha256 in (head.body_sha256, head.held_sha256))
     on conflict (record_id, sha256) do nothing`,
    {
      afterKey,
      recordIds: bodies.map(({ recordId }) => recordId),
      hashes: bodies.map(({ sha256 }) => sha256),
    },
  );
}
