// A record's status: a sign and a word as well as a colour.
import { Badge, type BadgeProps, Loader } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconClock,
  IconHandStop,
  IconPlayerPause,
} from '@tabler/icons-react';
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
  const [color, word, Icon] = LOOKS[state];
  return (
    <Badge
      variant="light"
      tt="none"
      miw="max-content"
      color={color}
      leftSection={<Icon size={12} aria-hidden />}
      {...props}
    >
      {word}
    </Badge>
  );
}
