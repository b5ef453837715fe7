// The only way to make outbound requests: an undici Agent that checks the address its socket connects to. Ignores proxy
// variables of the environment.
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { isAllowedAddress, isAllowedPort, isInAllowedNetworks } from '../core/network/address-policy.ts';
import { behindNat64 } from '../core/network/nat64.ts';
import { owningFaults } from './contain-faults.ts';
import type { OutboundGuard } from './guard.ts';
import { classifyFailure, GuardError } from './failure.ts';

/** Together less than the timeout of a delivery attempt, so that all failures to connect end alike. */
const DNS_TIMEOUT_MS = 5_000;
const CONNECT_TIMEOUT_MS = 9_000;
const MAX_HEADER_BYTES = 16 * 1024;
/** For each address family. A DNS answer may have thousands, and trying all would amount to a port scan. */
const MAX_ADDRESSES_TRIED = 4;

/** The connections of one fetch or one webhook. Never shared between tenants. */
export interface GuardedAgent {
  /** Requests to a forbidden address reject with a GuardError. */
  dispatcher: Dispatcher;
  /** Aborts when a connection failed outside of its request (contain-faults.ts). The agent must not be used after that. */
  broken: AbortSignal;
  /** Closes all connections. Call it when the work is done. */
  destroy: () => Promise<void>;
}

/** @param signal also aborts connecting, which the signal of a request does not */
export function createGuardedAgent(guard: OutboundGuard, signal: AbortSignal): GuardedAgent {
  const faulty = new AbortController();
  const onFault = (fault: unknown): void => {
    faulty.abort(fault);
    agent.destroy(fault instanceof Error ? fault : null, () => undefined);
  };
  const connect: buildConnector.connector = (options, callback) =>
    owningFaults(onFault, () => void report(connectGuarded(guard, options, signal), callback));
  // Without allowH2: false, all requests of a pool wait for its first connection.
  const agent = new Agent({ connect, maxHeaderSize: MAX_HEADER_BYTES, allowH2: false });
  return {
    dispatcher: agent,
    broken: faulty.signal,
    // A connection whose close fails is never reported as closed.
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
    socket.on('error', nameReset);
    if (mayBeUsed(guard, socket, port)) {
      guard.onConnection?.(socket, isAllowedByOperator(guard, socket.remoteAddress ?? '', port));
      return socket;
    }
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
  // Node does not call the lookup function for IP addresses.
  if (isIP(hostname) !== 0) return [hostname];
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), DNS_TIMEOUT_MS);
  const inTime = AbortSignal.any([signal, late.signal]);
  const addresses = await Promise.race([guard.resolve(hostname), whenAborted(inTime)]).catch(() => []);
  clearTimeout(timer);
  // Node keeps what listens to a signal of AbortSignal.any until it is aborted.
  late.abort();
  signal.throwIfAborted();
  if (addresses.length === 0) throw new GuardError('dns');
  return addresses;
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const abort = (): void => reject(new Error('The wait was aborted'));
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}

const reachedBy = ({ nat64 = [] }: OutboundGuard, address: string): string =>
  behindNat64(address, nat64) ?? address;

const isAllowedByOperator = (guard: OutboundGuard, address: string, port: number): boolean =>
  isInAllowedNetworks(reachedBy(guard, address), port, guard.allowed);

function isAllowedTarget(guard: OutboundGuard, address: string, port: number): boolean {
  if (isAllowedByOperator(guard, address, port)) return true;
  return isAllowedPort(port) && isAllowedAddress(reachedBy(guard, address), port, guard.allowed);
}

/**
 * The final check, on the address that the socket really connected to. Also refuses this machine's own public addresses,
 * because more services may listen behind its firewall than outside.
 */
export function mayBeUsed(
  guard: OutboundGuard,
  { remoteAddress, localAddress }: Pick<Socket, 'remoteAddress' | 'localAddress'>,
  port: number,
): boolean {
  // A socket that was reset has no address. That is a broken connection, not a refusal.
  if (remoteAddress === undefined) throw new Error('The connection broke off');
  if (isInAllowedNetworks(remoteAddress, port, guard.allowed)) return true;
  return remoteAddress !== localAddress && isAllowedTarget(guard, remoteAddress, port);
}

/**
 * A reset is no end of a body. undici takes one with this code for the end of a body that has no length, and so would give a part
 * of it for the whole. Runs before undici's own listener.
 */
function nameReset(error: NodeJS.ErrnoException): void {
  if (error.code === 'ECONNRESET') error.code = 'ERR_CONNECTION_RESET';
}

/** Connects to these addresses only. The name is not resolved again. */
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
  // Explicit, so that no environment variable can turn it off.
  const tls = { rejectUnauthorized: true, maxCachedSessions: 0, allowH2: false };
  const connect = buildConnector({ lookup, signal, timeout: CONNECT_TIMEOUT_MS, ...tls });
  return new Promise((resolve, reject) => {
    connect(options, (error, socket) => (error === null ? resolve(socket) : reject(error)));
  });
}
