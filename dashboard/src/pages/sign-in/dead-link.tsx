// Shown if a sign-in link does not work: why, and what to do.
import { Button, Divider, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Link, Navigate } from 'react-router';
import type { SignedIn } from '../../client/auth.ts';
import { isProblem } from '../../client/problem.ts';
import { CodeBlock } from '../../parts/blocks/code-block.tsx';
import { ProblemNote } from '../../parts/blocks/problem-note.tsx';
import { TextLink } from '../../parts/controls/text-link.tsx';
import { AuthCard } from './auth-card.tsx';
import { RECORDS } from './next.ts';
import { SignInForm } from './sign-in-form.tsx';

interface Props {
  /** The server's answer; null if the address has no token. */
  error: Error | null;
  signedIn: SignedIn | null;
}

export function DeadLink({ error, signedIn }: Props) {
  const [wasSignedIn] = useState(signedIn !== null);
  // By the form below.
  if (signedIn !== null && !wasSignedIn) return <Navigate to={RECORDS} replace />;
  const isUsedUp = isProblem(error, 'unauthenticated');
  return (
    <AuthCard title={titleOf(error, isUsedUp)} lead="Sign-in links work once and expire soon.">
      {!isUsedUp && <ProblemNote error={error} title="The link was not used" />}
      {signedIn === null ? <SignInOtherwise /> : <StillSignedIn email={signedIn.user.email} />}
    </AuthCard>
  );
}

function titleOf(error: Error | null, isUsedUp: boolean): string {
  if (error === null) return 'This link is incomplete';
  return isUsedUp ? 'This link was used already or has expired' : 'This link did not work';
}

const StillSignedIn = ({ email }: { email: string }) => (
  <>
    <Text style={{ overflowWrap: 'anywhere' }}>
      You are still signed in as <b>{email}</b>.
    </Text>
    <Button component={Link} to={RECORDS}>
      Go to your records
    </Button>
  </>
);

const SignInOtherwise = () => (
  <>
    <SignInForm />
    <Divider />
    <Stack gap="xs">
      <Text size="sm">
        Or get another link: <TextLink to="/sign-up">sign up</TextLink> again, or ask the operator of this
        service to create one with
      </Text>
      <CodeBlock
        text="npm run recordwatch -- account sign-in-link <account>"
        what="the command that creates a link"
      />
    </Stack>
  </>
);
