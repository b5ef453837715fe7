// What the owner of a webhook has to know: its endpoint fails, or has failed for so long that nothing is sent any more.
import { Alert, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Ago } from '../../../parts/time.tsx';
import { stateOf, type Webhook } from './webhook-model.ts';

export function FailureNotice({ webhook }: { webhook: Webhook }) {
  const state = stateOf(webhook);
  if (state === 'failing' && webhook.failingSince !== null) {
    return (
      <Notice title="Every attempt has failed">
        The first that failed was made <Ago at={webhook.failingSince} />. Deliveries are tried again for about
        three days; after five days of nothing but failures the webhook is disabled. The deliveries below say
        what the endpoint answered.
      </Notice>
    );
  }
  if (state !== 'ended') return null;
  return (
    <Notice title="Nothing is sent any more">
      {webhook.disabledReason}
      {webhook.disabledAt !== null && (
        <>
          {' '}
          That was <Ago at={webhook.disabledAt} />.
        </>
      )}{' '}
      Repair the endpoint, enable the webhook, and recover what it has missed.
    </Notice>
  );
}

const Notice = ({ title, children }: { title: string; children: ReactNode }) => (
  <Alert color="red" variant="light" title={title} icon={<IconAlertTriangle aria-hidden />}>
    <Text size="sm">{children}</Text>
  </Alert>
);
