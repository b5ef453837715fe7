// Creates a held check for tests that read it or decide on it.
import { commitProblemCheck } from '../../../db/commit/checks.ts';
import type { Database } from '../../../db/driver/knex.ts';
import { newTestId } from './factories.ts';

/** @returns its id */
export async function makeHeldCheck(db: Database, recordId: string): Promise<string> {
  const id = newTestId('check');
  await commitProblemCheck(
    db,
    'held',
    {
      id,
      recordId,
      trigger: 'schedule',
      startedAt: new Date(),
      httpStatus: 200,
      bytes: 3,
      rows: 0,
      nextCheckInMs: 600_000,
    },
    { code: 'sharp_drop', detail: '0 rows after 2.' },
    {
      sha256: 'ab'.repeat(32),
      facts: {},
      isHeldAgain: false,
      changes: {
        newCount: 0,
        changedCount: 0,
        deletedCount: 2,
        totalCount: 0,
        newKeys: [],
        changedKeys: [],
        deletedKeys: ['a', 'b'],
      },
    },
  );
  return id;
}
