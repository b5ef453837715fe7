// The address of whoever signs in.
import { TextInput } from '@mantine/core';
import { faultAt } from '../../parts/field-faults.ts';

interface Props {
  value: string;
  onChange: (value: string) => void;
  error: unknown;
}

export const EmailInput = ({ value, onChange, error }: Props) => (
  <TextInput
    label="Email"
    type="email"
    autoComplete="username"
    value={value}
    error={faultAt(error, '/email')}
    required
    withAsterisk={false}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
);
