// Signs in with email and password.
import { Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type SyntheticEvent, useState } from 'react';
import { useSearchParams } from 'react-router';
import { postAuth } from '../../client/auth.ts';
import { useSignedIn } from '../../layout/signed-in.tsx';
import { ProblemNote } from '../../parts/blocks/problem-note.tsx';
import { TextLink } from '../../parts/controls/text-link.tsx';
import { EmailInput } from './email-input.tsx';
import { KnownPasswordInput } from './known-password-input.tsx';
import { withNext } from './next.ts';

/** The page itself decides where to go once somebody is signed in. */
export function SignInForm() {
  const [search] = useSearchParams();
  const { ask } = useSignedIn();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      await postAuth('sign-in/email', { email, password });
      await ask();
    },
  });
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    mutate();
  };
  return (
    <form onSubmit={submit} aria-label="Sign in">
      <Stack>
        <ProblemNote error={error} title="Could not sign in" advice={ADVICE} />
        <EmailInput value={email} onChange={setEmail} error={error} />
        <KnownPasswordInput value={password} onChange={setPassword} />
        <Button type="submit" loading={isPending} fullWidth>
          Sign in
        </Button>
        <Text size="sm" ta="center">
          <TextLink to={withNext('/forgot-password', search)}>Forgot password?</TextLink>
        </Text>
      </Stack>
    </form>
  );
}

const ADVICE = {
  unauthenticated:
    'Email and password do not match, or you have not opened the link in the mail that you got after signing up.',
};
