// Which bodies a record keeps: the latest accepted one, and one that is held.
import type { TrackedRecord } from '../../db/records.ts';
import type { ActivityDeps } from '../deps.ts';

/** Removes what was either before the check and is neither after it. */
export async function forgetBodies(
  { blobs }: ActivityDeps,
  { id, bodySha256, heldSha256 }: TrackedRecord,
  kept: readonly (string | null)[],
): Promise<void> {
  for (const sha256 of [bodySha256, heldSha256]) {
    if (sha256 !== null && !kept.includes(sha256)) await blobs.remove(id, sha256);
  }
}
