// A password that is chosen here, for the first time or anew.
import { PasswordInput } from '@mantine/core';
import { faultAt } from '../../parts/forms/field-faults.ts';

interface Props {
  label?: string;
  value: string;
  onChange: (value: string) => void;
  /** What the server answered, and where it names this field. */
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
