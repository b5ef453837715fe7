// What decides where outbound requests may go: the networks that the operator allows, and the resolver that is asked.
import { lookup, Resolver } from 'node:dns/promises';
import { type AllowedNetworks, allowsNetworks } from '../core/network/address-policy.ts';
import type { Nat64Prefix } from '../core/network/nat64.ts';
import { isLoopbackName } from '../core/network/origin-url.ts';
import type { OutboundFailureKind } from './failure.ts';

/** All addresses of a name, IPv4 and IPv6. @throws Error when it has none or nobody answers */
type ResolveHost = (hostname: string) => Promise<readonly string[]>;

/** A connection that was not made, for the operator: whoever asked for it only learns that there is none. */
export interface FailedConnection {
  host: string;
  port: number;
  addresses: readonly string[];
  reason: OutboundFailureKind;
}

export interface OutboundGuard {
  allowed: AllowedNetworks;
  /** What lies under these is judged by the IPv4 address inside. */
  nat64?: readonly Nat64Prefix[];
  resolve: ResolveHost;
  report?: (failed: FailedConnection) => void;
}

/** Half of an answer is better than none: A may be known while nobody answers for AAAA. */
const DNS_ANSWER_MS = 4_000;

/**
 * The guard of a process. Names are asked of DNS alone, so that /etc/hosts opens no door; where the operator
 * allows inside networks, they are resolved as the machine resolves them (hosts file, container names).
 */
export function createGuard(
  allowed: AllowedNetworks,
  more: Pick<OutboundGuard, 'nat64' | 'report'> = {},
): OutboundGuard {
  return { allowed, resolve: allowsNetworks(allowed) ? resolveAsMachine : resolveInDns, ...more };
}

async function resolveInDns(hostname: string): Promise<readonly string[]> {
  if (isLoopbackName(hostname)) return ['127.0.0.1'];
  // One resolver per name: its sockets end with it. It keeps the few threads behind dns.lookup free, too.
  const resolver = new Resolver({ timeout: 1_500, tries: 2 });
  const timer = setTimeout(() => resolver.cancel(), DNS_ANSWER_MS);
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  clearTimeout(timer);
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
}

async function resolveAsMachine(hostname: string): Promise<readonly string[]> {
  const answers = await lookup(hostname, { all: true });
  return answers.map(({ address }) => address);
}
