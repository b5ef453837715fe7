// Deletes previews whose answers nobody has read. The API deletes each itself, unless its process ends first or a worker is late.
import type { Database } from '../driver/knex.ts';

const KEPT_MINUTES = 10;

/** Deletes at most `limit` old previews of each kind. @returns how many were deleted */
export async function deleteOldPreviews(db: Database, limit: number): Promise<number> {
  let deleted = 0;
  for (const table of ['record_previews', 'rule_previews']) {
    const old = db(table)
      .select('id')
      .whereRaw('created_at < now() - make_interval(mins => ?)', [KEPT_MINUTES])
      .limit(limit);
    deleted += await db(table).whereIn('id', old).delete();
  }
  return deleted;
}
