// The housekeeping that Temporal Schedules start. Short workflows around one activity each.
import type { SweepResult } from './contract.ts';
import { SWEEP, sweeps } from './proxies.ts';

/** Starts what Postgres says should run and Temporal does not know. */
export function reconcile(): Promise<SweepResult> {
  return sweeps.reconcile.executeWithOptions({ ...SWEEP, summary: 'start what is overdue' }, []);
}

/** Deletes history that is older than its record's tier keeps. */
export function pruneHistory(): Promise<{ deleted: number }> {
  return sweeps.pruneHistory.executeWithOptions({ ...SWEEP, summary: 'delete what retention says' }, []);
}
