// The webhooks of a record or of the account: endpoint, events, status.
import { Anchor, Stack, Table, Text } from '@mantine/core';
import { Link } from 'react-router';
import { Ago } from '../../../parts/figures/time.tsx';
import { WebhookBadge } from './webhook-badge.tsx';
import { sourcesWords } from './sources-words.ts';
import { LastDelivery, SuccessRate } from './webhook-activity.tsx';
import type { Webhook } from './webhook-model.ts';
import { type Owner, useWebhooksPath } from './webhook-queries.ts';

export const WebhookTable = ({ owner, webhooks }: { owner: Owner; webhooks: readonly Webhook[] }) => (
  <Table.ScrollContainer minWidth={880}>
    <Table verticalSpacing="md" aria-label="Webhooks">
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">Endpoint</Table.Th>
          {owner === null && <Table.Th scope="col">Records</Table.Th>}
          <Table.Th scope="col">Events</Table.Th>
          <Table.Th scope="col">State</Table.Th>
          <Table.Th scope="col">Last delivery</Table.Th>
          <Table.Th scope="col">Delivered</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {webhooks.map((webhook) => (
          <WebhookRow key={webhook.id} owner={owner} webhook={webhook} />
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
);

function WebhookRow({ owner, webhook }: { owner: Owner; webhook: Webhook }) {
  const path = useWebhooksPath(owner);
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={400} maw={420}>
        <Anchor
          component={Link}
          to={`${path}/${webhook.id}`}
          ff="monospace"
          size="sm"
          style={{ overflowWrap: 'anywhere' }}
        >
          {webhook.url}
        </Anchor>
        {webhook.description !== null && (
          <Text size="sm" c="dimmed" lineClamp={2}>
            {webhook.description}
          </Text>
        )}
      </Table.Th>
      {webhook.sources !== undefined && <Table.Td>{sourcesWords(webhook.sources)}</Table.Td>}
      <Table.Td>
        {webhook.eventTypes.join(', ')}
        {webhook.filters !== null && (
          <Text size="sm" c="dimmed">
            filtered
          </Text>
        )}
      </Table.Td>
      <Table.Td maw={300}>
        <State webhook={webhook} />
      </Table.Td>
      <Table.Td>
        <LastDelivery path={`${path}/${webhook.id}`} activity={webhook.activity} />
      </Table.Td>
      <Table.Td>
        <SuccessRate activity={webhook.activity} />
      </Table.Td>
    </Table.Tr>
  );
}

const State = ({ webhook }: { webhook: Webhook }) => (
  <Stack gap={4} align="flex-start">
    <WebhookBadge webhook={webhook} />
    {webhook.enabled && webhook.failingSince !== null && (
      <Text size="sm" c="dimmed">
        Every attempt has failed since <Ago at={webhook.failingSince} />
      </Text>
    )}
    {webhook.disabledReason !== null && (
      <Text size="sm" c="dimmed">
        {webhook.disabledReason}
      </Text>
    )}
  </Stack>
);
