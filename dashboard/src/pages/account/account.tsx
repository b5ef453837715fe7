// What belongs to the person and not to the account's records: the password, and where they are signed in.
import { Stack, Text } from '@mantine/core';
import { useSignedIn } from '../../layout/signed-in.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { ChangePassword } from './change-password.tsx';
import { LoginSessions } from './login-sessions.tsx';

export function Component() {
  const { signedIn } = useSignedIn();
  if (!signedIn) return null;
  const { name, email } = signedIn.user;
  return (
    <Stack maw={760} gap={40}>
      <div>
        <PageTitle title="Password and sessions" />
        <Text c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {name} · {email}
        </Text>
      </div>
      <ChangePassword user={signedIn.user} />
      <LoginSessions />
    </Stack>
  );
}
