// The webhooks of the account, each for several records.
import { Stack, Text } from '@mantine/core';
import { useInstallation } from '../../client/installation.ts';
import { LockedNote } from '../../parts/blocks/locked-note.tsx';
import { PageTitle } from '../../parts/blocks/page-title.tsx';
import { useIsLocked } from '../../parts/state/use-usage.ts';
import { NewWebhook } from '../record/webhooks/endpoint/new-webhook.tsx';
import { WebhookList } from '../record/webhooks/webhook-list.tsx';

export function Component() {
  const isLocked = useIsLocked();
  const { sendsMails } = useInstallation();
  return (
    <Stack gap="md">
      <PageTitle title="Webhooks">
        {(!isLocked || sendsMails) && <NewWebhook owner={null} onlyMails={isLocked} />}
      </PageTitle>
      <Text size="sm" c="dimmed" maw={680}>
        One endpoint for several records: all of them, those with given labels, or a list. Webhooks of a
        single record are on its Webhooks tab.
      </Text>
      {isLocked && <LockedNote feature="Webhooks" isAnonymous={false} />}
      <WebhookList owner={null} isLocked={isLocked} />
    </Stack>
  );
}
