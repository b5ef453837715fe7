// A port for a server that is told its port before it listens. It is below those that systems hand out by themselves, to
// clients as well: nothing that runs beside the test takes it until the server has started.
import { randomInt } from 'node:crypto';
import getPort, { portNumbers } from 'get-port';

const LOWEST = 20_000;
const HIGHEST = 32_000;
/** Ports that are tried one after the other. */
const TRIES = 100;

/** Drawn by lot, because others look for one in processes of their own. */
export function freePort(): Promise<number> {
  const first = randomInt(LOWEST, HIGHEST - TRIES);
  return getPort({ host: '127.0.0.1', port: portNumbers(first, first + TRIES) });
}
