// Erases a deleted record: its rows in bounded steps, its bodies, at last the record itself.
import { Context } from '@temporalio/activity';
import { eraseSomeOfRecord } from '../../db/upkeep/retention.ts';
import { type CheckDeps, comparingInTurn } from '../checks/check-deps.ts';
import type { ActivityDeps } from '../deps.ts';

const LINES_PER_STEP = 10_000;

/** Goes on where an earlier run stopped. Does nothing to a record that is not deleted. */
export const eraseRecord = (deps: CheckDeps, recordId: string): Promise<void> =>
  comparingInTurn(deps, recordId, () => erase(deps, recordId));

async function erase({ db, blobs }: ActivityDeps, recordId: string): Promise<void> {
  await blobs.removeAll(recordId);
  for (let step = 1; !(await eraseSomeOfRecord(db, recordId, LINES_PER_STEP)); step += 1) {
    Context.current().heartbeat(step);
  }
}
