// A record's status.
import { Badge, type BadgeProps, Loader } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconClock,
  IconHandStop,
  IconPlayerPause,
} from '@tabler/icons-react';
import { StateBadge } from '../figures/state-badge.tsx';
import type { RecordState } from './record-state.ts';

const LOOKS = {
  failing: ['red', 'Failing', IconAlertTriangle],
  held: ['yellow', 'Held', IconHandStop],
  healthy: ['teal', 'Healthy', IconCircleCheck],
  paused: ['gray', 'Paused', IconPlayerPause],
  waiting: ['gray', 'Waiting', IconClock],
} as const;

interface Props extends BadgeProps {
  state: RecordState;
}

export function StatusBadge({ state, ...props }: Props) {
  if (state === 'checking') {
    return (
      <Badge
        variant="light"
        tt="none"
        miw="max-content"
        color="cyan"
        leftSection={<Loader size={10} aria-hidden />}
        {...props}
      >
        Checking
      </Badge>
    );
  }
  return <StateBadge look={LOOKS[state]} miw="max-content" {...props} />;
}
