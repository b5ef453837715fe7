// A page's heading, what the browser's tab says, and the page's own actions beside it.
import { Group, Title } from '@mantine/core';
import type { ReactNode } from 'react';

export function PageTitle({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <Group justify="space-between" align="center" mb="md">
      <title>{`${title} · Recordwatch`}</title>
      <Title order={1}>{title}</Title>
      <Group gap="xs">{children}</Group>
    </Group>
  );
}
