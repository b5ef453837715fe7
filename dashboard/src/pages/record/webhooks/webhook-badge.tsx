// A webhook's status.
import { IconAlertTriangle, IconCircleCheck, IconPlayerPause } from '@tabler/icons-react';
import { StateBadge } from '../../../parts/figures/state-badge.tsx';
import { stateOf, type Webhook } from './webhook-model.ts';

const LOOKS = {
  enabled: ['teal', 'Enabled', IconCircleCheck],
  failing: ['red', 'Failing', IconAlertTriangle],
  disabled: ['gray', 'Disabled', IconPlayerPause],
  ended: ['red', 'Disabled after failures', IconAlertTriangle],
} as const;

export const WebhookBadge = ({ webhook }: { webhook: Webhook }) => (
  <StateBadge look={LOOKS[stateOf(webhook)]} />
);
