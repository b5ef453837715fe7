// Decides where outbound requests may go: the networks that the operator allows, and the resolver.
import { lookup, Resolver } from 'node:dns/promises';
import type { Socket } from 'node:net';
import { type AllowedNetworks, allowsNetworks } from '../core/network/address-policy.ts';
import type { Nat64Prefix } from '../core/network/nat64.ts';
import { isLoopbackName } from '../core/network/origin-url.ts';
import type { OutboundFailureKind } from './failure.ts';

/** Resolves all IPv4 and IPv6 addresses of a name. @throws Error without an address or an answer */
type ResolveHost = (hostname: string) => Promise<readonly string[]>;

/** A connection that was not made, for the operator's log. The caller does not see these details. */
export interface FailedConnection {
  host: string;
  port: number;
  addresses: readonly string[];
  reason: OutboundFailureKind;
}

export interface OutboundGuard {
  allowed: AllowedNetworks;
  /** Addresses under these prefixes are judged by the IPv4 address that they contain. */
  nat64?: readonly Nat64Prefix[];
  resolve: ResolveHost;
  report?: (failed: FailedConnection) => void;
  /** Called before a connection is used: whether it leads into the allowed networks. */
  onConnection?: (socket: Pick<Socket, 'destroy'>, isInside: boolean) => void;
}

/**
 * The guard of one fetch. The operator allows networks for records of their own, so after a connection to a public origin no
 * redirect leads into these networks, and connections into them that are kept open end.
 */
export function guardOfFetch(guard: OutboundGuard): OutboundGuard {
  const inside: Pick<Socket, 'destroy'>[] = [];
  const onConnection: OutboundGuard['onConnection'] = (socket, isInside) => {
    if (isInside) {
      inside.push(socket);
      return;
    }
    own.allowed = [];
    for (const open of inside) open.destroy();
  };
  const own: OutboundGuard = { ...guard, onConnection };
  return own;
}

/** After this time partial answers count: A may resolve while AAAA gets no answer. */
const DNS_ANSWER_MS = 4_000;

/**
 * The guard of a process. Resolves names by DNS only, so that /etc/hosts cannot lead inside. If the operator allows internal
 * networks, names are resolved as the machine does (hosts file, container names).
 */
export function createGuard(
  allowed: AllowedNetworks,
  more: Pick<OutboundGuard, 'nat64' | 'report'> = {},
): OutboundGuard {
  return { allowed, resolve: allowsNetworks(allowed) ? resolveAsMachine : resolveInDns, ...more };
}

async function resolveInDns(hostname: string): Promise<readonly string[]> {
  if (isLoopbackName(hostname)) return ['127.0.0.1'];
  // One resolver for each name, whose sockets end with it. Unlike dns.lookup it uses no thread.
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
