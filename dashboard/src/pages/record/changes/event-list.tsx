// Delta events, one per line. The whole line links to the event's rows.
import { Group, Text } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { Link } from 'react-router';
import { ChangeCount } from '../../../parts/figures/change-count.tsx';
import { counted } from '../../../parts/figures/counted.ts';
import { CHANGE_TYPES } from '../../../parts/figures/change-sign.ts';
import { Ago, AtSecond } from '../../../parts/figures/time.tsx';
import { useRecordPath } from '../../../parts/record/record-ref.ts';
import classes from './event-list.module.css';
import { FirstRows } from './first-rows.tsx';
import { SchemaWords } from './schema-words.tsx';
import type { DeltaEvent } from './use-events.ts';
import { allChanges, countOf } from './use-rows-shown.ts';

export function EventList({ events }: { events: readonly DeltaEvent[] }) {
  return (
    <ul className={classes['list']} aria-label="Delta events">
      {events.map((event) => (
        <EventLine key={event.id} event={event} />
      ))}
    </ul>
  );
}

function EventLine({ event }: { event: DeltaEvent }) {
  const path = useRecordPath();
  const { isNoChange, previousSnapshotId, totalCount } = event;
  const isBaseline = previousSnapshotId === null;
  return (
    <li className={classes['event']}>
      <Link to={`${path}/changes/${encodeURIComponent(event.id)}`} className={classes['when']}>
        <AtSecond at={event.detectedAt} />
        <Text size="xs" c="dimmed" component="span">
          <Ago at={event.detectedAt} />
        </Text>
      </Link>
      <Group gap="xs" className={classes['what']}>
        {!isNoChange &&
          CHANGE_TYPES.filter((type) => countOf(event, type) > 0).map((type) => (
            <ChangeCount key={type} type={type} count={countOf(event, type)} />
          ))}
        {isNoChange && !isBaseline && (
          <Text size="sm" c="dimmed">
            Nothing changed
          </Text>
        )}
        <SchemaWords event={event} />
        <FirstRows rows={event.firstRows ?? []} total={allChanges(event)} />
      </Group>
      <Text size="sm" c="dimmed" className={classes['total']}>
        {counted(totalCount, 'row')}
      </Text>
      <IconChevronRight size={16} aria-hidden className={classes['arrow']} />
    </li>
  );
}
