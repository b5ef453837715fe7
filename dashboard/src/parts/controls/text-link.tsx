// A link within a sentence, to a page of the dashboard.
import { Anchor } from '@mantine/core';
import { Link } from 'react-router';

export const TextLink = ({ to, children }: { to: string; children: string }) => (
  <Anchor component={Link} to={to} underline="always" inherit>
    {children}
  </Anchor>
);
