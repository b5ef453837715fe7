// One webhook, of a record or of the account: its status, its actions, and its deliveries.
import { Group, Skeleton, Stack, Title } from '@mantine/core';
import { BackLink } from '../../../parts/controls/back-link.tsx';
import { ProblemNote } from '../../../parts/blocks/problem-note.tsx';
import { DeliveryDrawer } from './deliveries/delivery-drawer.tsx';
import { Deliveries } from './deliveries/deliveries.tsx';
import { FailingEndpoint } from './failing-endpoint.tsx';
import { WebhookActions } from './webhook-actions.tsx';
import { WebhookBadge } from './webhook-badge.tsx';
import { WebhookFacts } from './webhook-facts.tsx';
import { useWebhook, useWebhooksPath, type WebhookPath } from './webhook-queries.ts';

export const WebhookPage = ({ path }: { path: WebhookPath }) => (
  <Stack gap="xl">
    <BackLink to={useWebhooksPath(path.id)}>All webhooks</BackLink>
    <Summary path={path} />
    <Deliveries path={path} />
    <DeliveryDrawer path={path} />
  </Stack>
);

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
      {path.id === null && <title>Webhook · Recordwatch</title>}
      <Group justify="space-between" align="flex-start">
        <Group gap="sm" flex="1 1 320px">
          <Title
            order={path.id === null ? 1 : 2}
            fz="h2"
            ff="monospace"
            fw={500}
            style={{ overflowWrap: 'anywhere' }}
          >
            {webhook.url}
          </Title>
          <WebhookBadge webhook={webhook} />
        </Group>
        <WebhookActions path={path} webhook={webhook} />
      </Group>
      <FailingEndpoint webhook={webhook} />
      <WebhookFacts webhook={webhook} />
    </>
  );
}
