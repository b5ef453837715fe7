// Changes the email address: requested here, confirmed by the link in the mail to the new address.
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type SyntheticEvent, useState } from 'react';
import { postAuth, type SignedIn } from '../../client/auth.ts';
import { useSignedIn } from '../../layout/signed-in.tsx';
import { faultAt, isElsewhere } from '../../parts/forms/field-faults.ts';
import { ProblemNote } from '../../parts/blocks/problem-note.tsx';
import { Section } from '../../parts/blocks/section.tsx';
import { EmailInput } from '../sign-in/email-input.tsx';
import { KnownPasswordInput } from '../sign-in/known-password-input.tsx';

const NONE = { newEmail: '', currentPassword: '' };

export function ChangeEmail({ user: { email, hasPassword, pendingEmail } }: Pick<SignedIn, 'user'>) {
  const { ask } = useSignedIn();
  const [given, setGiven] = useState(NONE);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => postAuth('change-email', hasPassword ? given : { newEmail: given.newEmail }),
    onSuccess: async () => {
      setGiven(NONE);
      await ask();
    },
  });
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    mutate();
  };
  const shown = hasPassword ? ['/newEmail', '/currentPassword'] : ['/newEmail'];
  return (
    <Section
      title="Email address"
      description={
        <>
          You sign in with <b style={{ overflowWrap: 'anywhere' }}>{email}</b>. Changing the address signs you
          out of all other browsers.
        </>
      }
    >
      <Stack maw={420}>
        {pendingEmail !== null && <Pending email={pendingEmail} />}
        <form onSubmit={submit}>
          <Stack>
            {isElsewhere(error, shown) && <ProblemNote error={error} title="The address was not changed" />}
            <EmailInput
              label="New email"
              autoComplete="email"
              pointer="/newEmail"
              value={given.newEmail}
              error={error}
              onChange={(newEmail) => setGiven({ ...given, newEmail })}
            />
            {hasPassword && (
              <KnownPasswordInput
                value={given.currentPassword}
                error={faultAt(error, '/currentPassword')}
                onChange={(currentPassword) => setGiven({ ...given, currentPassword })}
              />
            )}
            <Button type="submit" loading={isPending} style={{ alignSelf: 'flex-start' }}>
              Change email address
            </Button>
          </Stack>
        </form>
      </Stack>
    </Section>
  );
}

function Pending({ email }: { email: string }) {
  const { ask } = useSignedIn();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => postAuth('change-email/cancel'),
    onSuccess: ask,
  });
  return (
    <Alert color="cyan" variant="light" title="Check your email">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        We sent a link to <b>{email}</b>. Open it in this browser within 24 hours to change your address.
      </Text>
      <ProblemNote error={error} />
      <Group mt="xs">
        <Button size="xs" variant="default" loading={isPending} onClick={() => mutate()}>
          Cancel the change
        </Button>
      </Group>
    </Alert>
  );
}
