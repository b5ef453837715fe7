// A field for an existing password.
import { PasswordInput } from '@mantine/core';

interface Props {
  label?: string;
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
}

export const KnownPasswordInput = ({ label = 'Password', value, onChange, error }: Props) => (
  <PasswordInput
    label={label}
    autoComplete="current-password"
    value={value}
    error={error}
    required
    withAsterisk={false}
    visibilityToggleFocusable
    visibilityToggleButtonProps={{ 'aria-label': `Show the ${label.toLowerCase()}` }}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
);
