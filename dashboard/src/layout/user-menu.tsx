// Who is signed in, and the way out.
import { Button, Menu } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { Link, useNavigate } from 'react-router';
import { postAuth, type SignedIn } from '../client/auth.ts';
import { useSignedIn } from './signed-in.tsx';

export function UserMenu({ user }: Pick<SignedIn, 'user'>) {
  const { ask } = useSignedIn();
  const navigate = useNavigate();
  const signOut = async (): Promise<void> => {
    await postAuth('sign-out');
    await navigate('/');
    await ask();
  };
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          size="compact-md"
          rightSection={<IconChevronDown size={14} aria-hidden />}
        >
          {user.name}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{user.email}</Menu.Label>
        <Menu.Item component={Link} to="/account">
          Password and sessions
        </Menu.Item>
        <Menu.Item onClick={() => void signOut()}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
