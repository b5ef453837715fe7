// Shows and announces that something is in progress.
import { Group, type GroupProps, Loader, Text } from '@mantine/core';

export const Waiting = ({ children, ...props }: GroupProps & { children: string }) => (
  <Group component="output" gap="sm" wrap="nowrap" {...props}>
    <Loader size="sm" aria-hidden />
    <Text span>{children}</Text>
  </Group>
);
