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
const FIRST_METRICS_PORT = 9464;

export type ClusterPorts = Record<keyof typeof USUAL_PORTS, number> & {
  /** Of Temporal's frontend. */
  temporal: number;
  apis: readonly number[];
  /** Where each API shows its metrics. */
  apiMetrics: readonly number[];
  /** Where each worker shows its metrics and those of Temporal's SDK. */
  workerMetrics: readonly { own: number; temporal: number }[];
};

/** @param temporal the frontend's, claimed already @param claims holds the claims until it is disposed */
export async function claimClusterPorts(
  file: string,
  { temporal, apis, workers }: { temporal: number; apis: number; workers: number },
  claims: DisposableStack,
): Promise<ClusterPorts> {
  const numbered = (name: string, count: number): string[] =>
    Array.from({ length: count }, (_, index) => `${name}${index + 1}`);
  const names = {
    apis: numbered('api', apis),
    apiMetrics: numbered('apiMetrics', apis),
    workerMetrics: numbered('workerMetrics', workers),
    sdkMetrics: numbered('sdkMetrics', workers),
  };
  const from = (first: number, these: readonly string[]): Record<string, number> =>
    Object.fromEntries(these.map((name, index) => [name, first + index]));
  const metrics = [...names.apiMetrics, ...names.workerMetrics, ...names.sdkMetrics];
  const wanted = {
    ...USUAL_PORTS,
    ...from(FIRST_API_PORT, names.apis),
    ...from(FIRST_METRICS_PORT, metrics),
  };
  const ports = await claimPortsLike(file, wanted, claims);
  const claimed: Readonly<Record<string, number>> = ports;
  const portOf = (name: string | undefined): number => claimed[name ?? ''] ?? 0;
  return {
    ...ports,
    temporal,
    apis: names.apis.map(portOf),
    apiMetrics: names.apiMetrics.map(portOf),
    workerMetrics: names.workerMetrics.map((name, index) => ({
      own: portOf(name),
      temporal: portOf(names.sdkMetrics[index]),
    })),
  };
}
