// How often the origin is checked.
import { NativeSelect } from '@mantine/core';
import { faultAt } from '../../parts/forms/field-faults.ts';
import { formatInterval } from '../../parts/figures/quantities.ts';
import { useSmallestInterval } from '../../parts/forms/smallest-interval.ts';

const MINUTES = [1, 5, 15, 30, 60, 180, 360, 720, 1_440, 10_080];
/** The service's default. */
const USUAL = 60;
/** Every new record has this tier. */
const FIRST_TIER = 'free';

interface Props {
  /** Minutes; empty: the default. */
  value: string;
  onChange: (value: string) => void;
  error: unknown;
}

export function IntervalField({ value, onChange, error }: Props) {
  const smallest = useSmallestInterval(FIRST_TIER);
  return (
    <NativeSelect
      label="Check every"
      description={smallest?.words}
      data={MINUTES.map((minutes) => ({
        value: minutes === USUAL ? '' : String(minutes),
        label: formatInterval(minutes),
        disabled: smallest !== undefined && minutes < smallest.minutes,
      }))}
      value={value}
      error={faultAt(error, '/checkIntervalMinutes')}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
