// The actions on every tab of a record: check now, pause, resume.
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPlayerPause, IconPlayerPlay, IconRefresh } from '@tabler/icons-react';
import { answerOf } from '../../client/answer-of.ts';
import { isProblem } from '../../client/problem.ts';
import { OperatorLink } from '../../parts/controls/operator-link.tsx';
import type { TrackedRecord } from '../../parts/record/record-state.ts';
import type { useCheckNow } from './use-check-now.ts';
import { useRecordRef } from '../../parts/record/record-ref.ts';
import { useRecordAction } from './use-record-action.ts';
import { useShowRecord } from '../../parts/record/use-record.ts';

interface Props {
  record: TrackedRecord;
  asked: ReturnType<typeof useCheckNow>;
}

export function RecordActions({ record, asked }: Props) {
  const isPaused = record.status === 'paused';
  return (
    <>
      <OperatorLink workflowId={`record/${record.id}`} what="this record" />
      <PauseButton isPaused={isPaused} />
      <Button
        leftSection={<IconRefresh size={16} aria-hidden />}
        loading={asked.isPending}
        disabled={isPaused}
        onClick={() => asked.mutate()}
      >
        Check now
      </Button>
    </>
  );
}

export function PauseButton({ isPaused }: { isPaused: boolean }) {
  const { mutate, isPending } = usePause();
  const ref = useRecordRef();
  const show = useShowRecord();
  const Icon = isPaused ? IconPlayerPlay : IconPlayerPause;
  return (
    <Button
      variant="default"
      leftSection={<Icon size={16} aria-hidden />}
      loading={isPending}
      onClick={() => mutate(!isPaused, { onSuccess: (record) => show(ref, record), onError: tell })}
    >
      {isPaused ? 'Resume' : 'Pause'}
    </Button>
  );
}

const usePause = () =>
  useRecordAction((api, params, isToPause: boolean) =>
    answerOf(
      isToPause
        ? api.POST('/v1/sources/{id}/pause', { params })
        : api.POST('/v1/sources/{id}/resume', { params }),
    ),
  );

const tell = (error: unknown): void => {
  notifications.show({
    color: 'red',
    title: 'That did not work',
    message: isProblem(error) ? error.message : 'Something failed in this page.',
  });
};
