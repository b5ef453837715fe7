// Signing in with a password.
import { Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type SyntheticEvent, useState } from 'react';
import { Navigate, useSearchParams } from 'react-router';
import { postAuth } from '../../client/auth.ts';
import { useSignedIn } from '../../layout/signed-in.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { TextLink } from '../../parts/text-link.tsx';
import { AuthCard } from './auth-card.tsx';
import { EmailInput } from './email-input.tsx';
import { KnownPasswordInput } from './known-password-input.tsx';
import { safeNext, withNext } from './next.ts';

export function Component() {
  const [search] = useSearchParams();
  const { signedIn, ask } = useSignedIn();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      await postAuth('sign-in/email', { email, password });
      await ask();
    },
  });
  if (signedIn) return <Navigate to={safeNext(search.get('next'))} replace />;
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    mutate();
  };
  return (
    <AuthCard
      title="Sign in"
      footer={
        <>
          No account yet? <TextLink to={withNext('/sign-up', search)}>Sign up</TextLink>
        </>
      }
    >
      <form onSubmit={submit}>
        <Stack>
          <ProblemNote error={error} title="You are not signed in" advice={ADVICE} />
          <EmailInput value={email} onChange={setEmail} error={error} />
          <KnownPasswordInput value={password} onChange={setPassword} />
          <Button type="submit" loading={isPending} fullWidth>
            Sign in
          </Button>
          <Text size="sm" ta="center">
            <TextLink to={withNext('/forgot-password', search)}>Forgot the password?</TextLink>
          </Text>
        </Stack>
      </form>
    </AuthCard>
  );
}

const ADVICE = {
  unauthenticated:
    'Email and password do not go together, or the link that was mailed to you after signing up has not been opened yet.',
};
