// Moves the record of this browser's anonymous session into the account that is signed in.
import { shownName } from '../../client/shown-name.ts';
import { Button, Container, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, Navigate, useSearchParams } from 'react-router';
import { answerOf } from '../../client/answer-of.ts';
import { useApiClient } from '../../client/api-provider.tsx';
import { dropSession, heldSession } from '../../client/credentials.ts';
import { PageTitle } from '../../parts/blocks/page-title.tsx';
import { ProblemNote } from '../../parts/blocks/problem-note.tsx';
import { Waiting } from '../../parts/blocks/waiting.tsx';

export function Component() {
  const [held] = useState(heldSession);
  const asked = useSearchParams()[0].get('session') ?? held?.id;
  const session = held?.id === asked ? held : undefined;
  const api = useApiClient();
  // A query, not a mutation, because it must be sent once however often this renders.
  const {
    data: record,
    error,
    refetch,
    isFetching,
  } = useQuery({
    queryKey: ['keep', session?.id],
    queryFn: async () => {
      const params = { path: { id: session?.id ?? '' } };
      const body = { token: session?.token ?? '' };
      const kept = await answerOf(api.POST('/v1/sources/{id}/keep', { params, body }));
      if (session !== undefined) dropSession(session.id);
      notifications.show({
        color: 'teal',
        title: 'Kept',
        autoClose: KEPT_SHOWN_MS,
        message: `${shownName(kept.name)} is in your account now, with all of its history.`,
      });
      return kept;
    },
    enabled: session !== undefined,
    retry: false,
    staleTime: Infinity,
  });
  if (record !== undefined) return <Navigate to={`/records/${record.slug}`} replace />;
  return (
    <Container size="sm" px={0}>
      <PageTitle title="Keep your record" />
      {session === undefined ? (
        <Nothing />
      ) : error === null || isFetching ? (
        <Waiting>Your record moves into your account, with all of its history…</Waiting>
      ) : (
        <Stack align="flex-start">
          <ProblemNote error={error} title="Your record was not kept" advice={ADVICE} />
          <Group>
            <Button onClick={() => void refetch()}>Try again</Button>
            <Button component={Link} to="/session" variant="default">
              Back to your record
            </Button>
          </Group>
        </Stack>
      )}
    </Container>
  );
}

/** Shown while the next page loads. */
const KEPT_SHOWN_MS = 10_000;

const ADVICE = {
  not_found:
    'The session has ended: its 24 hours are over, or the record was kept before. Look in your records.',
};

const Nothing = () => (
  <Stack align="flex-start">
    <Text>
      This browser does not have the record to keep: it was kept before, its 24 hours are over, it was started
      in another browser, or this browser watches another URL since.
    </Text>
    <Button component={Link} to="/records">
      Go to your records
    </Button>
  </Stack>
);
