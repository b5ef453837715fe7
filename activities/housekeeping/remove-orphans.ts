// Removes bodies that nobody needs: stored by an activity whose worker died, or left when it died before removing them.
import { Context } from '@temporalio/activity';
import {
  listOrphans,
  noteSwept,
  readSweep,
  removeOrphan,
  strikeNamedBodies,
} from '../../db/upkeep/loose-bodies.ts';
import type { ActivityDeps } from '../deps.ts';

/** Longer than a fetch and a comparison take with all of their tries (workflows/proxies.ts: six of 75 minutes). */
const ABANDONED_AFTER_MS = 12 * 60 * 60_000;
const BODIES_PER_STEP = 500;
/** Of the store, in one run: what it holds is listed once, bit by bit. */
const STEPS_OF_SWEEP = 20;

/** Notes bodies from before they were noted as they came; they are orphans if nobody needs them for as long as others. */
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

/** @returns how many bodies were removed. Costs what is loose, not what is stored */
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
