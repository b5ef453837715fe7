// What a check came to: a sign and a word besides the colour.
import { Badge } from '@mantine/core';
import { IconAlertTriangle, IconArrowsDiff, IconEqual, IconHandStop, IconLoader } from '@tabler/icons-react';
import type { components } from '../client/schema.ts';

type Outcome = components['schemas']['Check']['outcome'];

const LOOKS = {
  changed: ['teal', 'Changed', IconArrowsDiff],
  unchanged: ['gray', 'Unchanged', IconEqual],
  held: ['yellow', 'Held', IconHandStop],
  failed: ['red', 'Failed', IconAlertTriangle],
} as const;

export function CheckOutcome({ outcome }: { outcome: Outcome }) {
  const [color, word, Icon] = outcome === null ? (['cyan', 'Going on', IconLoader] as const) : LOOKS[outcome];
  return (
    <Badge
      variant="light"
      tt="none"
      miw="max-content"
      color={color}
      leftSection={<Icon size={12} aria-hidden />}
    >
      {word}
    </Badge>
  );
}
