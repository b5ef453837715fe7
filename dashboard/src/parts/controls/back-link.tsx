// A link from an object to its list.
import { Anchor, Group } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { Link } from 'react-router';

export const BackLink = ({ to, children }: { to: string; children: string }) => (
  <Anchor component={Link} to={to} size="sm" w="fit-content">
    <Group gap={6} component="span">
      <IconArrowLeft size={14} aria-hidden /> {children}
    </Group>
  </Anchor>
);
