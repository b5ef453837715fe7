// Whether the service may reach the demonstration's origin and receiver, which are on this machine.
import { SETTINGS } from '../../core/config.ts';
import { parseAllowedNetworks } from '../../core/network/address-policy.ts';
import { checkUrl } from '../../core/network/origin-url.ts';

/** @throws Error that says which setting leaves them out, and what to set */
export function requireDemoReach(allowAddresses: readonly string[], urls: readonly string[]): void {
  const allowed = parseAllowedNetworks(allowAddresses);
  const refused = urls.filter((url) => 'error' in checkUrl(url, allowed)).map((url) => new URL(url).host);
  if (refused.length === 0) return;
  const { name } = SETTINGS.allowAddresses;
  throw new Error(
    `${name} leaves out the demonstration, which is at ${refused.join(' and ')}. ` +
      `Add ${refused.join(',')} to ${name}, or leave ${name} unset.`,
  );
}
