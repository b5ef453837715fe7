// What was found behind a URL: its rows, its key and why, and the next steps.
import { Grid, Paper, Skeleton, Stack } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useNavigate } from 'react-router';
import { Waiting } from '../../parts/blocks/waiting.tsx';
import { useRecordRef } from '../../parts/record/record-ref.ts';
import { useRecord } from '../../parts/record/use-record.ts';
import { AfterFirstRows } from '../../parts/row-table/after-first-rows.tsx';
import { hasFailedAtFirst } from './first-failure-kind.ts';
import { FoundKey } from './found-key.tsx';
import { FoundRows } from './found-rows.tsx';
import { McpAddress } from './mcp-address.tsx';
import { OtherWays } from './other-ways.tsx';
import { WhatIsLeft } from './what-is-left.tsx';

const FirstFailure = lazy(async () => ({ default: (await import('./first-failure.tsx')).FirstFailure }));

/** For the overview of an anonymous session's record. */
export function Found() {
  const { data: record } = useRecord(useRecordRef());
  const navigate = useNavigate();
  if (record === undefined) return <Skeleton h={420} />;
  if (hasFailedAtFirst(record)) {
    return (
      <Suspense fallback={<Skeleton h={420} />}>
        <FirstFailure record={record}>
          <OtherWays
            onChangeUrl={() => void navigate('/', { state: { url: record.url } })}
            onDiscarded={() => void navigate('/')}
          />
        </FirstFailure>
      </Suspense>
    );
  }
  if (record.latestSnapshotId === null) return <FirstCheck />;
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, md: 8 }}>
        <FoundRows record={record} snapshotId={record.latestSnapshotId} />
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 4 }}>
        <Stack gap="lg">
          <FoundKey record={record} />
          <McpAddress />
          <AfterFirstRows recordId={record.id} snapshotId={record.latestSnapshotId} heightPx={136}>
            <WhatIsLeft />
          </AfterFirstRows>
        </Stack>
      </Grid.Col>
    </Grid>
  );
}

const FirstCheck = () => (
  <Paper withBorder p="xl">
    <Waiting justify="center">The first check is running. Its rows appear here when it is done.</Waiting>
  </Paper>
);
