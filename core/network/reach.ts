// Where outbound requests may go beside public addresses, by whom they are made for.
import type { Tier } from '../tiers.ts';
import { type AllowedNetworks, parseAllowedNetworks } from './address-policy.ts';

export interface Reach {
  /** Somebody has an account and answers for it. */
  account: AllowedNetworks;
  /** Anybody may ask for it, also a web page that a person of this network happens to look at. */
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

/** For a record of this tier. A record that is kept has another one from then on. */
export const reachOf = (reach: Reach, tier: Tier): AllowedNetworks =>
  tier === 'anonymous' ? reach.anonymous : reach.account;
