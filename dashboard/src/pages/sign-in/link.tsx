// Where the one-time link of a mail leads, or that which `npm start` prints: it signs in.
import { Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, Navigate } from 'react-router';
import { postAuth, whoIsSignedIn } from '../../client/auth.ts';
import { useSignedIn } from '../../layout/signed-in.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { TextLink } from '../../parts/text-link.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { AuthCard } from './auth-card.tsx';
import { takeNext } from './next.ts';
import { useHashToken } from './use-hash-token.ts';

export function Component() {
  const token = useHashToken();
  const { signedIn, ask } = useSignedIn();
  const [isConfirmed, setConfirmed] = useState(false);
  const isReady = token !== '' && signedIn !== undefined;
  // Somebody else's link must not sign a person over into their account unseen.
  const mustConfirm = isReady && signedIn !== null && !isConfirmed;
  // A query, and not a mutation, because it must go out once however often this is rendered.
  const { data: next, error } = useQuery({
    queryKey: ['link', token],
    queryFn: async () => {
      await postAuth('link', { token });
      const who = await whoIsSignedIn();
      await ask();
      return takeNext(who?.user.email);
    },
    enabled: isReady && !mustConfirm,
    retry: false,
    staleTime: Infinity,
  });
  if (next !== undefined) return <Navigate to={next} replace />;
  if (token === '') return <UsedUp />;
  if (error !== null) return <UsedUp error={error} />;
  if (mustConfirm) return <SignOver email={signedIn.user.email} onConfirm={() => setConfirmed(true)} />;
  return (
    <AuthCard title="Signing in">
      <Waiting>One moment…</Waiting>
    </AuthCard>
  );
}

const SignOver = ({ email, onConfirm }: { email: string; onConfirm: () => void }) => (
  <AuthCard title="Use this link?" lead={`You are signed in as ${email}.`}>
    <Text>The link signs you in as whoever it was made for.</Text>
    <Stack gap="xs">
      <Button onClick={onConfirm}>Use the link</Button>
      <Button component={Link} to="/records" variant="default">
        {`Stay ${email}`}
      </Button>
    </Stack>
  </AuthCard>
);

const UsedUp = ({ error }: { error?: unknown }) => (
  <AuthCard title={error === undefined ? 'This link is not complete' : 'This link did not work'}>
    <ProblemNote error={error} title="Nobody was signed in" advice={ADVICE} />
    <Text>
      A link works once, and not for long. <TextLink to="/sign-in">Sign in</TextLink> with your password,{' '}
      <TextLink to="/sign-up">sign up</TextLink> again for another mail, or{' '}
      <TextLink to="/forgot-password">choose a new password</TextLink>.
    </Text>
  </AuthCard>
);

const ADVICE = { unauthenticated: 'The link was used already, or is too old.' };
