// Chooses the ports of a run: the last run's where they are free, otherwise the usual ones or the next free ones above.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { claimExactPort, claimPort, type ClaimedPort } from '../process/claim-port.ts';
import { writeWhole } from '../process/write-whole.ts';
import { cacheFolder } from '../programs/cache.ts';

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

export type Ports = Record<keyof typeof USUAL_PORTS, number>;

/**
 * Claims a port for each server of `npm start`.
 * @param apiPort the port that the user asked for
 * @param claims holds the claims until it is disposed
 * @throws Error when the port that the user asked for is taken
 */
export async function claimPorts(
  file: string,
  apiPort: number | undefined,
  claims: DisposableStack,
): Promise<Ports> {
  const given = apiPort === undefined || apiPort === 0 ? undefined : claims.use(await claimGiven(apiPort));
  const ports = await claimPortsLike(file, USUAL_PORTS, claims);
  return given === undefined ? ports : { ...ports, api: given.port };
}

/**
 * Claims a port for each name, so that runs from several checkouts keep apart: the last run's where it is free, otherwise the
 * usual one or the next free one above it.
 * @param file remembers them
 * @param claims holds the claims until it is disposed
 */
export async function claimPortsLike<Name extends string>(
  file: string,
  usual: Readonly<Record<Name, number>>,
  claims: DisposableStack,
): Promise<Record<Name, number>> {
  const claimed: Record<Name, number> = { ...usual, ...remembered<Name>(file) };
  const names = Object.keys(usual).filter((name): name is Name => name in usual);
  for (const name of names) claimed[name] = claims.use(await claimPort(claimed[name], locks())).port;
  writeWhole(file, `${JSON.stringify(claimed)}\n`);
  return claimed;
}

const locks = (): string => join(cacheFolder(), 'ports');

async function claimGiven(port: number): Promise<ClaimedPort> {
  const claim = await claimExactPort(port, locks());
  if (claim !== undefined) return claim;
  throw new Error(
    `Port ${port}, which PORT asks for, is taken. End what listens there, set another PORT, or leave PORT unset.`,
  );
}

function remembered<Name extends string>(file: string): Partial<Record<Name, number>> {
  try {
    // Written by claimPortsLike above.
    const ports: Partial<Record<Name, number>> = JSON.parse(readFileSync(file, 'utf8'));
    return ports;
  } catch {
    return {};
  }
}
