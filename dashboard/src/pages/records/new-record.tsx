// Creates a record in the account: its URL, and optional settings.
import { shownName } from '../../client/shown-name.ts';
import { Button, Container, Stack, Text } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { PageTitle } from '../../parts/blocks/page-title.tsx';
import type { TrackedRecord } from '../../parts/record/record-state.ts';
import { TextLink } from '../../parts/controls/text-link.tsx';
import { useRecord } from '../../parts/record/use-record.ts';
import { hasFailedAtFirst } from '../start/first-failure-kind.ts';
import { NewRecordForm } from './new-record-form.tsx';

export function Component() {
  const navigate = useNavigate();
  const [failed, setFailed] = useState<TrackedRecord>();
  const show = ({ slug }: TrackedRecord): void => void navigate(`/records/${slug}`);
  return (
    <Container size="md" px={0}>
      <PageTitle title={failed === undefined ? 'New record' : shownName(failed.name)} />
      {failed === undefined ? (
        <NewRecordForm
          onCreated={(record) => (hasFailedAtFirst(record) ? setFailed(record) : show(record))}
        />
      ) : (
        <Suspense>
          <Failed created={failed} onRepaired={show} />
        </Suspense>
      )}
    </Container>
  );
}

const FirstFailure = lazy(async () => ({
  default: (await import('../start/first-failure.tsx')).FirstFailure,
}));

interface FailedProps {
  created: TrackedRecord;
  onRepaired: (record: TrackedRecord) => void;
}

function Failed({ created, onRepaired }: FailedProps) {
  const { data: record = created } = useRecord(created.id);
  return (
    <Stack>
      <FirstFailure record={record} onRepaired={onRepaired}>
        <Button component={Link} to={`/records/${record.slug}/settings`} variant="default">
          Change the URL
        </Button>
      </FirstFailure>
      <Text size="sm">
        The record exists, and is checked again on schedule.{' '}
        <TextLink to={`/records/${record.slug}`}>Go to the record</TextLink>
      </Text>
    </Stack>
  );
}
