// Requests a mail to set a new password.
import { Button, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type SyntheticEvent, useState } from 'react';
import { useSearchParams } from 'react-router';
import { postAuth } from '../../client/auth.ts';
import { isElsewhere } from '../../parts/forms/field-faults.ts';
import { ProblemNote } from '../../parts/blocks/problem-note.tsx';
import { TextLink } from '../../parts/controls/text-link.tsx';
import { AuthCard } from './auth-card.tsx';
import { EmailInput } from './email-input.tsx';
import { LookAtYourMail } from './look-at-your-mail.tsx';
import { withNext } from './next.ts';

export function Component() {
  const [search] = useSearchParams();
  const [email, setEmail] = useState('');
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: () => postAuth('request-password-reset', { email }),
  });
  const back = <TextLink to={withNext('/sign-in', search)}>Back to signing in</TextLink>;
  if (isSuccess) {
    return (
      <LookAtYourMail email={email} footer={back}>
        If there is an account with this address, the email has a link to set a new password.
      </LookAtYourMail>
    );
  }
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    mutate();
  };
  return (
    <AuthCard title="Forgot password?" lead="We will email you a link to set a new password." footer={back}>
      <form onSubmit={submit}>
        <Stack>
          {isElsewhere(error, ['/email']) && <ProblemNote error={error} />}
          <EmailInput value={email} onChange={setEmail} error={error} />
          <Button type="submit" loading={isPending} fullWidth>
            Email me a link
          </Button>
        </Stack>
      </form>
    </AuthCard>
  );
}
