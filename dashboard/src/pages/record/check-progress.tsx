// The progress of a requested check, second by second, and its result.
import { Alert, Anchor, Group, Loader, Text } from '@mantine/core';
import { Link } from 'react-router';
import { ChangeCount, formatCount } from '../../parts/figures/change-count.tsx';
import { counted } from '../../parts/figures/counted.ts';
import { ProblemNote } from '../../parts/blocks/problem-note.tsx';
import { useNow } from '../../parts/figures/time.tsx';
import classes from './record-header.module.css';
import { useRecordPath } from '../../parts/record/record-ref.ts';
import type { DoneCheck, useCheckNow } from './use-check-now.ts';

const OUTCOMES = {
  changed: ['cyan', 'Checked: rows have changed'],
  unchanged: ['gray', 'Checked: nothing has changed'],
  held: ['yellow', 'Checked: the result is held'],
  failed: ['red', 'The check failed'],
} as const;
const RUNNING = ['gray', 'The check is still running'] as const;
const FIRST = ['cyan', 'Checked: this is the first snapshot'] as const;

const ADVICE = {
  rate_limited: 'No more checks are allowed this hour. Scheduled checks continue.',
};

interface Props {
  asked: ReturnType<typeof useCheckNow>;
  /** Of the record's last check, in ISO 8601. */
  lastCheckedAt: string | null;
}

export function CheckProgress({ asked, lastCheckedAt }: Props) {
  const { isPending, submittedAt, data, error, reset } = asked;
  return (
    <output aria-label="Progress of the check" className={classes['progress']}>
      {isPending && <Going sinceMs={submittedAt} />}
      {error !== null && <ProblemNote error={error} title="The check did not start" advice={ADVICE} />}
      {data !== undefined && !isOutdated(data, lastCheckedAt) && <Done done={data} onClose={reset} />}
    </output>
  );
}

/** Another check has run since. */
const isOutdated = ({ check: { finishedAt } }: DoneCheck, lastCheckedAt: string | null): boolean =>
  finishedAt !== null &&
  lastCheckedAt !== null &&
  Date.parse(lastCheckedAt) > Date.parse(finishedAt) + SLACK_MS;

/** The time between a check's end and the record's update. */
const SLACK_MS = 1_000;

function Going({ sinceMs }: { sinceMs: number }) {
  const seconds = Math.max(0, Math.floor((useNow() - sinceMs) / 1_000));
  return (
    <Alert color="cyan" variant="light" icon={<Loader size={16} aria-hidden />} title="Checking now">
      <Text size="sm">
        The data is fetched and compared with the last snapshot.{' '}
        <span aria-hidden>{seconds > 0 && `${seconds} s so far.`}</span>
      </Text>
    </Alert>
  );
}

function Done({ done: { check, event }, onClose }: { done: DoneCheck; onClose: () => void }) {
  const path = useRecordPath();
  const { outcome, error } = check;
  const isFirst = event?.previousSnapshotId === null;
  const [color, title] = isFirst ? FIRST : outcome === null ? RUNNING : OUTCOMES[outcome];
  const counts = event === null || event.isNoChange ? null : event.summary;
  return (
    <Alert
      color={color}
      variant="light"
      title={title}
      withCloseButton
      closeButtonLabel="Close"
      onClose={onClose}
    >
      <Group gap="xs">
        {counts !== null && <ChangeCount type="new" count={counts.newCount} />}
        {counts !== null && <ChangeCount type="changed" count={counts.changedCount} />}
        {counts !== null && <ChangeCount type="deleted" count={counts.deletedCount} />}
        {isFirst && <Text size="sm">{`${counted(event.totalCount, 'row')}.`}</Text>}
        {error !== null && <Text size="sm">{error.detail}</Text>}
        {outcome === 'changed' && check.deltaEventId !== null ? (
          <Anchor component={Link} to={`${path}/changes/${check.deltaEventId}`} size="sm" underline="always">
            See the rows
          </Anchor>
        ) : (
          <Anchor component={Link} to={`${path}/checks/${check.id}`} size="sm" underline="always">
            {check.number === null ? 'See the check' : `See check ${formatCount(check.number)}`}
          </Anchor>
        )}
      </Group>
    </Alert>
  );
}
