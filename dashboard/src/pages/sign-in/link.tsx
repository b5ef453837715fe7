// Where the one-time link of a mail leads, or that which `npm start` prints. It says whom it is for, and does nothing until
// they say so: a link can be anybody's, and come from anybody.
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { postAuth } from '../../client/auth.ts';
import { useSignedIn } from '../../layout/signed-in.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { TextLink } from '../../parts/text-link.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { AuthCard } from './auth-card.tsx';
import { FinishSignUp } from './finish-sign-up.tsx';
import { SignInByLink } from './sign-in-by-link.tsx';
import { useHashToken } from './use-hash-token.ts';

interface LinkDescription {
  kind: 'sign-in' | 'sign-up';
  email: string;
}

export function Component() {
  const token = useHashToken();
  const { signedIn } = useSignedIn();
  const { data: link, error } = useQuery({
    queryKey: ['link', token],
    queryFn: () => postAuth<LinkDescription>('link/look', { token }),
    enabled: token !== '',
    retry: false,
    staleTime: Infinity,
  });
  if (token === '') return <UsedUp />;
  if (error !== null) return <UsedUp error={error} />;
  if (link === undefined || signedIn === undefined) {
    return (
      <AuthCard title="Looking at the link">
        <Waiting>One moment…</Waiting>
      </AuthCard>
    );
  }
  const given = { token, email: link.email, signedIn: signedIn?.user.email };
  return link.kind === 'sign-in' ? <SignInByLink {...given} /> : <FinishSignUp {...given} />;
}

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
