// A record's name, its origin, its status, and its actions.
import { shownName } from '../../client/shown-name.ts';
import { Group, Stack, Text, Title } from '@mantine/core';
import { NextCheck } from '../../parts/figures/next-check.tsx';
import { OriginHost } from '../../parts/record/origin-host.tsx';
import { recordState, type TrackedRecord } from '../../parts/record/record-state.ts';
import { StatusBadge } from '../../parts/record/status-badge.tsx';
import { Ago } from '../../parts/figures/time.tsx';
import { CheckProgress } from './check-progress.tsx';
import { RecordActions } from './record-actions.tsx';
import classes from './record-header.module.css';
import { useCheckNow } from './use-check-now.ts';
import { useResetCheckResult } from './use-passing-word.ts';

export function RecordHeader({ record }: { record: TrackedRecord }) {
  const asked = useCheckNow();
  useResetCheckResult(asked);
  const state = asked.isPending ? 'checking' : recordState(record);
  return (
    <Stack gap="sm" component="header" mb="md">
      <Group justify="space-between" align="flex-start" gap="sm">
        <div className={classes['words']}>
          <Group gap="sm">
            <Title order={1} className={classes['name']} lineClamp={2} title={shownName(record.name)}>
              {shownName(record.name)}
            </Title>
            <StatusBadge state={state} size="lg" />
          </Group>
          <Text c="dimmed" size="sm" component="div" className={classes['facts']}>
            <OriginHost url={record.url} />
            <span>
              {record.lastCheckedAt === null ? 'Not checked yet' : <Checked at={record.lastCheckedAt} />}
            </span>
            <span>
              <Next record={record} />
            </span>
          </Text>
        </div>
        <Group gap="xs">
          <RecordActions record={record} asked={asked} />
        </Group>
      </Group>
      <CheckProgress asked={asked} lastCheckedAt={record.lastCheckedAt} />
    </Stack>
  );
}

const Checked = ({ at }: { at: string }) => (
  <>
    Checked <Ago at={at} />
  </>
);

const Next = ({ record: { status, nextCheckAt } }: { record: TrackedRecord }) =>
  status === 'paused' ? (
    'Paused: no check is scheduled'
  ) : (
    <>
      Next check: <NextCheck at={nextCheckAt} />
    </>
  );
