// Sets a new password, by the link in a mail.
import { Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type SyntheticEvent, useState } from 'react';
import { Link } from 'react-router';
import { postAuth } from '../../client/auth.ts';
import { useSignedIn } from '../../layout/signed-in.tsx';
import { isElsewhere } from '../../parts/forms/field-faults.ts';
import { ProblemNote } from '../../parts/blocks/problem-note.tsx';
import { TextLink } from '../../parts/controls/text-link.tsx';
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
    <AuthCard title="Choose a new password" lead="You will be signed out of all browsers.">
      <form onSubmit={submit}>
        <Stack>
          {isElsewhere(error, ['/newPassword']) && (
            <ProblemNote error={error} title="The password was not changed" advice={ADVICE} />
          )}
          <NewPasswordInput
            label="New password"
            value={newPassword}
            onChange={setNewPassword}
            error={error}
            pointer="/newPassword"
          />
          <Button type="submit" loading={isPending} fullWidth>
            Set password
          </Button>
        </Stack>
      </form>
    </AuthCard>
  );
}

const ADVICE = {
  unauthenticated: 'This link was used already or has expired. Ask for another one under “Forgot password?”.',
};

const Changed = () => (
  <AuthCard title="Password changed">
    <Text component="output">All sessions have ended. Sign in with the new password.</Text>
    <Text size="sm" c="dimmed">
      API keys and connected clients still work. If somebody else may have used the account, check them under
      Developer and revoke those that you do not know.
    </Text>
    <Button component={Link} to="/sign-in">
      Sign in
    </Button>
  </AuthCard>
);

const NoToken = () => (
  <AuthCard title="This link is incomplete">
    <Text>
      Open the link in the email again, or <TextLink to="/forgot-password">ask for another one</TextLink>.
    </Text>
  </AuthCard>
);
