// The one way out: an undici Agent that decides on the address its socket connects to. It reads no proxy variables.
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { isAllowedAddress, isInAllowedNetworks } from '../core/network/address-policy.ts';
import { behindNat64 } from '../core/network/nat64.ts';
import { isAllowedPort } from '../core/network/port-policy.ts';
import { owningFaults } from './contain-faults.ts';
import type { OutboundGuard } from './guard.ts';
import { classifyFailure, GuardError } from './failure.ts';

/** Together less than an attempt to deliver may take, so that what is never reached ends the same way, fast or slow. */
const DNS_TIMEOUT_MS = 5_000;
const CONNECT_TIMEOUT_MS = 9_000;
const MAX_HEADER_BYTES = 16 * 1024;
/** Of each family. An answer may hold thousands, and trying them all would knock at as many doors. */
const MAX_ADDRESSES_TRIED = 4;

/** The connections of one record's fetch, or of one webhook: no other tenant ever uses them. */
export interface GuardedAgent {
  /** Requests to a place that is not allowed reject with a GuardError. */
  dispatcher: Dispatcher;
  /** Aborted when a connection failed outside of its request (contain-faults.ts): use it for nothing more. */
  broken: AbortSignal;
  /** Closes all connections. Call it with the end of the work that the agent was made for. */
  destroy: () => Promise<void>;
}

/** @param signal ends connecting too, which the signal of a request does not */
export function createGuardedAgent(guard: OutboundGuard, signal: AbortSignal): GuardedAgent {
  const faulty = new AbortController();
  const onFault = (fault: unknown): void => {
    faulty.abort(fault);
    agent.destroy(fault instanceof Error ? fault : null, () => undefined);
  };
  const connect: buildConnector.connector = (options, callback) =>
    owningFaults(onFault, () => void report(connectGuarded(guard, options, signal), callback));
  // Said here too: a pool that expects HTTP/2 has all requests wait for the first connection.
  const agent = new Agent({ connect, maxHeaderSize: MAX_HEADER_BYTES, allowH2: false });
  return {
    dispatcher: agent,
    broken: faulty.signal,
    // A connection whose closing failed is never reported as closed.
    destroy: () => Promise.race([agent.destroy(), whenAborted(faulty.signal).catch(() => undefined)]),
  };
}

async function report(connection: Promise<Socket>, callback: buildConnector.Callback): Promise<void> {
  const [outcome] = await Promise.allSettled([connection]);
  if (outcome.status === 'fulfilled') callback(null, outcome.value);
  else callback(outcome.reason instanceof Error ? outcome.reason : new GuardError('refused'), null);
}

async function connectGuarded(
  guard: OutboundGuard,
  options: buildConnector.Options,
  signal: AbortSignal,
): Promise<Socket> {
  const port = Number(options.port) || (options.protocol === 'https:' ? 443 : 80);
  let addresses: readonly string[] = [];
  try {
    addresses = await addressesOf(guard, options.hostname, signal);
    if (!addresses.every((address) => isAllowedTarget(guard, address, port))) throw new GuardError('refused');
    const socket = await connectTo(addresses, options, signal);
    if (mayBeUsed(guard, socket, port)) return socket;
    socket.destroy();
    throw new GuardError('refused');
  } catch (error) {
    if (!signal.aborted)
      guard.report?.({ host: options.hostname, port, addresses, reason: classifyFailure(error) });
    throw error;
  }
}

async function addressesOf(
  guard: OutboundGuard,
  hostname: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  // Node never asks a lookup function about a literal, so literals are judged here.
  if (isIP(hostname) !== 0) return [hostname];
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(DNS_TIMEOUT_MS)]);
  const addresses = await Promise.race([guard.resolve(hostname), whenAborted(inTime)]).catch(() => []);
  signal.throwIfAborted();
  if (addresses.length === 0) throw new GuardError('dns');
  return addresses;
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const abort = (): void => reject(new Error('Waiting was given up'));
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}

function isAllowedTarget({ allowed, nat64 = [] }: OutboundGuard, address: string, port: number): boolean {
  const reached = behindNat64(address, nat64) ?? address;
  if (isInAllowedNetworks(reached, port, allowed)) return true;
  return isAllowedPort(port) && isAllowedAddress(reached, port, allowed);
}

/**
 * The last word: what a socket really reached, whatever the resolver or the runtime made of the answer. This machine
 * itself is refused under its public addresses too: behind its firewall more may listen than before it.
 */
export function mayBeUsed(
  guard: OutboundGuard,
  { remoteAddress, localAddress }: Pick<Socket, 'remoteAddress' | 'localAddress'>,
  port: number,
): boolean {
  // A socket that was reset already has no address: that is the other side's doing, not a refusal.
  if (remoteAddress === undefined) throw new Error('The connection broke off');
  if (isInAllowedNetworks(remoteAddress, port, guard.allowed)) return true;
  return remoteAddress !== localAddress && isAllowedTarget(guard, remoteAddress, port);
}

/** Connects to some of these addresses and no others: the name is not looked up a second time. */
function connectTo(
  addresses: readonly string[],
  options: buildConnector.Options,
  signal: AbortSignal,
): Promise<Socket> {
  const pinned = [4, 6].flatMap((family) =>
    addresses
      .filter((address) => isIP(address) === family)
      .slice(0, MAX_ADDRESSES_TRIED)
      .map((address) => ({ address, family })),
  );
  const lookup: LookupFunction = (_hostname, { all }, callback) => {
    const [first] = pinned;
    if (all === true || first === undefined) callback(null, pinned);
    else callback(null, first.address, first.family);
  };
  // Said outright, so that no variable of the environment turns it off.
  const tls = { rejectUnauthorized: true, maxCachedSessions: 0, allowH2: false };
  const connect = buildConnector({ lookup, signal, timeout: CONNECT_TIMEOUT_MS, ...tls });
  return new Promise((resolve, reject) => {
    connect(options, (error, socket) => (error === null ? resolve(socket) : reject(error)));
  });
}
