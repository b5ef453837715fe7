// Changes the password, or sets the first one for a user who signed in by a link.
import { Button, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SyntheticEvent, useState } from 'react';
import { postAuth, type SignedIn } from '../../client/auth.ts';
import { useSignedIn } from '../../layout/signed-in.tsx';
import { faultAt, isElsewhere } from '../../parts/forms/field-faults.ts';
import { ProblemNote } from '../../parts/blocks/problem-note.tsx';
import { Section } from '../../parts/blocks/section.tsx';
import { KnownPasswordInput } from '../sign-in/known-password-input.tsx';
import { NewPasswordInput } from '../sign-in/new-password-input.tsx';
import { SESSIONS_KEY } from './login-sessions.tsx';

const NONE = { currentPassword: '', newPassword: '' };

export function ChangePassword({ user: { email, hasPassword } }: Pick<SignedIn, 'user'>) {
  const { ask } = useSignedIn();
  const queries = useQueryClient();
  const [given, setGiven] = useState(NONE);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => postAuth('change-password', hasPassword ? given : { newPassword: given.newPassword }),
    onSuccess: async () => {
      setGiven(NONE);
      notifications.show({
        color: 'teal',
        title: hasPassword ? 'Password changed' : 'Password set',
        message: 'All other sessions have ended.',
      });
      await Promise.all([ask(), queries.invalidateQueries({ queryKey: SESSIONS_KEY })]);
    },
  });
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    mutate();
  };
  return (
    <Section
      title="Password"
      description={
        hasPassword
          ? 'Changing your password signs you out of all other browsers.'
          : 'You signed in with a link and have no password yet. Set one to sign in without a link.'
      }
    >
      <form onSubmit={submit}>
        <Stack maw={420}>
          {isElsewhere(error, ['/currentPassword', '/newPassword']) && <ProblemNote error={error} />}
          {/* Tells password managers whose password this is. */}
          <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
          {hasPassword && (
            <KnownPasswordInput
              label="Current password"
              value={given.currentPassword}
              error={faultAt(error, '/currentPassword')}
              onChange={(currentPassword) => setGiven({ ...given, currentPassword })}
            />
          )}
          <NewPasswordInput
            label="New password"
            value={given.newPassword}
            onChange={(newPassword) => setGiven({ ...given, newPassword })}
            error={error}
            pointer="/newPassword"
          />
          <Button type="submit" loading={isPending} style={{ alignSelf: 'flex-start' }}>
            {hasPassword ? 'Change password' : 'Set password'}
          </Button>
        </Stack>
      </form>
    </Section>
  );
}
