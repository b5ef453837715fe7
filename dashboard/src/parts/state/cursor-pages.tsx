// Pages of a list. The address has the cursor of the page that is shown.
import { Anchor, Group } from '@mantine/core';
import { Link, useSearchParams } from 'react-router';
import { withChanges } from './use-url-state.ts';

interface Props {
  /** In the plural: `checks`. */
  things: string;
  /** The next page's cursor; null after the last page. */
  next: string | null;
  /** The list is below other content, so a change of page must not scroll to the top. */
  keepsScroll?: boolean;
}

export function CursorPages({ things, next, keepsScroll = false }: Props) {
  const isFirst = !useSearchParams()[0].has('cursor');
  if (isFirst && next === null) return null;
  return (
    <Group component="nav" aria-label={`Pages of ${things}`} justify="space-between">
      {isFirst ? <span /> : <PageLink cursor={null} keepsScroll={keepsScroll}>{`Newest ${things}`}</PageLink>}
      {next !== null && <PageLink cursor={next} keepsScroll={keepsScroll}>{`Older ${things}`}</PageLink>}
    </Group>
  );
}

interface LinkProps {
  cursor: string | null;
  keepsScroll: boolean;
  children: string;
}

function PageLink({ cursor, keepsScroll, children }: LinkProps) {
  const [params] = useSearchParams();
  return (
    <Anchor
      component={Link}
      to={{ search: withChanges(params, { cursor }).toString() }}
      preventScrollReset={keepsScroll}
      size="sm"
    >
      {children}
    </Anchor>
  );
}
