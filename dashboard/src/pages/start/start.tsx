// The first page: a field for a URL, and the result.
import { Container, Stack } from '@mantine/core';
import { useState } from 'react';
import { Navigate, useLocation, useNavigate } from 'react-router';
import { type AnonymousSession, dropSession, heldSession } from '../../client/credentials.ts';
import { useSignedIn } from '../../layout/signed-in.tsx';
import { Benefits } from './benefits.tsx';
import { HeldSession } from './held-session.tsx';
import { Hero } from './hero.tsx';
import { StartForm } from './start-form.tsx';

export function Component() {
  const { signedIn } = useSignedIn();
  const navigate = useNavigate();
  const [held, setHeld] = useState(heldSession);
  const given = useGivenUrl();
  const [beginning, setBeginning] = useState(() => beginningOf(held === undefined ? '' : given));
  if (signedIn === undefined) return null;
  if (signedIn !== null) return <Navigate to="/records" replace />;
  const begun = (session: AnonymousSession, isThere: boolean): void => {
    if (isThere) void navigate('/session');
    else setHeld(session);
  };
  const begin = (url: string): void => setBeginning((before) => beginningOf(url, before));
  const drop = (): void => {
    if (held !== undefined) dropSession(held.id);
    setHeld(undefined);
    begin('');
  };
  return (
    <Container size="md" px={0} py={{ base: 'md', sm: 48 }}>
      <title>Recordwatch: see exactly what changes behind a URL</title>
      <Stack gap={40}>
        <Hero />
        {beginning && <StartForm key={beginning.turn} initialUrl={beginning.url} onBegun={begun} />}
        {held !== undefined && (
          <HeldSession
            key={held.id}
            session={held}
            isBeginning={beginning !== undefined}
            onGone={drop}
            onAnother={begin}
          />
        )}
        <Benefits />
      </Stack>
    </Container>
  );
}

interface Beginning {
  /** The initial text of the field. */
  url: string;
  /** Each attempt has its own field. */
  turn: number;
}

/** Undefined: the field for the URL is not shown. */
const beginningOf = (url: string | undefined, before?: Beginning): Beginning | undefined =>
  url === undefined ? undefined : { url, turn: (before?.turn ?? 0) + 1 };

/** Set by a page that leads here to change its URL. */
function useGivenUrl(): string | undefined {
  const state: unknown = useLocation().state;
  const isGiven = typeof state === 'object' && state !== null && 'url' in state;
  return isGiven && typeof state.url === 'string' ? state.url : undefined;
}
