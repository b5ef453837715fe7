// The key that limits and queues are fair by.
import { hash } from 'node:crypto';
import type { Tier } from '../tiers.ts';

interface Owned {
  tier: Tier;
  accountId: string;
}

/** The account. All anonymous records share one key, although each has an account of its own. */
export const fairnessKeyOf = ({ tier, accountId }: Owned): string =>
  tier === 'anonymous' ? tier : accountId;

/** For Temporal, which keeps it unsealed. */
export const fairnessHashOf = (record: Owned): string => hash('sha256', fairnessKeyOf(record), 'base64url');
