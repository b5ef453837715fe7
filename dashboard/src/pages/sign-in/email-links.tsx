// The links in mails about a new address: the one to the new address confirms it, the one to the old address undoes it.
import { Button, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from 'react-router';
import { postAuth } from '../../client/auth.ts';
import { useSignedIn } from '../../layout/signed-in.tsx';
import { ProblemNote } from '../../parts/blocks/problem-note.tsx';
import { AuthCard } from './auth-card.tsx';
import { Person } from './person.tsx';

interface Props {
  token: string;
  email: string;
  /** Who is signed in here. */
  signedIn: string | undefined;
}

export function ConfirmEmail({ token, email, signedIn }: Props) {
  const { ask } = useSignedIn();
  const navigate = useNavigate();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => postAuth('change-email/finish', { token }),
    onSuccess: async () => {
      notifications.show({
        color: 'teal',
        title: 'Email address changed',
        message: `Sign in with ${email} from now on. You are signed out of all other browsers.`,
      });
      await ask();
      await navigate('/account', { replace: true });
    },
  });
  return (
    <AuthCard
      title="Confirm your new email address"
      lead={
        signedIn === undefined ? (
          <>Sign in to your account first. Then open the link in the mail again.</>
        ) : (
          <>
            You are signed in as <Person email={signedIn} />. From now on you sign in with{' '}
            <Person email={email} />.
          </>
        )
      }
    >
      <ProblemNote error={error} title="The address was not changed" advice={CONFIRM_ADVICE} />
      {signedIn === undefined ? (
        <Button component={Link} to="/sign-in" fullWidth>
          Sign in
        </Button>
      ) : (
        <Button onClick={() => mutate()} loading={isPending} fullWidth>
          Change my address
        </Button>
      )}
    </AuthCard>
  );
}

const CONFIRM_ADVICE = {
  unauthenticated:
    'The link was used or cancelled, is too old, or belongs to another account than the one you are signed in to.',
};

export function UndoEmail({ token, email }: Props) {
  const { ask } = useSignedIn();
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: async () => {
      await postAuth('change-email/undo', { token });
      await ask();
    },
  });
  if (isSuccess) return <Undone email={email} />;
  return (
    <AuthCard
      title="Bring this address back?"
      lead={
        <>
          Your account gets the address <Person email={email} /> again.
        </>
      }
    >
      <ProblemNote error={error} title="The address was not brought back" advice={UNDO_ADVICE} />
      <Text size="sm">
        Everybody who is signed in to the account is signed out, and its password stops working. You then
        choose a new one.
      </Text>
      <Button onClick={() => mutate()} loading={isPending} fullWidth>
        Bring it back
      </Button>
    </AuthCard>
  );
}

const UNDO_ADVICE = {
  unauthenticated: 'The link was used already, is too old, or the address belongs to another account now.',
};

const Undone = ({ email }: { email: string }) => (
  <AuthCard title="Your address is back">
    <Stack>
      <Text component="output">
        The account has the address <Person email={email} /> again, and nobody is signed in to it. Set a new
        password now.
      </Text>
      <Text size="sm" c="dimmed">
        API keys and connected clients still work. Once you are signed in, check them under Developer and
        revoke those that you do not know.
      </Text>
      <Button component={Link} to="/forgot-password">
        Set a new password
      </Button>
    </Stack>
  </AuthCard>
);
