// Takes the place of `watchRecord` after its commits: schedules the product's own activity for one check after the other.
import { condition, defineSignal, setHandler } from '@temporalio/workflow';
import { startFirstAttempts } from '../../workflows/start-first-attempts.ts';

/** Another check was committed. */
export const committed = defineSignal<[checkId: string]>('committed');
/** There will be no more. */
export const finish = defineSignal('finish');

export async function driveDeliveries(checkIds: string[]): Promise<void> {
  for (const checkId of checkIds) await startFirstAttempts({ checkId, count: 1 });
}

/** A workflow that is there already, as a record's is, and waits for none of its deliveries. */
export async function driveArrivals(): Promise<void> {
  let inFlight = 0;
  let isOver = false;
  setHandler(committed, (checkId) => {
    inFlight += 1;
    void startFirstAttempts({ checkId, count: 1 }).finally(() => {
      inFlight -= 1;
    });
  });
  setHandler(finish, () => {
    isOver = true;
  });
  await condition(() => isOver && inFlight === 0);
}
