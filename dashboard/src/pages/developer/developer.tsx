// Account keys, connected clients, usage, and what all webhooks have in common.
import { Stack } from '@mantine/core';
import { PageTitle } from '../../parts/blocks/page-title.tsx';
import { AccountKeys } from './account-keys.tsx';
import { ConnectedClients } from './connected-clients.tsx';
import { UsageSection } from './usage-section.tsx';
import { WebhookDefaults } from './webhook-defaults.tsx';

export const Component = () => (
  <>
    <PageTitle title="Developer settings" />
    <Stack gap={56} mt="lg">
      <AccountKeys />
      <ConnectedClients />
      <UsageSection />
      <WebhookDefaults />
    </Stack>
  </>
);
