// What the latest events would have been under other rules or ignored columns, or with other pairs.
import { Alert, Group, Stack, Text } from '@mantine/core';
import { answerOf } from '../../../client/answer-of.ts';
import type { components } from '../../../client/schema.ts';
import { ProblemNote } from '../../../parts/blocks/problem-note.tsx';
import { ChangeCount } from '../../../parts/figures/change-count.tsx';
import { counted } from '../../../parts/figures/counted.ts';
import { AtSecond } from '../../../parts/figures/time.tsx';
import type { TrackedRecord } from '../../../parts/record/record-state.ts';
import { CHANGE_COLORS, type ChangeType } from '../../../theme.ts';
import { useRecordAction } from '../use-record-action.ts';

type ReplayedEvent = components['schemas']['ReplayedEvent'];

export const useEventsPreview = () =>
  useRecordAction((api, params, body: Partial<Pick<TrackedRecord, 'rules' | 'ignoreFields' | 'pairing'>>) =>
    answerOf(api.POST('/v1/sources/{id}/preview/events', { params, body })),
  );

export function EventsPreview({
  preview: { error, data },
}: {
  preview: ReturnType<typeof useEventsPreview>;
}) {
  if (error !== null) return <ProblemNote error={error} title="No preview" />;
  if (data === undefined) return null;
  const { events, isWhole } = data;
  if (events.length === 0) return <Text size="sm">No event with changes is kept yet.</Text>;
  const left = events.filter(({ isReported }) => isReported === true).length;
  const open = events.filter(({ isReported }) => isReported === null).length;
  return (
    <Alert
      variant="light"
      title={`${left} of the latest ${counted(events.length, 'event')} would remain${open > 0 ? `, ${open} could not be decided` : ''}`}
    >
      <Stack gap={4}>
        {events.map((event) => (
          <Line key={event.deltaEventId} event={event} />
        ))}
        {!isWhole && (
          <Text size="sm">There may have been others: checks that reported nothing keep no rows.</Text>
        )}
      </Stack>
    </Alert>
  );
}

const TYPES = Object.keys(CHANGE_COLORS) as ChangeType[];

function Line({ event: { detectedAt, underRules, isReported, rowsRead } }: { event: ReplayedEvent }) {
  const counts = TYPES.map((type) => ({ type, count: underRules[`${type}Count`] })).filter(
    ({ count }) => count > 0,
  );
  return (
    <Group gap="xs">
      <Text size="sm">
        <AtSecond at={detectedAt} />
      </Text>
      {counts.map((count) => (
        <ChangeCount key={count.type} size="sm" {...count} />
      ))}
      {isReported === false && (
        <Text size="sm" c="dimmed">
          not reported
        </Text>
      )}
      {isReported === null && (
        <Text size="sm" c="dimmed">
          none of the {counted(rowsRead, 'row')} that could be compared
        </Text>
      )}
    </Group>
  );
}
