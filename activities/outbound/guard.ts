// What decides where outbound requests may go: the networks that the operator allows, and the resolver that is asked.
import { lookup, Resolver } from 'node:dns/promises';
import type { AllowedNetworks } from '../../core/network/address-policy.ts';

/** All addresses of a name, IPv4 and IPv6. @throws Error when it has none or nobody answers */
export type ResolveHost = (hostname: string) => Promise<readonly string[]>;

export interface OutboundGuard {
  allowed: AllowedNetworks;
  resolve: ResolveHost;
}

/**
 * The guard of a process. Names are asked of DNS alone, so that /etc/hosts opens no door; where the operator
 * allows inside networks, they are resolved as the machine resolves them (hosts file, container names).
 */
export function createGuard(allowed: AllowedNetworks): OutboundGuard {
  return { allowed, resolve: allowed.length > 0 ? resolveAsMachine : resolveInDns };
}

async function resolveInDns(hostname: string): Promise<readonly string[]> {
  // One resolver per name: its sockets end with it. It keeps the few threads behind dns.lookup free, too.
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
}

async function resolveAsMachine(hostname: string): Promise<readonly string[]> {
  const answers = await lookup(hostname, { all: true });
  return answers.map(({ address }) => address);
}
