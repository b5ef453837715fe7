// Recovers a webhook's missed deliveries, after it has counted them.
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { faultAt, isElsewhere } from '../../../parts/forms/field-faults.ts';
import { formatCount } from '../../../parts/figures/change-count.tsx';
import { localMinute } from '../../../parts/figures/local-minute.ts';
import { ProblemNote } from '../../../parts/blocks/problem-note.tsx';
import { Dialog } from '../../../parts/controls/dialog.tsx';
import type { Webhook } from './webhook-model.ts';
import { useRefreshWebhooks, useWebhookDeeds, type WebhookPath, type TaskProps } from './webhook-queries.ts';

const DAY_MS = 86_400_000;

export function RecoverWebhook({ path, webhook, onClose }: TaskProps) {
  const [since, setSince] = useState(() => localMinute(startOf(webhook)));
  const { count, send, forget } = useRecovery(path, since);
  const error = send.error ?? count.error;
  const choose = (minute: string): void => {
    setSince(minute);
    forget();
  };
  return (
    <Dialog title="Recover missed deliveries" onClose={onClose}>
      <Stack>
        <Text size="sm">
          Sends failed and cancelled deliveries, and changes from the time when the webhook was disabled,
          oldest first. Deliveries that succeeded are not sent again.
        </Text>
        <TextInput
          type="datetime-local"
          label="Since"
          description="In your time zone"
          required
          value={since}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
          error={faultAt(error, '/since')}
        />
        <div aria-live="polite">
          {send.data && <Sent {...send.data} />}
          {!send.data && count.data && <Counted {...count.data} />}
        </div>
        {isElsewhere(error, ['/since']) && <ProblemNote error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {send.data ? 'Done' : 'Cancel'}
          </Button>
          {!send.data && !count.data && (
            <Button loading={count.isPending} disabled={since === ''} onClick={() => count.mutate()}>
              Count deliveries
            </Button>
          )}
          {!send.data && count.data && count.data.count > 0 && (
            <Button loading={send.isPending} onClick={() => send.mutate()}>
              Send {formatCount(count.data.count)}
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
}

/** When the webhook began to fail, if known; otherwise a day ago. */
const startOf = ({ failingSince, disabledAt }: Webhook): string =>
  failingSince ?? disabledAt ?? new Date(Date.now() - DAY_MS).toISOString();

function useRecovery(path: WebhookPath, minute: string) {
  const { recover } = useWebhookDeeds(path);
  const refresh = useRefreshWebhooks();
  const since = () => new Date(minute).toISOString();
  const count = useMutation({ mutationFn: () => recover({ since: since(), dryRun: true }) });
  const send = useMutation({
    mutationFn: () => recover({ since: since() }),
    onSuccess: () => void refresh(),
  });
  const forget = (): void => {
    count.reset();
    send.reset();
  };
  return { count, send, forget };
}

interface Recovery {
  count: number;
  hasMore: boolean;
}

const Counted = ({ count, hasMore }: Recovery) => (
  <Text fw={600}>
    {count === 0 && 'Nothing was missed since then.'}
    {count === 1 && 'One delivery would be sent.'}
    {count > 1 &&
      `${formatCount(count)} deliveries would be sent${hasMore ? ' now, and there are more' : ''}.`}
  </Text>
);

const Sent = ({ count, hasMore }: Recovery) => (
  <Text fw={600}>
    {formatCount(count)} {count === 1 ? 'delivery is' : 'deliveries are'} in progress.
    {hasMore && ' There are more: recover again when these are done.'}
  </Text>
);
