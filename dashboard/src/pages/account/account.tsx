// Settings of the user, not of the account's records: address, password, sessions, deletion.
import { shownName } from '../../client/shown-name.ts';
import { Stack, Text } from '@mantine/core';
import { useSignedIn } from '../../layout/signed-in.tsx';
import { PageTitle } from '../../parts/blocks/page-title.tsx';
import { ChangeEmail } from './change-email.tsx';
import { ChangePassword } from './change-password.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { LoginSessions } from './login-sessions.tsx';

export function Component() {
  const { signedIn } = useSignedIn();
  if (!signedIn) return null;
  const { name, email } = signedIn.user;
  return (
    <Stack maw={760} gap={40}>
      <div>
        <PageTitle title="Account" />
        <Text c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {shownName(name)} · {email}
        </Text>
      </div>
      <ChangeEmail user={signedIn.user} />
      <ChangePassword user={signedIn.user} />
      <LoginSessions />
      <DeleteAccount user={signedIn.user} />
    </Stack>
  );
}
