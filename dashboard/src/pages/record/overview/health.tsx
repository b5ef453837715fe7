// Problems of a record, and what to do about them. Empty if there are none.
import { Alert, Anchor, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { formatCount } from '../../../parts/figures/change-count.tsx';
import { adviceOn, CHECK_ADVICE } from '../../../parts/record/check-advice.ts';
import { recordState, type TrackedRecord } from '../../../parts/record/record-state.ts';
import { OriginAnswer } from '../../../parts/blocks/origin-answer.tsx';
import { Ago, AtSecond } from '../../../parts/figures/time.tsx';
import { useRecordPath } from '../../../parts/record/record-ref.ts';

export function Health({ record }: { record: TrackedRecord }) {
  const { lastError, lastOutcome, notices = [] } = record;
  if (lastError === null && notices.length === 0 && lastOutcome !== 'held') return null;
  return (
    <Stack gap="sm">
      {lastOutcome === 'held' ? <Held record={record} /> : lastError !== null && <Failing record={record} />}
      {notices.map(({ webhookId, detail, at }) => (
        <Notice key={webhookId} webhookId={webhookId} detail={detail} at={at} />
      ))}
    </Stack>
  );
}

function Failing({ record }: { record: TrackedRecord }) {
  const path = useRecordPath();
  const { lastError, latestSnapshotId, failingSince, originAnswer, heldCheckId } = record;
  if (lastError === null) return null;
  const isPaused = recordState(record) === 'paused';
  return (
    <Alert color="red" variant="light" title={`${whatFailed(record)}: ${lastError.detail}`}>
      <Stack gap={6}>
        {failingSince !== null && (
          <Text size="sm">
            Failing since <AtSecond at={failingSince} />, <Ago at={failingSince} />.
          </Text>
        )}
        {originAnswer && <OriginAnswer answer={originAnswer} />}
        <Text size="sm">{adviceOn(lastError)}</Text>
        <Text size="sm">
          {latestSnapshotId !== null && 'The last snapshot stays: no row counts as deleted. '}
          {!isPaused && 'Checks on schedule continue. '}
          <Anchor component={Link} to={`${path}/settings`} inherit underline="always">
            Settings
          </Anchor>
          {' · '}
          <Anchor component={Link} to={`${path}/checks`} inherit underline="always">
            Checks
          </Anchor>
          {heldCheckId !== null && (
            <>
              {' · '}
              <Anchor component={Link} to={`${path}/checks/${heldCheckId}`} inherit underline="always">
                Review held changes
              </Anchor>
            </>
          )}
        </Text>
      </Stack>
    </Alert>
  );
}

/** Only checks that ask the origin are counted. Without one, new settings have made a check of the stored body fail. */
function whatFailed({ consecutiveFailures }: TrackedRecord): string {
  if (consecutiveFailures === 0) return 'The stored body could not be read with the new settings';
  if (consecutiveFailures === 1) return 'The last check failed';
  return `The last ${formatCount(consecutiveFailures)} checks failed`;
}

function Held({ record }: { record: TrackedRecord }) {
  const path = useRecordPath();
  const { heldCheckId } = record;
  const isDecided = heldCheckId === null;
  const isKey = record.lastError?.code === 'key_repeated';
  return (
    <Alert
      color="yellow"
      variant="light"
      title={
        isKey
          ? 'The last check is held: the key no longer tells the rows apart'
          : 'The last check is held: rows are missing'
      }
    >
      <Stack gap={6}>
        <Text size="sm">{record.lastError?.detail}</Text>
        <Text size="sm">
          {isDecided
            ? 'You have decided. The next check continues from there. '
            : `${CHECK_ADVICE[isKey ? 'key_repeated' : 'sharp_drop']} `}
          <Anchor
            component={Link}
            to={isDecided ? `${path}/checks` : `${path}/checks/${heldCheckId}`}
            inherit
            // The colour of links has too little contrast on this background in dark mode.
            c="inherit"
            underline="always"
          >
            {isDecided ? 'See the checks' : 'Review held changes'}
          </Anchor>
        </Text>
      </Stack>
    </Alert>
  );
}

function Notice({ webhookId, detail, at }: { webhookId: string; detail: string; at: string | null }) {
  const path = useRecordPath();
  return (
    <Alert color="yellow" variant="light" title="A webhook was disabled">
      <Text size="sm">
        {detail} {at !== null && <Ago at={at} />}{' '}
        <Anchor component={Link} to={`${path}/webhooks/${webhookId}`} inherit underline="always">
          See the webhook
        </Anchor>
      </Text>
    </Alert>
  );
}
