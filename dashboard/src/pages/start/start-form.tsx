// The field for a URL.
import { Button, Group, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type SyntheticEvent, useState } from 'react';
import { isProblem } from '../../client/problem.ts';
import type { AnonymousSession } from '../../client/credentials.ts';
import { faultAt, isElsewhere } from '../../parts/field-faults.ts';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { TextLink } from '../../parts/text-link.tsx';
import { beginSession } from './begin-session.ts';
import classes from './start.module.css';

/** A public feed that changes every few minutes. */
const EXAMPLE = 'https://earthquake.usgs.gov/earthquakes/feed/v1.0/summary/all_day.csv';

interface Props {
  /** @param isThere there is something to show on the record's page: its data, or that the check still runs */
  onBegun: (session: AnonymousSession, isThere: boolean) => void;
}

export function StartForm({ onBegun }: Props) {
  const [url, setUrl] = useState('');
  const { mutate, isPending, error } = useMutation({
    mutationFn: beginSession,
    onSuccess: ({ session, record }) =>
      onBegun(session, record.latestSnapshotId !== null || record.lastOutcome === null),
  });
  const begin = (url: string): void => {
    setUrl(url);
    mutate(url.trim());
  };
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    begin(url);
  };
  return (
    <form onSubmit={submit} aria-label="Watch a URL">
      <div className={classes['row']}>
        <TextInput
          className={classes['url'] ?? ''}
          size="lg"
          label="URL of the data"
          placeholder="https://example.com/prices.csv"
          // Not type=url: the API says better what is wrong.
          inputMode="url"
          autoComplete="url"
          spellCheck={false}
          value={url}
          error={faultAt(error, '/url')}
          onChange={({ currentTarget }) => setUrl(currentTarget.value)}
        />
        <Button type="submit" size="lg" loading={isPending} className={classes['go'] ?? ''}>
          Watch it
        </Button>
      </div>
      <Group gap="xs" mt="sm" justify="space-between">
        <Text size="sm" c="dimmed" component="output">
          {isPending
            ? 'Fetching it, and reading its rows…'
            : 'No account needed. For 24 hours, or until you keep it.'}
        </Text>
        <UnstyledButton fz="sm" c="cyan" td="underline" disabled={isPending} onClick={() => begin(EXAMPLE)}>
          Try the earthquakes of the last day
        </UnstyledButton>
      </Group>
      {isProblem(error, 'url_not_allowed') && (
        <Text size="sm" mt="xs">
          Data are fetched over http and https from public hosts alone: never from inside a network, nor from
          ports of other services.
        </Text>
      )}
      {error !== null && isElsewhere(error, ['/url']) && <Refusal error={error} />}
    </form>
  );
}

const Refusal = ({ error }: { error: unknown }) => (
  <>
    <Group h="md" />
    <ProblemNote error={error} title="Not begun" advice={{ rate_limited: ENOUGH }} />
    <Text size="sm" mt="xs">
      An account has no such limits: <TextLink to="/sign-up">Sign up</TextLink>
    </Text>
  </>
);

const ENOUGH =
  'From this address, or about this host, as many anonymous records were begun as may be for now. Try again later.';
