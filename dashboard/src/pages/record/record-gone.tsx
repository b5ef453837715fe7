// Shown if a record cannot be shown: why, and where to go.
import { Button, Group, Stack } from '@mantine/core';
import { Link } from 'react-router';
import { dropSession } from '../../client/credentials.ts';
import { useSession } from '../../client/session-context.ts';
import { Problem } from '../../client/problem.ts';
import { ProblemNote } from '../../parts/blocks/problem-note.tsx';

const SESSION_ADVICE = {
  unauthenticated: 'The session has ended: its 24 hours are over, or its record was kept in an account.',
  not_found: 'The session has ended: its 24 hours are over, or its record was kept in an account.',
};

const ADVICE = {
  not_found: 'There is no such record in this account: it was deleted, or its address has changed.',
};

/** Whether the API says that the record does not exist for this caller, rather than that something failed. */
export const isGone = (error: unknown): boolean =>
  error instanceof Problem && [401, 403, 404].includes(error.status);

export function RecordGone({ error }: { error: unknown }) {
  const session = useSession();
  const isAnonymous = session !== undefined;
  return (
    <Stack maw={640} mx="auto" my="xl">
      <ProblemNote
        error={error}
        title={isAnonymous ? 'This record no longer exists' : 'Could not load this record'}
        advice={isAnonymous ? SESSION_ADVICE : ADVICE}
      />
      <Group>
        {isAnonymous ? (
          <Button component={Link} to="/" {...(isGone(error) && { onClick: () => dropSession(session.id) })}>
            Watch a URL
          </Button>
        ) : (
          <Button component={Link} to="/records">
            All records
          </Button>
        )}
      </Group>
    </Stack>
  );
}
