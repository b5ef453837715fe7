// What stands around every page: the name, where else to go, who is signed in.
import { Anchor, AppShell, Button, Container, Group, Text } from '@mantine/core';
import { Link, Outlet, ScrollRestoration } from 'react-router';
import { heldSession } from '../client/credentials.ts';
import { ColorSchemeSwitch } from './color-scheme-switch.tsx';
import classes from './shell.module.css';
import { useSignedIn } from './signed-in.tsx';
import { UserMenu } from './user-menu.tsx';

export function Shell() {
  return (
    <>
      <Anchor href="#main" className={classes['skip']}>
        Skip to the content
      </Anchor>
      <AppShell header={{ height: 56 }} padding="md">
        <AppShell.Header>
          <Container size="xl" h="100%">
            <Group h="100%" justify="space-between" wrap="nowrap">
              <Link to="/" className={classes['name']}>
                <img src="/dashboard/icon.svg" alt="" width={26} height={26} />
                <Text fw={700} component="span">
                  Recordwatch
                </Text>
              </Link>
              <Group gap="xs" wrap="nowrap" component="nav" aria-label="Main">
                <Places />
                <ColorSchemeSwitch />
              </Group>
            </Group>
          </Container>
        </AppShell.Header>
        <AppShell.Main id="main" tabIndex={-1}>
          <Container size="xl" px={0}>
            <Outlet />
          </Container>
        </AppShell.Main>
      </AppShell>
      <ScrollRestoration />
    </>
  );
}

function Places() {
  const { signedIn } = useSignedIn();
  if (signedIn === undefined) return null;
  if (signedIn !== null) {
    return (
      <>
        <Place to="/records">Records</Place>
        <Place to="/developer">Developer</Place>
        <UserMenu user={signedIn.user} />
      </>
    );
  }
  return (
    <>
      {heldSession() !== undefined && <Place to="/session">Your record</Place>}
      <Place to="/sign-in">Sign in</Place>
    </>
  );
}

const Place = ({ to, children }: { to: string; children: string }) => (
  <Button component={Link} to={to} variant="subtle" color="gray" size="compact-md">
    {children}
  </Button>
);
