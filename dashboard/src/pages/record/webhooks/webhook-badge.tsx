// A webhook's status: a sign and a word as well as a colour.
import { Badge } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconPlayerPause } from '@tabler/icons-react';
import { stateOf, type Webhook } from './webhook-model.ts';

const LOOKS = {
  enabled: ['teal', 'Enabled', IconCircleCheck],
  failing: ['red', 'Failing', IconAlertTriangle],
  disabled: ['gray', 'Disabled', IconPlayerPause],
  ended: ['red', 'Disabled after failures', IconAlertTriangle],
} as const;

export function WebhookBadge({ webhook }: { webhook: Webhook }) {
  const [color, word, Icon] = LOOKS[stateOf(webhook)];
  return (
    <Badge variant="light" tt="none" color={color} leftSection={<Icon size={12} aria-hidden />}>
      {word}
    </Badge>
  );
}
