// Whether edited rows without a key are shown as changed.
import { Checkbox } from '@mantine/core';
import { faultAt } from './field-faults.ts';

interface Props {
  checked: boolean;
  onChange: (checked: boolean) => void;
  error: unknown;
}

export const PairingField = ({ checked, onChange, error }: Props) => (
  <Checkbox
    label="Show edited rows without a key as changed"
    description="If the table has no key, one deleted and one new row become one changed row when at least half of their filled cells are equal"
    checked={checked}
    error={faultAt(error, '/pairing')}
    onChange={({ currentTarget }) => onChange(currentTarget.checked)}
  />
);
