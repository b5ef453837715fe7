// Sends a delivery again, and links operators to its workflow.
import { Button, Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { OperatorLink } from '../../../../parts/controls/operator-link.tsx';
import { ProblemNote } from '../../../../parts/blocks/problem-note.tsx';
import { DeliveryResult } from './delivery-result.tsx';
import type { Delivery } from '../webhook-model.ts';
import { useRefreshWebhooks, useWebhookDeeds, type WebhookPath } from '../webhook-queries.ts';

export function Redeliver({ path, delivery }: { path: WebhookPath; delivery: Delivery }) {
  const { redeliver } = useWebhookDeeds(path);
  const refresh = useRefreshWebhooks();
  const { mutate, isPending, data, variables, error } = useMutation({
    mutationFn: (_attemptsBefore: number) => redeliver(delivery.id),
    onSettled: () => void refresh(),
  });
  // The last answer may have attempts that the delivery of the page does not have yet.
  const send = (): void => mutate(Math.max(delivery.attemptCount, data?.attemptCount ?? 0));
  return (
    <Stack gap="sm">
      <Group>
        <Button variant="default" loading={isPending} onClick={send}>
          {delivery.status === 'pending' ? 'Attempt now' : 'Send again'}
        </Button>
        <OperatorLink workflowId={`delivery/${delivery.id}`} what="this delivery" />
      </Group>
      <div aria-live="polite">
        {data && (
          <DeliveryResult
            // The answer may come before the attempt. Then a later look at the delivery has the result.
            delivery={delivery.attemptCount > data.attemptCount ? delivery : data}
            attemptsBefore={variables}
            isBrief
          />
        )}
      </div>
      <ProblemNote error={error} title="Not sent" />
    </Stack>
  );
}
