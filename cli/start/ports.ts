// Chooses the ports of a run: the last run's where they are free, otherwise the usual ones or the next free ones above.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { claimExactPort, claimPort, type ClaimedPort } from '../process/claim-port.ts';
import { writeWhole } from '../process/write-whole.ts';
import { cacheFolder } from '../temporal/cache.ts';

const USUAL_PORTS = {
  api: 8080,
  /** Of `npm run dev`. */
  dashboard: 5173,
  temporal: 7233,
  temporalUi: 8233,
  postgres: 5433,
  origin: 8090,
  receiver: 8091,
};

type PortName = keyof typeof USUAL_PORTS;
export type Ports = Record<PortName, number>;

/**
 * Claims a port for each server, so that runs from several checkouts keep apart.
 * @param apiPort the port that the user asked for
 * @param claims holds the claims until it is disposed
 * @throws Error when the port that the user asked for is taken
 */
export async function claimPorts(
  file: string,
  apiPort: number | undefined,
  claims: DisposableStack,
): Promise<Ports> {
  const locks = join(cacheFolder(), 'ports');
  const wanted: Ports = { ...USUAL_PORTS, ...remembered(file) };
  const claimed = { ...wanted };
  const names = Object.keys(USUAL_PORTS).filter((name): name is PortName => name in USUAL_PORTS);
  for (const name of names) {
    const isGiven = name === 'api' && apiPort !== undefined && apiPort !== 0;
    const claim = isGiven ? await claimGiven(apiPort, locks) : await claimPort(wanted[name], locks);
    claimed[name] = claims.use(claim).port;
  }
  writeWhole(file, `${JSON.stringify(claimed)}\n`);
  return claimed;
}

async function claimGiven(port: number, locks: string): Promise<ClaimedPort> {
  const claim = await claimExactPort(port, locks);
  if (claim !== undefined) return claim;
  throw new Error(
    `Port ${port}, which PORT asks for, is taken. End what listens there, set another PORT, or leave PORT unset.`,
  );
}

function remembered(file: string): Partial<Ports> {
  try {
    // Written by claimPorts above.
    const ports: Partial<Ports> = JSON.parse(readFileSync(file, 'utf8'));
    return ports;
  } catch {
    return {};
  }
}
