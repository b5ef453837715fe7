// The page to create an account.
import { Button, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type SyntheticEvent, useState } from 'react';
import { Navigate, useSearchParams } from 'react-router';
import { postAuth } from '../../client/auth.ts';
import { heldSession } from '../../client/credentials.ts';
import { useSignedIn } from '../../layout/signed-in.tsx';
import { isElsewhere } from '../../parts/forms/field-faults.ts';
import { ProblemNote } from '../../parts/blocks/problem-note.tsx';
import { TextLink } from '../../parts/controls/text-link.tsx';
import { AuthCard } from './auth-card.tsx';
import { EmailInput } from './email-input.tsx';
import { LookAtYourMail } from './look-at-your-mail.tsx';
import { rememberNext, safeNext, withNext } from './next.ts';

export function Component() {
  const [search] = useSearchParams();
  const { signedIn } = useSignedIn();
  // A visitor with an anonymous record who signs up keeps that record, however they came here.
  const asked = search.get('next');
  const isAsked = asked?.startsWith(KEEP) === true;
  const next = isAsked || heldSession() === undefined ? asked : KEEP;
  const [email, setEmail] = useState('');
  const { mutate, isPending, isSuccess, error, reset } = useMutation({
    mutationFn: async () => {
      await postAuth('sign-up/email', { email });
      rememberNext(email, next);
    },
  });
  const isKeeping = next?.startsWith(KEEP) === true;
  if (signedIn) return <Navigate to={safeNext(next)} replace />;
  if (isSuccess) return <Sent email={email} isKeeping={isKeeping} onAgain={reset} />;
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
          Already have an account? <TextLink to={withNext('/sign-in', search)}>Sign in</TextLink>
        </>
      }
    >
      <form onSubmit={submit}>
        <Stack>
          {isElsewhere(error, ['/email']) && <ProblemNote error={error} />}
          <EmailInput value={email} onChange={setEmail} error={error} />
          <Button type="submit" loading={isPending} fullWidth>
            Sign up
          </Button>
        </Stack>
      </form>
    </AuthCard>
  );
}

const KEEP = '/keep';
const FREE = 'With an account, your records are watched for as long as you like.';

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
      ? 'Open the link in the email with this browser and choose a password. Your record is then kept with its history.'
      : 'Open the link in the email and choose a password.'}
  </LookAtYourMail>
);
