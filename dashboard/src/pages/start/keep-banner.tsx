// Shown above an anonymous record: says that it will be erased, and offers to keep it.
import { Button, Group, Paper, Text } from '@mantine/core';
import { Link } from 'react-router';
import { useSession } from '../../client/session-context.ts';
import { useSignedIn } from '../../layout/signed-in.tsx';
import { keepPath } from '../../parts/state/keep-path.ts';
import { Remaining } from './remaining.tsx';

/** Only in the header of a session's record. */
export function KeepBanner() {
  const { signedIn } = useSignedIn();
  const session = useSession();
  if (session === undefined) return null;
  return (
    <Paper
      p="sm"
      px="md"
      mb="lg"
      bg="var(--mantine-color-cyan-light)"
      component="section"
      aria-label="Keep this record"
    >
      <Group justify="space-between" gap="sm">
        <Text size="sm" flex="1 1 260px">
          This record and its history are erased in <b>{<Remaining until={session.expiresAt} />}</b>, unless
          you keep it in an account.
        </Text>
        <Button component={Link} to={keepPath(signedIn, session.id)} size="xs">
          Keep it
        </Button>
      </Group>
    </Paper>
  );
}
