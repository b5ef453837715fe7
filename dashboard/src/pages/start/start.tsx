// The first page: a field for a URL, and what comes of it.
import { Container, Stack } from '@mantine/core';
import { useState } from 'react';
import { Navigate, useNavigate } from 'react-router';
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
  const [isBeginning, setBeginning] = useState(held === undefined);
  if (signedIn === undefined) return null;
  if (signedIn !== null) return <Navigate to="/records" replace />;
  const begun = (session: AnonymousSession, isThere: boolean): void => {
    if (isThere) void navigate('/session');
    else setHeld(session);
  };
  const drop = (): void => {
    dropSession();
    setHeld(undefined);
    setBeginning(true);
  };
  return (
    <Container size="md" px={0} py={{ base: 'md', sm: 48 }}>
      <title>Recordwatch: see exactly what changes behind a URL</title>
      <Stack gap={40}>
        <Hero />
        {isBeginning && <StartForm onBegun={begun} />}
        {held !== undefined && (
          <HeldSession
            key={held.id}
            session={held}
            onGone={drop}
            {...(!isBeginning && { onAnother: () => setBeginning(true) })}
          />
        )}
        <Benefits />
      </Stack>
    </Container>
  );
}
