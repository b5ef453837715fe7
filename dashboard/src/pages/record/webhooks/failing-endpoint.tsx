// Tells the owner that the endpoint fails, or has failed for so long that the webhook was disabled.
import { Alert, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Ago } from '../../../parts/figures/time.tsx';
import { stateOf, type Webhook } from './webhook-model.ts';

export function FailingEndpoint({ webhook }: { webhook: Webhook }) {
  const state = stateOf(webhook);
  if (state === 'failing' && webhook.failingSince !== null) {
    return (
      <Notice title="Every attempt has failed">
        The first failed attempt was <Ago at={webhook.failingSince} />. Deliveries are retried for about three
        days. After five days of nothing but failures the webhook is disabled. The deliveries below show what
        the endpoint answered.
      </Notice>
    );
  }
  if (state !== 'ended') return null;
  return (
    <Notice title="Deliveries have stopped">
      {webhook.disabledReason}
      {webhook.disabledAt !== null && (
        <>
          {' '}
          It was disabled <Ago at={webhook.disabledAt} />.
        </>
      )}{' '}
      Fix the endpoint, enable the webhook, and recover missed deliveries.
    </Notice>
  );
}

const Notice = ({ title, children }: { title: string; children: ReactNode }) => (
  <Alert color="red" variant="light" title={title} icon={<IconAlertTriangle aria-hidden />}>
    <Text size="sm">{children}</Text>
  </Alert>
);
