// A port for a server that needs to know its port in advance. It is below the ephemeral range, so no other program gets it
// before the server listens.
import { randomInt } from 'node:crypto';
import getPort, { portNumbers } from 'get-port';

const LOWEST = 20_000;
const HIGHEST = 32_000;
/** Ports that are tried one after the other. */
const TRIES = 100;

/** Starts at a random port, because other processes search too. */
export function freePort(): Promise<number> {
  const first = randomInt(LOWEST, HIGHEST - TRIES);
  return getPort({ host: '127.0.0.1', port: portNumbers(first, first + TRIES) });
}
