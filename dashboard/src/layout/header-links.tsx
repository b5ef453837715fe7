// The links of the header: side by side, or behind a button on a narrow screen.
import { ActionIcon, Button } from '@mantine/core';
import { IconMenu2 } from '@tabler/icons-react';
import { Link, useLocation } from 'react-router';
import { heldSession } from '../client/credentials.ts';
import { MenuButton } from '../on-demand/menu-button.tsx';
import { useSignedIn } from './signed-in.tsx';
import { userEntries, UserMenu } from './user-menu.tsx';

interface HeaderLink {
  to: string;
  title: string;
  isMain?: boolean;
}

/** Empty until it is known who is signed in. */
function useHeaderLinks(): HeaderLink[] {
  const { signedIn } = useSignedIn();
  // A session starts and ends with a change of page, so this is read again in time.
  useLocation();
  if (signedIn === undefined) return [];
  const held = heldSession() === undefined ? [] : [{ to: '/session', title: 'Your record' }];
  if (signedIn === null) {
    return [
      ...held,
      { to: '/sign-in', title: 'Sign in' },
      { to: '/sign-up', title: 'Sign up', isMain: true },
    ];
  }
  return [
    ...held,
    { to: '/records', title: 'Records' },
    { to: '/webhooks', title: 'Webhooks' },
    { to: '/developer', title: 'Developer' },
  ];
}

export function HeaderLinks() {
  const links = useHeaderLinks();
  const { signedIn } = useSignedIn();
  const { pathname } = useLocation();
  return (
    <>
      {links.map(({ to, title, isMain = false }) => (
        <Button
          key={to}
          component={Link}
          to={to}
          variant={isMain ? 'filled' : isWithin(pathname, to) ? 'light' : 'subtle'}
          color={isMain || isWithin(pathname, to) ? 'cyan' : 'gray'}
          size="compact-md"
          px="sm"
          fw={500}
          fz="sm"
          {...(isWithin(pathname, to) && { 'aria-current': 'page' as const })}
        >
          {title}
        </Button>
      ))}
      {signedIn && <UserMenu user={signedIn.user} />}
    </>
  );
}

export function HeaderMenu() {
  const links = useHeaderLinks();
  const { signedIn } = useSignedIn();
  return (
    <MenuButton
      widthPx={220}
      entries={[...links, ...(signedIn ? ['divider' as const, ...userEntries(signedIn.user)] : [])]}
      button={
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Menu" hiddenFrom="sm">
          <IconMenu2 size={20} aria-hidden />
        </ActionIcon>
      }
    />
  );
}

const isWithin = (pathname: string, path: string): boolean =>
  pathname === path || pathname.startsWith(`${path}/`);
