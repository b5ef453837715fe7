// Who is signed in, and signing out.
import { Button, Menu, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconChevronDown, IconHistory, IconLogout, IconSearch, IconUser } from '@tabler/icons-react';
import { Link } from 'react-router';
import { askForPalette } from './palette-on-demand.tsx';
import { postAuth, type SignedIn } from '../client/auth.ts';

type Props = Pick<SignedIn, 'user'>;

export function UserMenu({ user }: Props) {
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
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
            {user.name}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <UserItems user={user} />
      </Menu.Dropdown>
    </Menu>
  );
}

export const UserItems = ({ user }: Props) => (
  <>
    <Menu.Label style={{ overflowWrap: 'anywhere' }}>{user.email}</Menu.Label>
    <Menu.Item
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={
        <Text span size="xs" c="dimmed">
          Ctrl K
        </Text>
      }
      onClick={askForPalette}
    >
      Search and commands
    </Menu.Item>
    <Menu.Item component={Link} to="/account" leftSection={<IconUser size={16} aria-hidden />}>
      Account settings
    </Menu.Item>
    <Menu.Item component={Link} to="/audit-log" leftSection={<IconHistory size={16} aria-hidden />}>
      Audit log
    </Menu.Item>
    <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void signOut()}>
      Sign out
    </Menu.Item>
  </>
);

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
