// Who is signed in, and signing out.
import { shownName } from '../client/shown-name.ts';
import { Button, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconChevronDown, IconHistory, IconLogout, IconSearch, IconUser } from '@tabler/icons-react';
import { askForPalette } from './palette-on-demand.tsx';
import { postAuth, type SignedIn } from '../client/auth.ts';
import { MenuButton, type MenuEntry } from '../on-demand/menu-button.tsx';

type Props = Pick<SignedIn, 'user'>;

export const UserMenu = ({ user }: Props) => (
  <MenuButton
    widthPx={220}
    entries={userEntries(user)}
    button={
      <Button
        variant="subtle"
        color="gray"
        size="compact-md"
        px="sm"
        fw={500}
        fz="sm"
        rightSection={<IconChevronDown size={14} aria-hidden />}
      >
        <Text span inherit truncate maw={160}>
          {shownName(user.name)}
        </Text>
      </Button>
    }
  />
);

export const userEntries = (user: Props['user']): MenuEntry[] => [
  { heading: user.email },
  {
    title: 'Search and commands',
    icon: <IconSearch size={16} aria-hidden />,
    aside: (
      <Text span size="xs" c="dimmed">
        Ctrl K
      </Text>
    ),
    onClick: askForPalette,
  },
  { title: 'Account settings', icon: <IconUser size={16} aria-hidden />, to: '/account' },
  { title: 'Audit log', icon: <IconHistory size={16} aria-hidden />, to: '/audit-log' },
  { title: 'Sign out', icon: <IconLogout size={16} aria-hidden />, onClick: () => void signOut() },
];

async function signOut(): Promise<void> {
  try {
    await postAuth('sign-out');
  } catch (error) {
    notifications.show({ color: 'red', title: 'Could not sign out', message: String(error) });
    return;
  }
  // Reloads the page, so that nothing of the account stays in memory.
  location.assign('/dashboard/');
}
