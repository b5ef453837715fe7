// A page's heading, the title of the browser's tab, and the page's actions.
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
