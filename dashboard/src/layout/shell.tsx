// The frame of every page: the name, the links, who is signed in.
import { Anchor, Container, Group } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Outlet, ScrollRestoration } from 'react-router';
import { Brand } from './brand.tsx';
import { ColorSchemeSwitch } from './color-scheme-switch.tsx';
import { HeaderLinks, HeaderMenu } from './header-links.tsx';
import classes from './shell.module.css';

/** For queries outside of /v1. Callers of /v1 have their own cache (ApiProvider). */
const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });

export function Shell() {
  return (
    <QueryClientProvider client={queries}>
      <Anchor href="#main" className={classes['skip']}>
        Skip to the content
      </Anchor>
      <header className={classes['header']}>
        <Container size="xl" h="100%">
          <Group h="100%" justify="space-between" wrap="nowrap" gap="xs">
            <Brand />
            <Group gap={4} wrap="nowrap">
              <Group gap={6} wrap="nowrap" component="nav" aria-label="Main" visibleFrom="sm">
                <HeaderLinks />
              </Group>
              <ColorSchemeSwitch />
              <HeaderMenu />
            </Group>
          </Group>
        </Container>
      </header>
      <main id="main" tabIndex={-1} className={classes['main']}>
        <Container size="xl" py={{ base: 'md', sm: 'xl' }}>
          <Outlet />
        </Container>
      </main>
      <ScrollRestoration />
    </QueryClientProvider>
  );
}
