// Another password, by the link of a mail.
import { Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type SyntheticEvent, useState } from 'react';
import { Link } from 'react-router';
import { postAuth } from '../../client/auth.ts';
import { useSignedIn } from '../../layout/signed-in.tsx';
import { isElsewhere } from '../../parts/field-faults.ts';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { TextLink } from '../../parts/text-link.tsx';
import { AuthCard } from './auth-card.tsx';
import { NewPasswordInput } from './new-password-input.tsx';
import { useHashToken } from './use-hash-token.ts';

export function Component() {
  const token = useHashToken();
  const { ask } = useSignedIn();
  const [newPassword, setNewPassword] = useState('');
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: async () => {
      await postAuth('reset-password', { token, newPassword });
      // All sessions have ended, this browser's too.
      await ask();
    },
  });
  if (isSuccess) return <Changed />;
  if (token === '') return <NoToken />;
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    mutate();
  };
  return (
    <AuthCard title="Choose a new password" lead="All browsers that are signed in will be signed out.">
      <form onSubmit={submit}>
        <Stack>
          {isElsewhere(error, ['/newPassword']) && (
            <ProblemNote error={error} title="The password stays as it was" advice={ADVICE} />
          )}
          <NewPasswordInput
            label="New password"
            value={newPassword}
            onChange={setNewPassword}
            error={error}
            pointer="/newPassword"
          />
          <Button type="submit" loading={isPending} fullWidth>
            Set the password
          </Button>
        </Stack>
      </form>
    </AuthCard>
  );
}

const ADVICE = {
  unauthenticated:
    'This link was used already, or is too old. Ask for another one under “Forgot the password?”.',
};

const Changed = () => (
  <AuthCard title="The password is changed">
    <Text component="output">All sessions have ended. Sign in with the new password.</Text>
    <Text size="sm" c="dimmed">
      API keys and connected clients go on working, for programs would fail without them. If somebody else may
      have been in the account, look through those under Developer, and revoke what you do not know.
    </Text>
    <Button component={Link} to="/sign-in">
      Sign in
    </Button>
  </AuthCard>
);

const NoToken = () => (
  <AuthCard title="This link is not complete">
    <Text>
      Open the link in the mail once more, or <TextLink to="/forgot-password">ask for another one</TextLink>.
    </Text>
  </AuthCard>
);
