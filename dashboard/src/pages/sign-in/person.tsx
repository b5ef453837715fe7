// An email address within a sentence.
import { Text } from '@mantine/core';

export const Person = ({ email }: { email: string }) => (
  <Text span fw={600} c="var(--mantine-color-text)" style={{ overflowWrap: 'anywhere' }}>
    {email}
  </Text>
);
