// A delivery's status: a sign and a word as well as a colour.
import { Badge } from '@mantine/core';
import { IconBan, IconCircleCheck, IconCircleX, IconClock } from '@tabler/icons-react';
import type { DeliveryStatus } from '../webhook-model.ts';

const LOOKS = {
  pending: ['blue', IconClock],
  delivered: ['teal', IconCircleCheck],
  failed: ['red', IconCircleX],
  cancelled: ['gray', IconBan],
} as const;

export function DeliveryBadge({ status }: { status: DeliveryStatus }) {
  const [color, Icon] = LOOKS[status];
  return (
    <Badge variant="light" tt="none" color={color} leftSection={<Icon size={12} aria-hidden />}>
      {status}
    </Badge>
  );
}
