// A held check: what it would delete, change and add, and the buttons to decide.
import { Alert, Anchor, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { Link } from 'react-router';
import { answerOf } from '../../../client/answer-of.ts';
import { isProblem } from '../../../client/problem.ts';
import type { components } from '../../../client/schema.ts';
import { ConfirmButton } from '../../../parts/forms/confirm-button.tsx';
import { counted } from '../../../parts/figures/counted.ts';
import { Section } from '../../../parts/blocks/section.tsx';
import { At } from '../../../parts/figures/time.tsx';
import { useRecordPath, useRecordRef } from '../../../parts/record/record-ref.ts';
import { useRecord } from '../../../parts/record/use-record.ts';
import { useRecordAction } from '../use-record-action.ts';
import { DECISIONS } from './check-words.ts';
import { HeldKeys } from './held-keys.tsx';

type CheckDetail = components['schemas']['CheckDetail'];

const PREFER = { header: { Prefer: 'wait=20' } };

type Reason = 'key' | 'drop';

const reasonOf = ({ error }: CheckDetail): Reason => (error?.code === 'key_repeated' ? 'key' : 'drop');

const HELD_WORDS = {
  drop: 'None of this is recorded. The last snapshot stays until a later check confirms the drop, or until you decide.',
  key: 'None of this is recorded. The last snapshot stays until the key tells the rows apart again, you set key fields, or you accept this.',
} as const;

const ACCEPT_WORDS = {
  drop: 'The held changes are recorded as they are, and webhooks are sent.',
  key: 'The key is chosen again from the held data. No row counts as new, changed or deleted, and no webhook is sent.',
} as const;

const REJECT_WORDS = {
  drop: 'The last snapshot stays. Such data with about as many rows are then held each time, until somebody accepts them or the rows are back.',
  key: 'The last snapshot stays. Each later check is held while the key repeats.',
} as const;

const REJECTED_WORDS = {
  drop: 'As long as the origin sends such data with about as many rows, its checks are held, and each waits for your decision.',
  key: 'As long as the key repeats, each check is held and waits for your decision. Key fields that you set in the settings end that.',
} as const;

/** Also before the page knows that the check is held. */
const REPLACED =
  'This check cannot be decided: a later check has confirmed or replaced it, or an earlier one was accepted and is recorded first.';

export function HeldCheck({ check }: { check: CheckDetail }) {
  const { decision, decidedAt, heldChanges } = check;
  const { data: record } = useRecord(useRecordRef());
  const reason = reasonOf(check);
  const isOpen = decision === null && record?.heldCheckId === check.id;
  return (
    <Section
      title="Held changes"
      {...(isOpen && { description: HELD_WORDS[reason], actions: <Decide check={check} /> })}
    >
      {decision !== null && decidedAt !== null && (
        <Decided decision={decision} reason={reason} at={decidedAt} />
      )}
      {decision === null && record !== undefined && !isOpen && <Text size="sm">{REPLACED}</Text>}
      {heldChanges === null ? (
        <Text size="sm">It is not known what this check would change.</Text>
      ) : (
        <HeldKeys held={heldChanges} />
      )}
    </Section>
  );
}

interface DecidedProps {
  decision: 'accepted' | 'rejected';
  reason: Reason;
  at: string;
}

function Decided({ decision, reason, at }: DecidedProps) {
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
          REJECTED_WORDS[reason]
        )}
      </Text>
    </Alert>
  );
}

/** If somebody else decided first, the dialog closes as soon as the page knows, so this note is outside of it. */
const TELL_CONFLICT = {
  onError: (error: Error): void => {
    if (!isProblem(error, 'conflict')) return;
    notifications.show({ color: 'red', title: 'Your decision was not saved', message: error.message });
  },
};

function Decide({ check }: { check: CheckDetail }) {
  const { id: checkId, heldChanges } = check;
  const reason = reasonOf(check);
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
        explanation={REJECT_WORDS[reason]}
        confirm="Reject"
        onConfirm={() => reject.mutateAsync(undefined, TELL_CONFLICT)}
      >
        Reject
      </ConfirmButton>
      <ConfirmButton
        variant="filled"
        title="Accept held changes?"
        explanation={`${ACCEPT_WORDS[reason]}${deleted} This cannot be undone.`}
        confirm="Accept"
        onConfirm={() => accept.mutateAsync(undefined, TELL_CONFLICT)}
      >
        Accept
      </ConfirmButton>
    </Group>
  );
}
