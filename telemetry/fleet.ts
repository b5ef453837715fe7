// Metrics of all records and deliveries together. One process reads it from the database, and shows the last reading.
import type { FleetState } from '../db/upkeep/fleet-state.ts';
import { observe } from './instruments.ts';

const STATES = ['active', 'failing', 'held', 'paused'] as const;

/**
 * The SDK keeps exporting the last value of a gauge that is not observed any more. So a process without a fresh reading
 * shows NaN, which Prometheus leaves out of `max` and of comparisons.
 * @param read the last reading; undefined in processes that do not read
 */
export function observeFleet(read: () => FleetState | undefined): void {
  const one = (of: (state: FleetState) => number) => () => {
    const state = read();
    return [{ value: state === undefined ? Number.NaN : of(state) }];
  };
  observe('recordwatch.records', { unit: '{record}', description: 'Records by state.' }, () =>
    STATES.map((state) => ({ value: read()?.records[state] ?? Number.NaN, attributes: { state } })),
  );
  observe(
    'recordwatch.records.most_overdue',
    { unit: 's', description: 'How late the most overdue check is.' },
    one(({ mostOverdueSeconds }) => mostOverdueSeconds),
  );
  observe(
    'recordwatch.records.longest_held',
    { unit: 's', description: 'How long the record that is held for longest has waited for a decision.' },
    one(({ longestHeldSeconds }) => longestHeldSeconds),
  );
  observe(
    'recordwatch.deliveries.pending',
    { unit: '{delivery}', description: 'Deliveries that are not made yet.' },
    one(({ deliveries }) => deliveries.pending),
  );
  observe(
    'recordwatch.deliveries.oldest',
    { unit: 's', description: 'Age of the oldest delivery that is not made yet.' },
    one(({ deliveries }) => deliveries.oldestSeconds),
  );
  observe(
    'recordwatch.deliveries.most_overdue',
    { unit: 's', description: 'How late the most overdue delivery attempt is.' },
    one(({ deliveries }) => deliveries.mostOverdueSeconds),
  );
}
