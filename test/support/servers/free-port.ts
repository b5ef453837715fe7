// A port for a server that needs to know its port in advance. It is below the ephemeral range, so no other program gets it
// before the server listens.
import { randomInt } from 'node:crypto';
import getPort from 'get-port';

const LOWEST = 20_000;
/** Ports of one process of the test run. */
const SIZE = 400;
const PROCESSES = 30;

/** Each process of a run has ports of its own, because its servers may listen only seconds later. */
const first = LOWEST + (Number(process.env['VITEST_POOL_ID'] ?? 0) % PROCESSES) * SIZE;
/** Random, because another run may search too. */
let next = randomInt(SIZE);

export async function freePort(): Promise<number> {
  const ports = Array.from({ length: SIZE }, (_, at) => first + ((next + at) % SIZE));
  const port = await getPort({ host: '127.0.0.1', port: ports });
  next = port - first + 1;
  return port;
}
