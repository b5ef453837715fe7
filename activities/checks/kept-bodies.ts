// Which bodies of a record the blob store keeps: the accepted one and a held one.
import { findRecord, type TrackedRecord } from '../../db/records/records.ts';
import { forgetLooseBody, type LooseBody } from '../../db/upkeep/loose-bodies.ts';
import type { ActivityDeps } from '../deps.ts';

/** Removes the bodies that were accepted or held before the check, except for the given ones. */
export async function forgetBodies(
  deps: ActivityDeps,
  { id, bodySha256, heldSha256 }: TrackedRecord,
  kept: readonly (string | null)[],
): Promise<void> {
  for (const sha256 of [bodySha256, heldSha256]) {
    if (sha256 !== null && !kept.includes(sha256)) await removeBody(deps, { recordId: id, sha256 });
  }
}

/** Removes the body that was held before the check, and the one that was fetched for it, unless the record has them now. */
export async function forgetHeldBodies(
  deps: ActivityDeps,
  record: TrackedRecord,
  fetchedSha256: string,
): Promise<void> {
  const now = await findRecord(deps.db, record.id);
  const kept = [record.bodySha256, now?.bodySha256 ?? null, now?.heldSha256 ?? null];
  await forgetBodies(deps, { ...record, bodySha256: fetchedSha256 }, kept);
}

export async function removeBody({ blobs, db }: ActivityDeps, body: LooseBody): Promise<void> {
  await blobs.remove(body.recordId, body.sha256);
  await forgetLooseBody(db, body);
}
