// A field for a new password.
import { PasswordInput } from '@mantine/core';
import { faultAt } from '../../parts/forms/field-faults.ts';

interface Props {
  label?: string;
  value: string;
  onChange: (value: string) => void;
  /** The server's answer, and the name of this field in it. */
  error: unknown;
  pointer: string;
}

export const NewPasswordInput = ({ label = 'Password', value, onChange, error, pointer }: Props) => (
  <PasswordInput
    label={label}
    description="At least 12 characters. Several words make a good password"
    value={value}
    error={faultAt(error, pointer)}
    required
    withAsterisk={false}
    maxLength={128}
    autoComplete="new-password"
    visibilityToggleFocusable
    visibilityToggleButtonProps={{ 'aria-label': `Show the ${label.toLowerCase()}` }}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
);
