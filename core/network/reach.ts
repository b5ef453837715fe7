// Which non-public addresses outbound requests may reach, for accounts and for anonymous sessions.
import type { Tier } from '../tiers.ts';
import { type AllowedNetworks, parseAllowedNetworks } from './address-policy.ts';

export interface Reach {
  /** For requests of accounts. */
  account: AllowedNetworks;
  /** For anonymous requests, which any web page could trigger in a visitor's browser. */
  anonymous: AllowedNetworks;
}

interface ReachSettings {
  allowAddresses: readonly string[];
  anonymousAddresses: readonly string[];
}

export const readReach = ({ allowAddresses, anonymousAddresses }: ReachSettings): Reach => ({
  account: parseAllowedNetworks(allowAddresses),
  anonymous: parseAllowedNetworks(anonymousAddresses),
});

/** The networks for a record of this tier. */
export const reachOf = (reach: Reach, tier: Tier): AllowedNetworks =>
  tier === 'anonymous' ? reach.anonymous : reach.account;
