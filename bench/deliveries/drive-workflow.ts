// Stands for `watchRecord` after its commits: schedules the product's own activity for one check after the other.
import { startFirstAttempts } from '../../workflows/start-first-attempts.ts';

export async function driveDeliveries(checkIds: string[]): Promise<void> {
  for (const checkId of checkIds) await startFirstAttempts({ checkId, count: 1 });
}
