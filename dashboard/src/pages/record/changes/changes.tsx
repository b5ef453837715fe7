// A record's delta events: when something changed, and how much.
import { Anchor, Button, Checkbox, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { ProblemNote } from '../../../parts/blocks/problem-note.tsx';
import { useUrlState } from '../../../parts/state/use-url-state.ts';
import { useRecordPath } from '../../../parts/record/record-ref.ts';
import { EventList } from './event-list.tsx';
import { PeriodFields } from './period-fields.tsx';
import { useEvents } from './use-events.ts';

const ROW_PX = 58;
const SKELETON_ROWS = 8;

export function Component() {
  const [params, change] = useUrlState();
  const changesOnly = params.get('changesOnly') !== 'false';
  const period = { since: params.get('since'), until: params.get('until') };
  const { events, error, isNewer, showNewer, hasNextPage, isFetchingNextPage, fetchNextPage } = useEvents({
    changesOnly,
    ...period,
  });
  return (
    <Stack gap="md">
      <Title order={2}>Changes</Title>
      <Group justify="space-between" align="flex-end">
        <PeriodFields {...period} onChange={change} />
        <Checkbox
          label="Only checks that found changes"
          checked={changesOnly}
          onChange={({ currentTarget }) => change({ changesOnly: currentTarget.checked ? null : 'false' })}
        />
      </Group>
      {isNewer && (
        <Button variant="light" onClick={showNewer} w="fit-content">
          Show newer events
        </Button>
      )}
      <ProblemNote error={error} title="Could not load the events" />
      {events === undefined && error === null && <Skeleton h={SKELETON_ROWS * ROW_PX} />}
      {events?.length === 0 && !hasNextPage && <NoEvents {...period} changesOnly={changesOnly} />}
      {events !== undefined && events.length > 0 && <EventList events={events} />}
      {hasNextPage && (
        <Button
          variant="default"
          loading={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
          w="fit-content"
        >
          Show older events
        </Button>
      )}
    </Stack>
  );
}

interface Asked {
  since: string | null;
  until: string | null;
  changesOnly: boolean;
}

/** The retention deletes old events, so that none here does not mean that nothing has ever changed. */
function NoEvents({ since, until, changesOnly }: Asked) {
  const path = useRecordPath();
  if (since !== null || until !== null) {
    const found = changesOnly ? 'found a change' : 'recorded data';
    return <Text c="dimmed">No stored check {found} in this period.</Text>;
  }
  return (
    <Text c="dimmed">
      {changesOnly
        ? 'No check in the history that is kept has found a change'
        : 'No check has recorded data yet'}
      . New events appear here automatically; meanwhile, look at{' '}
      <Anchor component={Link} underline="always" to={`${path}/data`}>
        the data
      </Anchor>{' '}
      or{' '}
      <Anchor component={Link} underline="always" to={`${path}/checks`}>
        the checks
      </Anchor>
      .
    </Text>
  );
}
