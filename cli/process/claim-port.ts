// Reserves ports for servers that listen later, so that other runners on this machine choose different ones.
import { createServer } from 'node:net';
import { join } from 'node:path';
import { holdLock, type HeldLock } from './hold-lock.ts';

export interface ClaimedPort extends Disposable {
  port: number;
}

const TRIES = 200;

/**
 * Claims the preferred port, or the next one above it that is free on 127.0.0.1.
 * The claim holds until it is disposed, so two runners that start at once never choose the same port.
 * @param lockFolder shared by all runners of the machine
 */
export async function claimPort(preferred: number, lockFolder: string): Promise<ClaimedPort> {
  for (let port = preferred; port < Math.min(preferred + TRIES, 65_536); port += 1) {
    const claim = await claimExactPort(port, lockFolder);
    if (claim !== undefined) return claim;
  }
  throw new Error(`No free port from ${preferred} to ${preferred + TRIES - 1}`);
}

/** Claims one port, or answers undefined when it is taken. */
export async function claimExactPort(port: number, lockFolder: string): Promise<ClaimedPort | undefined> {
  const lock: HeldLock | undefined = holdLock(join(lockFolder, `port-${port}.lock`));
  if (lock === undefined) return undefined;
  if (await isFree(port)) return { port, [Symbol.dispose]: () => lock[Symbol.dispose]() };
  lock[Symbol.dispose]();
  return undefined;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });
}
