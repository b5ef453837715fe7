// How many of an event's keys are shown with it.
import { compareSnapshots, type ComparedKeys } from '../../db/rows/compare-snapshots.ts';
import { type DeltaEventRow, MAX_STORED_KEYS } from '../../db/rows/delta-events.ts';
import type { TrackedRecord } from '../../db/records/records.ts';
import { MAX_KEYS } from '../input/fields.ts';
import { type SlowReader, readSlowly } from '../capacity/slow-reads.ts';

/** The event with so many keys of each kind: the first 100 are stored with it, more are read from its rows. */
export async function readEventKeys(
  ctx: SlowReader,
  { recordNo }: Pick<TrackedRecord, 'recordNo'>,
  event: DeltaEventRow,
  keysLimit: number = MAX_STORED_KEYS,
): Promise<DeltaEventRow> {
  const limit = Math.min(keysLimit, MAX_KEYS);
  const { newCount, changedCount, deletedCount, generation, sequence } = event;
  const isStored =
    limit <= MAX_STORED_KEYS || Math.max(newCount, changedCount, deletedCount) <= MAX_STORED_KEYS;
  if (isStored) return { ...event, ...firstKeys(event, limit) };
  const pair = { recordNo, generation, from: sequence - 1, to: sequence };
  const { keys } = await readSlowly(ctx, (db) => compareSnapshots(db, pair, limit));
  return { ...event, ...keys };
}

const firstKeys = ({ newKeys, changedKeys, deletedKeys }: ComparedKeys, limit: number): ComparedKeys => ({
  newKeys: newKeys.slice(0, limit),
  changedKeys: changedKeys.slice(0, limit),
  deletedKeys: deletedKeys.slice(0, limit),
});
