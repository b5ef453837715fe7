// The field for a URL.
import { Button, Group, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type SyntheticEvent, useEffect, useRef, useState } from 'react';
import { isProblem } from '../../client/problem.ts';
import type { AnonymousSession } from '../../client/credentials.ts';
import { faultAt, isElsewhere } from '../../parts/forms/field-faults.ts';
import { ProblemNote } from '../../parts/blocks/problem-note.tsx';
import { TextLink } from '../../parts/controls/text-link.tsx';
import { beginSession } from './begin-session.ts';
import classes from './start.module.css';

/** A public feed that changes every few minutes. */
const EXAMPLE = 'https://earthquake.usgs.gov/earthquakes/feed/v1.0/summary/all_day.csv';

interface Props {
  /** The field's initial text. */
  initialUrl: string;
  /** @param isThere the record's page has something to show: its data, or a running check */
  onBegun: (session: AnonymousSession, isThere: boolean) => void;
}

export function StartForm({ initialUrl, onBegun }: Props) {
  const [url, setUrl] = useState(initialUrl);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (initialUrl !== '') field.current?.focus();
  }, [initialUrl]);
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
          ref={field}
          className={classes['url'] ?? ''}
          size="lg"
          label="URL of the data"
          placeholder="https://example.com/prices.csv"
          // Not type=url: the API explains faults better.
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
            ? 'Fetching the data and reading its rows…'
            : 'No account needed. Your record is kept for 24 hours, or for good if you sign up.'}
        </Text>
        <UnstyledButton fz="sm" c="cyan" td="underline" disabled={isPending} onClick={() => begin(EXAMPLE)}>
          Try it with today’s earthquakes
        </UnstyledButton>
      </Group>
      {isAboutInside(error) && (
        <Text size="sm" mt="xs">
          Data is fetched from public hosts only, never from inside a private network.
        </Text>
      )}
      {error !== null && isElsewhere(error, ['/url']) && <Refusal error={error} />}
    </form>
  );
}

const Refusal = ({ error }: { error: unknown }) => (
  <>
    <Group h="md" />
    <ProblemNote error={error} title="Could not watch this URL" advice={{ rate_limited: ENOUGH }} />
    {isProblem(error, 'rate_limited') && (
      <Text size="sm" mt="xs">
        Accounts do not have this limit: <TextLink to="/sign-up">sign up</TextLink>.
      </Text>
    )}
  </>
);

const ENOUGH =
  'Too many records were started without an account from your network address, or for this host. Try again later.';

/** One of the reasons for refusing a URL. The API distinguishes them only in its words. */
const isAboutInside = (error: unknown): boolean =>
  isProblem(error, 'url_not_allowed') && (faultAt(error, '/url') ?? '').includes('public internet');
