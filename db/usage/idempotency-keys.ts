// Idempotency keys: which call is answering a request, and the stored answer for its repeats. Times are the database's.
import { type Database, rawRows } from '../driver/knex.ts';

export interface KeyClaim {
  credentialId: string;
  key: string;
  requestHash: Buffer;
  /** Identifies this attempt to answer the request. */
  claimId: string;
}

export interface KnownRequest {
  requestHash: Buffer;
  /** Null while the request runs. */
  status: number | null;
  answer: string | null;
}

export const KEPT_HOURS = 24;

/**
 * Claims a key that is free: never used, expired, or left behind by a process that died.
 * @param deadAfterSeconds the age at which an unanswered claim counts as abandoned
 * @returns null when this call has claimed the key; otherwise the request that holds it
 */
export async function claimKey(
  db: Database,
  claim: KeyClaim,
  deadAfterSeconds: number,
): Promise<KnownRequest | null> {
  for (;;) {
    const taken = await rawRows(db, CLAIM, { ...claim, deadAfterSeconds });
    if (taken.length > 0) return null;
    const [known] = await rawRows<KnownRequest>(
      db,
      `select request_hash as "requestHash", status, answer from idempotency_keys
       where credential_id = :credentialId and key = :key`,
      { ...claim },
    );
    // The key was released between the two statements, so it is free.
    if (known !== undefined) return known;
  }
}

const CLAIM = `
  insert into idempotency_keys as known (credential_id, key, request_hash, claim_id)
  values (:credentialId, :key, :requestHash, :claimId)
  on conflict (credential_id, key) do update
    set request_hash = excluded.request_hash, claim_id = excluded.claim_id,
      status = null, answer = null, created_at = now()
    where known.created_at < now() - interval '${KEPT_HOURS} hours'
      or (known.status is null and known.created_at < now() - :deadAfterSeconds * interval '1 second')
  returning 1`;

/** Stores the answer, unless another call has taken over the claim. */
export async function keepAnswer(
  db: Database,
  claim: KeyClaim,
  status: number,
  answer: string | null,
): Promise<void> {
  await rawRows(
    db,
    `update idempotency_keys set status = :status, answer = :answer
     where credential_id = :credentialId and key = :key and claim_id = :claimId`,
    { ...claim, status, answer },
  );
}

/** Releases a key whose request had no effect. */
export async function giveUpKey(db: Database, claim: KeyClaim): Promise<void> {
  await rawRows(
    db,
    'delete from idempotency_keys where credential_id = :credentialId and key = :key and claim_id = :claimId',
    { ...claim },
  );
}

/** Deletes at most `limit` expired keys. @returns how many were deleted */
export async function deleteOldKeys(db: Database, limit: number): Promise<number> {
  const old = db('idempotency_keys')
    .select('ctid')
    .whereRaw(`created_at < now() - interval '${KEPT_HOURS} hours'`)
    .limit(limit);
  return db('idempotency_keys').whereRaw('ctid = any(array(?))', [old]).delete();
}
