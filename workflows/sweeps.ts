// Housekeeping that Temporal Schedules start. Each workflow runs one activity.
import type { SweepResult } from './contract.ts';
import { SWEEP, sweeps } from './proxies.ts';

/** Starts workflows that should run according to PostgreSQL and do not. */
export function reconcile(): Promise<SweepResult> {
  return sweeps.reconcile.executeWithOptions({ ...SWEEP, summary: 'start what is overdue' }, []);
}

/** Deletes history beyond the retention of its record's tier. */
export function pruneHistory(): Promise<{ deleted: number }> {
  return sweeps.pruneHistory.executeWithOptions({ ...SWEEP, summary: 'delete what retention says' }, []);
}
