// Signs in by a link. It first says as whom, and who is signed out by it.
import { Button, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { ProblemNote } from '../../parts/blocks/problem-note.tsx';
import { AuthCard } from './auth-card.tsx';
import { Person } from './person.tsx';
import { useEnter } from './use-enter.ts';

interface Props {
  token: string;
  /** The address that the link is for. */
  email: string;
  /** Who is already signed in here. */
  signedIn: string | undefined;
}

export function SignInByLink({ token, email, signedIn }: Props) {
  const { mutate, isPending, error } = useEnter('link', email);
  const other = signedIn === email ? undefined : signedIn;
  return (
    <AuthCard
      title={other === undefined ? 'Sign in with this link?' : 'Sign in to another account?'}
      lead={
        <>
          {other !== undefined && (
            <>
              You are signed in as <Person email={other} />.{' '}
            </>
          )}
          This link signs you in as <Person email={email} />.
        </>
      }
    >
      <ProblemNote error={error} title="Could not sign in" advice={ADVICE} />
      <Text size="sm">Continue only if that is you. Everything you do next happens in that account.</Text>
      <Stack gap="xs">
        <Button onClick={() => mutate({ token })} loading={isPending} fullWidth>
          Sign in
        </Button>
        {other !== undefined && (
          <Button component={Link} to="/records" variant="default" fullWidth>
            Cancel
          </Button>
        )}
      </Stack>
    </AuthCard>
  );
}

const ADVICE = { unauthenticated: 'The link was used already or has expired.' };
