// The way through a list that comes in pages: the address holds which one is shown.
import { Anchor, Group } from '@mantine/core';
import { Link, useSearchParams } from 'react-router';
import { withChanges } from './use-url-state.ts';

interface Props {
  /** In the plural: `checks`. */
  things: string;
  /** Where the next page begins; null after the last one. */
  next: string | null;
  /** The list stands below something else: its pages change where they are. */
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
