// Removes unused bodies: those stored by an activity whose worker died, and those that a worker did not remove before it
// died.
import { Context } from '@temporalio/activity';
import {
  listOrphans,
  noteSwept,
  readSweep,
  removeOrphan,
  strikeNamedBodies,
} from '../../db/upkeep/loose-bodies.ts';
import type { ActivityDeps } from '../deps.ts';

/** Longer than a fetch and a comparison take with all retries (workflows/proxies.ts: six of 75 minutes). */
const ABANDONED_AFTER_MS = 12 * 60 * 60_000;
const BODIES_PER_STEP = 500;
/** Pages of the store listed in one run. The whole store is listed once, over several runs. */
const STEPS_OF_SWEEP = 20;

/** Records bodies stored before loose bodies were recorded. They become orphans if they stay unused as long as others. */
export async function sweepStore(
  { db, blobs }: ActivityDeps,
  { steps = STEPS_OF_SWEEP, limit = BODIES_PER_STEP } = {},
): Promise<void> {
  for (let step = 0; step < steps; step += 1) {
    const after = await readSweep(db);
    if (after === null) return;
    const { keys, next } = await blobs.list(after, limit);
    const bodies = keys.map((key) => {
      const [recordId = '', name = ''] = key.split('/');
      return { recordId, sha256: name.slice(0, SHA256_LENGTH) };
    });
    await noteSwept(db, bodies, next);
    Context.current().heartbeat();
  }
}

const SHA256_LENGTH = 64;

/**
 * Costs as much as there are loose bodies, not stored ones.
 * @returns how many bodies were removed
 */
export async function removeOrphans(deps: ActivityDeps): Promise<number> {
  const { db, blobs, log } = deps;
  await sweepStore(deps);
  while ((await strikeNamedBodies(db, ABANDONED_AFTER_MS, BODIES_PER_STEP)) > 0)
    Context.current().heartbeat();
  let removed = 0;
  let after = { recordId: '', sha256: '', looseSince: '-infinity' };
  for (;;) {
    const orphans = await listOrphans(db, ABANDONED_AFTER_MS, after, BODIES_PER_STEP);
    for (const orphan of orphans) {
      const { recordId, sha256 } = orphan;
      const remove = (): Promise<void> => blobs.remove(recordId, sha256);
      if (await removeOrphan(db, ABANDONED_AFTER_MS, orphan, remove)) removed += 1;
      Context.current().heartbeat();
    }
    const last = orphans.at(-1);
    if (last === undefined) break;
    after = last;
  }
  await blobs.abandonUploads(new Date(Date.now() - ABANDONED_AFTER_MS));
  if (removed > 0) log.info({ removed }, 'bodies that nobody needed were removed');
  return removed;
}
