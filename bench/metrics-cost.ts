// What metrics cost a check: three workers on one system, each with a fleet of its own, one of them with metrics. Two without
// show how far equal workers differ.
import { Connection } from '@temporalio/client';
import getPort from 'get-port';
import { startExtraWorker } from './extra-worker.ts';
import { measureRate, type Rate } from './fleet/measure-rate.ts';
import { openRealFleet } from './fleet/real-fleet.ts';
import { makeNamespace } from './make-namespace.ts';
import { startOrigin } from './origin.ts';
import { median } from './statistics.ts';
import type { System } from './system.ts';

const NAMES = ['off', 'off-too', 'on'] as const;
type Name = (typeof NAMES)[number];

export interface MetricsCostResult {
  rounds: number;
  /** Processor time of a check with metrics to that without, and of the two without: the median of the rounds, and all. */
  cost: Ratios;
  control: Ratios;
  /** Of the worker alone, in milliseconds of processor time for each check. */
  workerMs: Record<Name, number>;
}

interface Ratios {
  middle: number;
  all: number[];
}

/** As in deploy/observability/prometheus.yml, but more often, so that each window has some. */
const SCRAPE_EVERY_MS = 5_000;

/** @param settings those that the system was started with, without metrics */
export async function measureMetricsCost(
  system: System,
  settings: Readonly<Record<string, string>>,
  rounds: number,
  report: (text: string) => void,
): Promise<MetricsCostResult> {
  const origin = await startOrigin();
  const connection = await Connection.connect({ address: system.dev.temporalAddress });
  const addresses = { METRICS_ADDRESS: await address(), TEMPORAL_METRICS_ADDRESS: await address() };
  const workers = [];
  const fleets = [];
  for (const name of NAMES) {
    const temporal = await makeNamespace(connection, name);
    const own = { TEMPORAL_NAMESPACE: name, ...(name === 'on' ? addresses : {}) };
    const worker = await startExtraWorker(system, `worker-${name}`, { ...settings, ...own });
    workers.push(worker);
    fleets.push({ name, fleet: await openRealFleet(system, temporal, origin.url, worker.pid) });
  }
  const scraping = setInterval(() => void scrape(Object.values(addresses)), SCRAPE_EVERY_MS);
  const rates: Record<Name, Rate[]> = { off: [], 'off-too': [], on: [] };
  for (let round = 0; round <= rounds; round += 1) {
    // Each comes first as often as the others.
    const turn = round % NAMES.length;
    for (const { name, fleet } of [...fleets.slice(turn), ...fleets.slice(0, turn)]) {
      const rate = await measureRate(system, fleet);
      const { checksPerSecond, cpuMsPerCheck, cores } = rate;
      report(
        `metrics cost, round ${round}, ${name}: ${checksPerSecond.toFixed(1)} checks/s, ${cpuMsPerCheck.toFixed(2)} ms of CPU each, ${workerMs(rate).toFixed(2)} in the worker; ${(cores['others'] ?? 0).toFixed(2)} cores used by others`,
      );
      // The first round fills caches and takes the baselines.
      if (round > 0) rates[name].push(rate);
    }
  }
  clearInterval(scraping);
  for (const worker of workers) await worker.stop();
  await connection.close();
  await origin.close();
  return {
    rounds,
    cost: ratios(rates.on, rates.off, rates['off-too']),
    control: ratios(rates['off-too'], rates.off),
    workerMs: {
      off: median(rates.off.map(workerMs)),
      'off-too': median(rates['off-too'].map(workerMs)),
      on: median(rates.on.map(workerMs)),
    },
  };
}

const address = async (): Promise<string> => `127.0.0.1:${await getPort({ host: '127.0.0.1' })}`;

async function scrape(addresses: readonly string[]): Promise<void> {
  await Promise.all(addresses.map(async (at) => (await fetch(`http://${at}/metrics`)).text()));
}

const workerMs = ({ cores, checksPerSecond }: Rate): number =>
  ((cores['worker'] ?? 0) * 1_000) / checksPerSecond;

/** Of the same round each, by the average of the others. */
function ratios(of: readonly Rate[], ...others: readonly (readonly Rate[])[]): Ratios {
  const all = of.map(({ cpuMsPerCheck }, round) => {
    const beside = others.map((rates) => rates[round]?.cpuMsPerCheck ?? Number.NaN);
    return cpuMsPerCheck / (beside.reduce((sum, ms) => sum + ms, 0) / beside.length);
  });
  return { middle: median(all), all };
}

export function metricsCostRows({ rounds, cost, control, workerMs: ms }: MetricsCostResult): string[][] {
  const words = ({ all }: Ratios): string => all.map((ratio) => ratio.toFixed(3)).join(', ');
  return [
    [
      'CPU of a check with metrics to one without',
      cost.middle.toFixed(3),
      '<= 1.02',
      `${rounds} rounds: ${words(cost)}; ${ms.on.toFixed(2)} ms in the worker to ${ms.off.toFixed(2)}`,
    ],
    [
      'The same of two workers without metrics',
      control.middle.toFixed(3),
      '1.00',
      `${words(control)}; ${ms['off-too'].toFixed(2)} ms in the worker to ${ms.off.toFixed(2)}`,
    ],
  ];
}
