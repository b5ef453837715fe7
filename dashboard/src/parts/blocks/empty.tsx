// Shown if there is nothing yet: what will be here, and how it gets here.
import { Paper, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

export const Empty = ({ title, children }: { title: string; children?: ReactNode }) => (
  <Paper withBorder p="xl">
    <Stack align="center" gap="xs" ta="center">
      <Text fw={600}>{title}</Text>
      {children !== undefined && (
        <Text size="sm" c="dimmed" maw={520} component="div">
          {children}
        </Text>
      )}
    </Stack>
  </Paper>
);
