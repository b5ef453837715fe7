// The one way out: an undici Agent that decides on the address its socket connects to. It reads no proxy variables.
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { isAllowedAddress, isInAllowedNetworks } from '../../core/network/address-policy.ts';
import { isAllowedPort } from '../../core/network/port-policy.ts';
import type { OutboundGuard } from './guard.ts';
import { GuardError } from './outbound-failure.ts';

const CONNECT_TIMEOUT_MS = 10_000;
const MAX_HEADER_BYTES = 16 * 1024;

/**
 * Makes an Agent for one record or one webhook. Its sockets must not be shared between tenants, so it is
 * destroyed (`await agent.destroy()`) with the work that it was made for.
 * A request to a place that is not allowed rejects with a GuardError.
 * @param signal ends connecting too, which the signal of a request does not
 */
export function createGuardedAgent(guard: OutboundGuard, signal: AbortSignal): Agent {
  const connect: buildConnector.connector = (options, callback) => {
    void report(connectGuarded(guard, options), signal, callback);
  };
  return new Agent({ connect, maxHeaderSize: MAX_HEADER_BYTES });
}

async function report(
  connection: Promise<Socket>,
  signal: AbortSignal,
  callback: buildConnector.Callback,
): Promise<void> {
  const [outcome] = await Promise.allSettled([Promise.race([connection, whenAborted(signal)])]);
  if (outcome.status === 'fulfilled') return callback(null, outcome.value);
  if (signal.aborted) void connection.then((late) => late.destroy()).catch(() => {});
  callback(outcome.reason instanceof Error ? outcome.reason : new GuardError('refused'), null);
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const abort = (): void => reject(new Error('Connecting was given up'));
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}

async function connectGuarded(guard: OutboundGuard, options: buildConnector.Options): Promise<Socket> {
  const port = Number(options.port) || (options.protocol === 'https:' ? 443 : 80);
  const addresses = await addressesOf(guard, options.hostname);
  if (!addresses.every((address) => isAllowedTarget(guard, address, port))) throw new GuardError('refused');
  const socket = await connectTo(addresses, options);
  // The last word: what the socket really reached, whatever the resolver or the runtime made of the answer.
  const reached = socket.remoteAddress;
  if (reached !== undefined && isAllowedTarget(guard, reached, port)) return socket;
  socket.destroy();
  // A socket that was reset already has no address: that is the other side's doing, not a refusal.
  throw reached === undefined ? new Error('The connection broke off') : new GuardError('refused');
}

async function addressesOf(guard: OutboundGuard, hostname: string): Promise<readonly string[]> {
  // Node never asks a lookup function about a literal, so literals are judged here.
  if (isIP(hostname) !== 0) return [hostname];
  const addresses = await guard.resolve(hostname).catch(() => []);
  if (addresses.length === 0) throw new GuardError('dns');
  return addresses;
}

function isAllowedTarget({ allowed }: OutboundGuard, address: string, port: number): boolean {
  if (isInAllowedNetworks(address, allowed)) return true;
  return isAllowedPort(port) && isAllowedAddress(address, allowed);
}

/** Connects to these addresses and no others: the name is not looked up a second time. */
function connectTo(addresses: readonly string[], options: buildConnector.Options): Promise<Socket> {
  const pinned = addresses.map((address) => ({ address, family: isIP(address) }));
  const lookup: LookupFunction = (_hostname, { all }, callback) => {
    const [first] = pinned;
    if (all === true || first === undefined) callback(null, pinned);
    else callback(null, first.address, first.family);
  };
  const connect = buildConnector({ lookup, timeout: CONNECT_TIMEOUT_MS, maxCachedSessions: 0 });
  return new Promise((resolve, reject) => {
    connect(options, (error, socket) => (error === null ? resolve(socket) : reject(error)));
  });
}
