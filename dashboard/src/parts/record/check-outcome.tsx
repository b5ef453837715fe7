// A check's outcome.
import {
  IconAlertTriangle,
  IconArrowsDiff,
  IconEqual,
  IconFlag,
  IconHandStop,
  IconLoader,
} from '@tabler/icons-react';
import type { components } from '../../client/schema.ts';
import { StateBadge } from '../figures/state-badge.tsx';

type Outcome = components['schemas']['Check']['outcome'];

const LOOKS = {
  changed: ['teal', 'Changed', IconArrowsDiff],
  unchanged: ['gray', 'Unchanged', IconEqual],
  held: ['yellow', 'Held', IconHandStop],
  failed: ['red', 'Failed', IconAlertTriangle],
} as const;

const RUNNING = ['cyan', 'Running', IconLoader] as const;
const FIRST = ['blue', 'First snapshot', IconFlag] as const;

interface Props {
  outcome: Outcome;
  /** There was nothing to compare its rows with. */
  isFirstSnapshot?: boolean;
}

export function CheckOutcome({ outcome, isFirstSnapshot = false }: Props) {
  const look = isFirstSnapshot ? FIRST : outcome === null ? RUNNING : LOOKS[outcome];
  return <StateBadge look={look} miw="max-content" />;
}
