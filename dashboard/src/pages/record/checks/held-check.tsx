// A held check: what it would delete, change and add, and a person's word on it.
import { Alert, Anchor, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { Link } from 'react-router';
import { answerOf } from '../../../client/answer-of.ts';
import { isProblem } from '../../../client/problem.ts';
import type { components } from '../../../client/schema.ts';
import { ConfirmButton } from '../../../parts/confirm-button.tsx';
import { counted } from '../../../parts/counted.ts';
import { Section } from '../../../parts/section.tsx';
import { At } from '../../../parts/time.tsx';
import { useRecordPath } from '../record-ref.ts';
import { useRecordAction } from '../use-record-action.ts';
import { DECISIONS } from './check-words.ts';
import { HeldKeys } from './held-keys.tsx';

type CheckDetail = components['schemas']['CheckDetail'];

const PREFER = { header: { Prefer: 'wait=20' } };

export function HeldCheck({ check }: { check: CheckDetail }) {
  const { decision, decidedAt, heldChanges } = check;
  return (
    <Section
      title="Held changes"
      description="None of this is recorded. The last snapshot stays until a later check confirms the drop, or until you decide."
      actions={decision === null && <Decide check={check} />}
    >
      {decision !== null && decidedAt !== null && <Decided decision={decision} at={decidedAt} />}
      {heldChanges === null ? (
        <Text size="sm">It is not known what this check would change.</Text>
      ) : (
        <HeldKeys held={heldChanges} />
      )}
    </Section>
  );
}

function Decided({ decision, at }: { decision: 'accepted' | 'rejected'; at: string }) {
  const path = useRecordPath();
  return (
    <Alert color={decision === 'accepted' ? 'teal' : 'gray'} variant="light" role="note">
      <Text size="sm">
        {DECISIONS[decision]} on <At at={at} />.{' '}
        {decision === 'accepted' ? (
          <Anchor component={Link} to={`${path}/changes`} underline="always" inherit>
            See the changes
          </Anchor>
        ) : (
          'As long as the origin sends about as many rows, its checks are held, and each waits for your decision.'
        )}
      </Text>
    </Alert>
  );
}

/** Somebody else was first: the dialog goes as soon as the page knows, so that it is said outside of it. */
const TELL_CONFLICT = {
  onError: (error: Error): void => {
    if (!isProblem(error, 'conflict')) return;
    notifications.show({ color: 'red', title: 'Your decision was not saved', message: error.message });
  },
};

function Decide({ check: { id: checkId, heldChanges } }: { check: CheckDetail }) {
  const accept = useRecordAction((api, { path }, _given: void) =>
    answerOf(
      api.POST('/v1/sources/{id}/checks/{checkId}/accept', {
        params: { path: { ...path, checkId }, ...PREFER },
      }),
    ),
  );
  const reject = useRecordAction((api, { path }, _given: void) =>
    answerOf(
      api.POST('/v1/sources/{id}/checks/{checkId}/reject', { params: { path: { ...path, checkId } } }),
    ),
  );
  const deleted =
    heldChanges === null
      ? ''
      : ` ${counted(heldChanges.deletedCount, 'row counts', 'rows count')} as deleted.`;
  return (
    <Group gap="xs">
      <ConfirmButton
        title="Reject held changes?"
        explanation="The last snapshot stays. A drop to about as many rows is then held each time, until somebody accepts it or the rows are back."
        confirm="Reject"
        onConfirm={() => reject.mutateAsync(undefined, TELL_CONFLICT)}
      >
        Reject
      </ConfirmButton>
      <ConfirmButton
        variant="filled"
        title="Accept held changes?"
        explanation={`The held changes are recorded as they are, and webhooks are sent.${deleted} This cannot be undone.`}
        confirm="Accept"
        onConfirm={() => accept.mutateAsync(undefined, TELL_CONFLICT)}
      >
        Accept
      </ConfirmButton>
    </Group>
  );
}
