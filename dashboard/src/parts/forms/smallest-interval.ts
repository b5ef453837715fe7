// The shortest time between two checks: by the record's tier, unless the operator allows less.
import { useInstallation } from '../../client/installation.ts';
import { formatInterval } from '../figures/quantities.ts';
import type { TrackedRecord } from '../record/record-state.ts';

type Tier = TrackedRecord['tier'];

const PAID: readonly Tier[] = ['watch', 'max'];

export interface SmallestInterval {
  minutes: number;
  /** Also names the tiers that allow less. */
  words: string;
}

/** Undefined if the server does not say. */
export function useSmallestInterval(tier: Tier): SmallestInterval | undefined {
  const { smallestIntervalSeconds } = useInstallation();
  if (smallestIntervalSeconds === null) return undefined;
  const minutesOf = (each: Tier): number => smallestIntervalSeconds[each] / 60;
  const minutes = minutesOf(tier);
  const shorter = PAID.filter((each) => minutesOf(each) < minutes);
  const where = tier === 'anonymous' ? 'without an account' : `on the tier ${tier}`;
  const others = shorter.map((each) => `the tier ${each} allows ${formatInterval(minutesOf(each))}`);
  const words = [`At least ${formatInterval(minutes)} ${where}`, ...others].join('; ');
  return { minutes, words };
}
