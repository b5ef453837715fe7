// Creates many paused records at once, for tests that only read them.
import type { Database } from '../../../db/driver/knex.ts';
import { newTestId } from './factories.ts';

/** The records are never checked. */
export async function addPausedRecords(db: Database, accountId: string, count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, at) => ({
    id: newTestId('record'),
    accountId,
    slug: `record-${at + 1}`,
    name: `Record ${String(at + 1).padStart(3, '0')}`,
    url: `https://example.com/${at}.csv`,
    tier: 'watch',
    status: 'paused',
    checkIntervalSeconds: 3_600,
  }));
  await db.transaction(async (trx) => {
    await trx('records').insert(rows);
    await trx('record_heads').insert(rows.map((row) => ({ recordId: row.id })));
  });
}
