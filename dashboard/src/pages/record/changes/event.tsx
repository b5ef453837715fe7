// One delta event: its facts, and its rows before and after.
import { Anchor, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { useApiQueries } from '../../../client/api-provider.tsx';
import type { components } from '../../../client/schema.ts';
import { BackLink } from '../../../parts/controls/back-link.tsx';
import { ChangeCount, formatCount } from '../../../parts/figures/change-count.tsx';
import { CHANGE_TYPES } from '../../../parts/figures/change-sign.ts';
import { counted } from '../../../parts/figures/counted.ts';
import { ProblemNote } from '../../../parts/blocks/problem-note.tsx';
import { AtSecond } from '../../../parts/figures/time.tsx';
import { useUrlState } from '../../../parts/state/use-url-state.ts';
import { useRecordPath, useRecordRef } from '../../../parts/record/record-ref.ts';
import { ColumnChips } from './column-chips.tsx';
import { DeltaRowsView } from './delta-rows-view.tsx';
import { DownloadEvent } from './download-event.tsx';
import { SchemaWords } from './schema-words.tsx';
import { useEventRows } from './use-event-rows.ts';
import { allChanges, countOf, rowsAsked } from './use-rows-shown.ts';

type DeltaEvent = components['schemas']['DeltaEvent'];

export function Component() {
  const { eventId = 'latest' } = useParams();
  const path = useRecordPath();
  const id = useRecordRef();
  const { queryOptions } = useApiQueries();
  const params = { path: { id, deltaEventId: eventId }, query: { keysLimit: 0 } };
  const { data: event, error } = useQuery(
    queryOptions('get', '/v1/sources/{id}/delta/{deltaEventId}', { params }, { staleTime: Infinity }),
  );
  return (
    <Stack gap="sm">
      <BackLink to={`${path}/changes`}>All changes</BackLink>
      <ProblemNote error={error} title="Could not load this event" />
      {event === undefined ? error === null && <Skeleton h={60} /> : <EventHead event={event} />}
      {event !== undefined && <EventRows event={event} />}
    </Stack>
  );
}

function EventHead({ event }: { event: DeltaEvent }) {
  const path = useRecordPath();
  const compare = new URLSearchParams({
    view: 'compare',
    from: event.previousSnapshotId ?? '',
    to: event.snapshotId,
  });
  return (
    <Stack gap={6}>
      <Group justify="space-between">
        <Group gap="6px 12px">
          <Title order={2}>
            <AtSecond at={event.detectedAt} />
          </Title>
          <Group gap="xs">
            {CHANGE_TYPES.map((type) => (
              <ChangeCount key={type} type={type} count={countOf(event, type)} />
            ))}
          </Group>
        </Group>
        <Group gap="4px 16px">
          <Anchor
            component={Link}
            size="sm"
            to={`${path}/data?${new URLSearchParams({ snapshot: event.snapshotId })}`}
          >
            Resulting snapshot
          </Anchor>
          {event.previousSnapshotId !== null && event.previousSnapshotId !== event.snapshotId && (
            <Anchor component={Link} size="sm" to={`${path}/data?${compare}`}>
              Compare with previous snapshot
            </Anchor>
          )}
        </Group>
      </Group>
      <Group gap="2px 12px" align="baseline" c="dimmed">
        <Text size="sm">
          {counted(event.unchangedCount, 'row')} unchanged, {formatCount(event.totalCount)} in all
        </Text>
        <Text ff="monospace" size="xs" style={{ overflowWrap: 'anywhere' }}>
          {event.id}
        </Text>
      </Group>
      <SchemaWords event={event} />
      <ColumnChips columns={event.changedColumns ?? []} />
    </Stack>
  );
}

function EventRows({ event }: { event: DeltaEvent }) {
  const [params] = useUrlState();
  const isEmpty = allChanges(event) === 0;
  const state = useEventRows(useRecordRef(), event.id, rowsAsked(params, event), !isEmpty);
  if (isEmpty) {
    return (
      <Text c="dimmed" py="xl">
        {event.previousSnapshotId === null
          ? 'This is the first snapshot: there was nothing to compare it with.'
          : 'Nothing changed in this check.'}
      </Text>
    );
  }
  return (
    <DeltaRowsView label="Rows of the event" counts={event} snapshotId={event.snapshotId} state={state}>
      <DownloadEvent deltaEventId={event.id} />
    </DeltaRowsView>
  );
}
