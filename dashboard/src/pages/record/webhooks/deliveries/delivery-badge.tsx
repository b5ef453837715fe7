// A delivery's status.
import { IconBan, IconCircleCheck, IconCircleX, IconClock } from '@tabler/icons-react';
import { StateBadge } from '../../../../parts/figures/state-badge.tsx';
import type { DeliveryStatus } from '../webhook-model.ts';

const LOOKS = {
  pending: ['blue', 'pending', IconClock],
  delivered: ['teal', 'delivered', IconCircleCheck],
  failed: ['red', 'failed', IconCircleX],
  cancelled: ['gray', 'cancelled', IconBan],
} as const;

export const DeliveryBadge = ({ status }: { status: DeliveryStatus }) => <StateBadge look={LOOKS[status]} />;
