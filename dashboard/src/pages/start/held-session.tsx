// The record that this browser already watches: a link to it, or what went wrong with its first check.
import { shownName } from '../../client/shown-name.ts';
import { Button, Group, Paper, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { Link, useNavigate } from 'react-router';
import { ApiProvider, useApiQueries } from '../../client/api-provider.tsx';
import { type AnonymousSession, sessionCredentials } from '../../client/credentials.ts';
import { SessionContext } from '../../client/session-context.ts';
import { Problem } from '../../client/problem.ts';
import { counted } from '../../parts/figures/counted.ts';
import { Ago } from '../../parts/figures/time.tsx';
import { FirstFailure } from './first-failure.tsx';
import { hasFailedAtFirst } from './first-failure-kind.ts';
import { OtherWays } from './other-ways.tsx';

interface Props {
  session: AnonymousSession;
  /** Called if the server no longer knows the session. */
  onGone: () => void;
  /** The field for another URL is already shown. */
  isBeginning: boolean;
  /** Shows the field, with this URL in it. */
  onAnother: (url: string) => void;
}

export function HeldSession({ session, ...props }: Props) {
  const credentials = useMemo(() => sessionCredentials(session), [session]);
  return (
    <ApiProvider credentials={credentials}>
      <SessionContext value={session}>
        <Held {...props} />
      </SessionContext>
    </ApiProvider>
  );
}

function Held({ isBeginning, onGone, onAnother }: Omit<Props, 'session'>) {
  const navigate = useNavigate();
  const { data: session, error } = useQuery(useApiQueries().queryOptions('get', '/v1/sessions/self'));
  const isGone = error instanceof Problem && [401, 404].includes(error.status);
  useEffect(() => {
    if (isGone) onGone();
  }, [isGone, onGone]);
  if (isGone) return null;
  if (session === undefined) return <Skeleton h={84} />;
  const { source: record, expiresAt } = session;
  if (hasFailedAtFirst(record)) {
    return (
      <FirstFailure record={record} onRepaired={() => void navigate('/session')}>
        <OtherWays onChangeUrl={() => onAnother(record.url)} onDiscarded={onGone} />
      </FirstFailure>
    );
  }
  return (
    <Paper withBorder p="lg" component="section" aria-label="Your record">
      <Group justify="space-between">
        <div>
          <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
            {shownName(record.name)}
          </Text>
          <Text size="sm" c="dimmed">
            {record.totalRows !== null && `${counted(record.totalRows, 'row')}. `}Erased{' '}
            <Ago at={expiresAt} /> unless you keep it.
          </Text>
        </div>
        <Group gap="xs">
          <Button component={Link} to="/session">
            Your record
          </Button>
          {!isBeginning && (
            <Button variant="default" onClick={() => onAnother('')}>
              Watch another URL
            </Button>
          )}
        </Group>
      </Group>
      {isBeginning && (
        <Text size="sm" c="dimmed" mt="sm">
          When you watch another URL, this browser forgets this record. Its MCP address works until it is
          erased.
        </Text>
      )}
    </Paper>
  );
}
