// A field for the user's own signing secret, hidden until it is wanted.
import { Button, PasswordInput } from '@mantine/core';
import { useState } from 'react';

interface Props {
  value: string;
  onChange: (secret: string) => void;
  error: string | undefined;
}

export function OwnSecretField({ value, onChange, error }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  if (!isOpen) {
    return (
      <Button
        variant="subtle"
        size="compact-sm"
        onClick={() => setIsOpen(true)}
        style={{ alignSelf: 'start' }}
      >
        Use my own signing secret
      </Button>
    );
  }
  return (
    <PasswordInput
      label="Signing secret"
      description="whsec_ and base64 of 24 to 64 bytes, or any text of up to 512 bytes. Empty: one is created for you."
      autoComplete="off"
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      error={error}
      visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the secret' }}
    />
  );
}
