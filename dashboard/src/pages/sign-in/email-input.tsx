// An email address, by default that of the user who signs in.
import { TextInput } from '@mantine/core';
import { faultAt } from '../../parts/forms/field-faults.ts';

interface Props {
  label?: string;
  autoComplete?: string;
  value: string;
  onChange: (value: string) => void;
  /** The server's answer, and the name of this field in it. */
  error: unknown;
  pointer?: string;
}

export const EmailInput = ({
  label = 'Email',
  autoComplete = 'username',
  value,
  onChange,
  error,
  pointer = '/email',
}: Props) => (
  <TextInput
    label={label}
    type="email"
    autoComplete={autoComplete}
    value={value}
    error={faultAt(error, pointer)}
    required
    withAsterisk={false}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
);
