// The link of a sign-up: the reader of the mail chooses name and password, not the person who requested it.
import { Button, Stack, TextInput } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import { faultAt, isElsewhere } from '../../parts/forms/field-faults.ts';
import { ProblemNote } from '../../parts/blocks/problem-note.tsx';
import { AuthCard } from './auth-card.tsx';
import { NewPasswordInput } from './new-password-input.tsx';
import { Person } from './person.tsx';
import { useEnter } from './use-enter.ts';

interface Props {
  token: string;
  /** The address that the link was mailed to. */
  email: string;
  /** Who is already signed in here. */
  signedIn: string | undefined;
}

export function FinishSignUp({ token, email, signedIn }: Props) {
  const [given, setGiven] = useState({ name: '', password: '' });
  const { mutate, isPending, error } = useEnter('sign-up/finish', email);
  const other = signedIn === email ? undefined : signedIn;
  const set = (change: Partial<typeof given>): void => setGiven({ ...given, ...change });
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    mutate({ token, ...given });
  };
  return (
    <AuthCard
      title="Finish signing up"
      lead={
        <>
          A new account for <Person email={email} />.
          {other !== undefined && (
            <>
              {' '}
              It takes the place of <Person email={other} />, who is signed in here.
            </>
          )}
        </>
      }
    >
      <form onSubmit={submit}>
        <Stack>
          {isElsewhere(error, ['/name', '/password']) && (
            <ProblemNote error={error} title="Your account was not created" advice={ADVICE} />
          )}
          {/* Tells password managers whose password this is. */}
          <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
          <TextInput
            label="Name"
            autoComplete="name"
            value={given.name}
            error={faultAt(error, '/name')}
            required
            withAsterisk={false}
            maxLength={200}
            onChange={({ currentTarget }) => set({ name: currentTarget.value })}
          />
          <NewPasswordInput
            value={given.password}
            onChange={(password) => set({ password })}
            error={error}
            pointer="/password"
          />
          <Button type="submit" loading={isPending} fullWidth>
            Create account
          </Button>
        </Stack>
      </form>
    </AuthCard>
  );
}

const ADVICE = {
  unauthenticated: 'The link was used already or has expired. Sign up again to get a new one.',
};
