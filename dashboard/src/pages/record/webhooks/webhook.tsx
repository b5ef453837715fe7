// One webhook: its status, its actions, and its deliveries.
import { Group, Skeleton, Stack, Title } from '@mantine/core';
import { useParams } from 'react-router';
import { BackLink } from '../../../parts/controls/back-link.tsx';
import { ProblemNote } from '../../../parts/blocks/problem-note.tsx';
import { useRecordPath, useRecordRef } from '../record-ref.ts';
import { DeliveryDrawer } from './deliveries/delivery-drawer.tsx';
import { Deliveries } from './deliveries/deliveries.tsx';
import { FailureNotice } from './failure-notice.tsx';
import { WebhookActions } from './webhook-actions.tsx';
import { WebhookBadge } from './webhook-badge.tsx';
import { WebhookFacts } from './webhook-facts.tsx';
import { useWebhook, type WebhookPath } from './webhook-queries.ts';

export function Component() {
  const path = { id: useRecordRef(), webhookId: useParams()['webhookId'] ?? '' };
  return (
    <Stack gap="xl">
      <BackLink to={`${useRecordPath()}/webhooks`}>All webhooks</BackLink>
      <Summary path={path} />
      <Deliveries path={path} />
      <DeliveryDrawer path={path} />
    </Stack>
  );
}

function Summary({ path }: { path: WebhookPath }) {
  const { data: webhook, error } = useWebhook(path);
  if (webhook === undefined) {
    return error === null ? (
      <Skeleton h={220} />
    ) : (
      <ProblemNote error={error} title="Could not load this webhook" />
    );
  }
  return (
    <>
      <Group justify="space-between" align="flex-start">
        <Group gap="sm" flex="1 1 320px">
          <Title order={2} ff="monospace" fw={500} style={{ overflowWrap: 'anywhere' }}>
            {webhook.url}
          </Title>
          <WebhookBadge webhook={webhook} />
        </Group>
        <WebhookActions path={path} webhook={webhook} />
      </Group>
      <FailureNotice webhook={webhook} />
      <WebhookFacts webhook={webhook} />
    </>
  );
}
