// The ports of a cluster beyond those of `npm start`.
import { claimPortsLike } from '../start/ports.ts';

const USUAL_PORTS = {
  temporalPostgres: 5434,
  temporalHttp: 7243,
  history: 7234,
  matching: 7235,
  temporalWorker: 7239,
  frontendMembership: 6933,
  historyMembership: 6934,
  matchingMembership: 6935,
  temporalWorkerMembership: 6939,
  frontendMetrics: 9090,
  historyMetrics: 9091,
  matchingMetrics: 9092,
  temporalWorkerMetrics: 9093,
  blobs: 7070,
};
const FIRST_API_PORT = 8081;

export type ClusterPorts = Record<keyof typeof USUAL_PORTS, number> & {
  /** Of Temporal's frontend. */
  temporal: number;
  apis: readonly number[];
};

/** @param temporal the frontend's, claimed already @param claims holds the claims until it is disposed */
export async function claimClusterPorts(
  file: string,
  { temporal, apis }: { temporal: number; apis: number },
  claims: DisposableStack,
): Promise<ClusterPorts> {
  const names = Array.from({ length: apis }, (_, index) => `api${index + 1}`);
  const apiPorts = Object.fromEntries(names.map((name, index) => [name, FIRST_API_PORT + index]));
  const ports = await claimPortsLike(file, { ...USUAL_PORTS, ...apiPorts }, claims);
  const claimed: Readonly<Record<string, number>> = ports;
  return { ...ports, temporal, apis: names.map((name) => claimed[name] ?? 0) };
}
