// The events of the selected period, or the latest ones. New events appear automatically.
import { Skeleton, Text } from '@mantine/core';
import { Empty } from '../../../parts/blocks/empty.tsx';
import { ProblemNote } from '../../../parts/blocks/problem-note.tsx';
import { Section } from '../../../parts/blocks/section.tsx';
import { TextLink } from '../../../parts/controls/text-link.tsx';
import { EventList } from '../changes/event-list.tsx';
import { useEvents } from '../changes/use-events.ts';
import { useRecordPath } from '../../../parts/record/record-ref.ts';

const SHOWN = 3;

interface Props {
  since: string | null;
  until: string | null;
}

export function LatestEvents({ since, until }: Props) {
  const path = useRecordPath();
  const { events, error } = useEvents({ changesOnly: true, since, until });
  const isStretch = since !== null || until !== null;
  const period = new URLSearchParams({ ...(since !== null && { since }), ...(until !== null && { until }) });
  const all = `${path}/changes${isStretch ? `?${period}` : ''}`;
  return (
    <Section
      title={isStretch ? 'Events in the selected period' : 'Latest events'}
      actions={
        <Text size="sm" span>
          <TextLink to={all}>All changes</TextLink>
        </Text>
      }
    >
      <ProblemNote error={error} title="Could not load the events" />
      {events === undefined && error === null && <Skeleton h={240} />}
      {events?.length === 0 && <NoEvents isStretch={isStretch} />}
      {events !== undefined && events.length > 0 && <EventList events={events.slice(0, SHOWN)} />}
      {isStretch && events !== undefined && events.length > SHOWN && (
        <Text size="sm" c="dimmed">
          These are the latest {SHOWN} events of the period. All changes has the others.
        </Text>
      )}
    </Section>
  );
}

/** The retention deletes old events, so that none here does not mean that nothing has ever changed. */
const NoEvents = ({ isStretch }: { isStretch: boolean }) =>
  isStretch ? (
    <Empty title="No stored check found a change in this period">Choose another period, or all time.</Empty>
  ) : (
    <Empty title="No changes in the history that is kept">
      No stored check has found a change. The next change appears here automatically.
    </Empty>
  );
