// How often the origin is asked.
import { NativeSelect } from '@mantine/core';
import { faultAt } from '../../parts/field-faults.ts';
import { formatInterval } from '../../parts/quantities.ts';

const MINUTES = [1, 5, 15, 30, 60, 180, 360, 720, 1_440, 10_080];
/** What the service takes when nothing is said. */
const USUAL = 60;

interface Props {
  /** Minutes; empty: the usual. */
  value: string;
  onChange: (value: string) => void;
  error: unknown;
}

export const IntervalField = ({ value, onChange, error }: Props) => (
  <NativeSelect
    label="Check every"
    description="How short it may be is a matter of the record’s tier"
    data={MINUTES.map((minutes) => ({
      value: minutes === USUAL ? '' : String(minutes),
      label: formatInterval(minutes),
    }))}
    value={value}
    error={faultAt(error, '/checkIntervalMinutes')}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
);
