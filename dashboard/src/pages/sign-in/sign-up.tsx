// A new account.
import { Button, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type SyntheticEvent, useState } from 'react';
import { Navigate, useSearchParams } from 'react-router';
import { postAuth } from '../../client/auth.ts';
import { useSignedIn } from '../../layout/signed-in.tsx';
import { faultAt, isElsewhere } from '../../parts/field-faults.ts';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { TextLink } from '../../parts/text-link.tsx';
import { AuthCard } from './auth-card.tsx';
import { EmailInput } from './email-input.tsx';
import { LookAtYourMail } from './look-at-your-mail.tsx';
import { NewPasswordInput } from './new-password-input.tsx';
import { rememberNext, safeNext, withNext } from './next.ts';

export function Component() {
  const [search] = useSearchParams();
  const { signedIn } = useSignedIn();
  const [person, setPerson] = useState({ name: '', email: '', password: '' });
  const { mutate, isPending, isSuccess, error, reset } = useMutation({
    mutationFn: async () => {
      await postAuth('sign-up/email', person);
      rememberNext(person.email, search.get('next'));
    },
  });
  const isKeeping = search.get('next') === '/keep';
  if (signedIn) return <Navigate to={safeNext(search.get('next'))} replace />;
  if (isSuccess) return <Sent email={person.email} isKeeping={isKeeping} onAgain={reset} />;
  const set = (change: Partial<typeof person>): void => setPerson({ ...person, ...change });
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    mutate();
  };
  return (
    <AuthCard
      title="Sign up"
      lead={isKeeping ? 'Your record then moves into your account, with all of its history.' : FREE}
      footer={
        <>
          Have an account? <TextLink to={withNext('/sign-in', search)}>Sign in</TextLink>
        </>
      }
    >
      <form onSubmit={submit}>
        <Stack>
          {isElsewhere(error, ['/name', '/email', '/password']) && <ProblemNote error={error} />}
          <TextInput
            label="Name"
            autoComplete="name"
            value={person.name}
            error={faultAt(error, '/name')}
            required
            withAsterisk={false}
            maxLength={200}
            onChange={({ currentTarget }) => set({ name: currentTarget.value })}
          />
          <EmailInput value={person.email} onChange={(email) => set({ email })} error={error} />
          <NewPasswordInput
            value={person.password}
            onChange={(password) => set({ password })}
            error={error}
            pointer="/password"
          />
          <Button type="submit" loading={isPending} fullWidth>
            Sign up
          </Button>
        </Stack>
      </form>
    </AuthCard>
  );
}

const FREE = 'Records of an account are watched for as long as you like.';

interface SentProps {
  email: string;
  isKeeping: boolean;
  onAgain: () => void;
}

const Sent = ({ email, isKeeping, onAgain }: SentProps) => (
  <LookAtYourMail
    email={email}
    footer={
      <Button variant="subtle" size="compact-sm" onClick={onAgain}>
        Use another address
      </Button>
    }
  >
    {isKeeping
      ? 'Open the link in it with this browser: it signs you in, and your record is kept with its history.'
      : 'Open the link in it: it shows that the address is yours, and signs you in.'}
  </LookAtYourMail>
);
