// Lists and ends this user's login sessions.
import { Skeleton, Stack } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { askAuth, postAuth } from '../../client/auth.ts';
import { ConfirmButton } from '../../parts/forms/confirm-button.tsx';
import { ProblemNote } from '../../parts/blocks/problem-note.tsx';
import { Section } from '../../parts/blocks/section.tsx';
import { type LoginSession, LoginSessionRow } from './login-session-row.tsx';

export const SESSIONS_KEY = ['login-sessions'];

export function LoginSessions() {
  const queries = useQueryClient();
  const { data, error } = useQuery({
    queryKey: SESSIONS_KEY,
    queryFn: () => askAuth<{ sessions: LoginSession[] }>('sessions'),
  });
  const refresh = () => queries.invalidateQueries({ queryKey: SESSIONS_KEY });
  const sessions = data?.sessions ?? [];
  const hasOthers = sessions.some(({ isCurrent }) => !isCurrent);
  return (
    <Section
      title="Sessions"
      description="Every browser that is signed in. A session ends after a day without use, and after 30 days at the latest."
      actions={
        hasOthers && (
          <ConfirmButton
            title="End all other sessions?"
            explanation="All other browsers are signed out at once."
            confirm="End sessions"
            onConfirm={async () => {
              await postAuth('sessions/end-others');
              await refresh();
            }}
          >
            End all other sessions
          </ConfirmButton>
        )
      }
    >
      <ProblemNote error={error} title="Could not load the sessions" />
      {data === undefined && error === null && <Skeleton h={72} />}
      <Stack component="ul" gap={0} p={0} m={0} aria-label="Sessions">
        {sessions.map((session) => (
          <LoginSessionRow key={session.id} session={session} onEnded={refresh} />
        ))}
      </Stack>
    </Section>
  );
}
