// From the commit of an event to the arrival of its deliveries: idle, at half of the highest rate, and at that rate
// beside an endpoint that hangs.
import { setTimeout as pause } from 'node:timers/promises';
import { percentile } from '../statistics.ts';
import type { DeliveryBench } from './delivery-bench.ts';
import { seedEvents, seedRecord } from './seed.ts';

export interface Latency {
  eventsPerSecond: number;
  medianMs: number;
  p99Ms: number;
  /** Median of those that arrived last: far above the other one, events came faster than they could be sent. */
  lastTenthMs: number;
  deliveries: number;
}

export interface LatencyResult {
  idle: Latency;
  /** In turns, of the nine that do not hang: with all ten in order, and with one that hangs. */
  turns: { besideQuick: Latency; besideHanging: Latency }[];
}

const IDLE_RATE = 4;
const SECONDS = 20;
/** The two take turns, so that other load affects both equally. */
const TURNS = 4;
const WEBHOOKS = 10;
const HANGING = `/${WEBHOOKS - 1}`;

/** @param halfRate events per second, with ten deliveries each */
export async function measureLatencies(bench: DeliveryBench, halfRate: number): Promise<LatencyResult> {
  const single = await seedRecord(bench.system, bench.receiver.url, 1);
  const idle = await paced(bench, single.recordId, IDLE_RATE);
  const measure = async (hangingPath: string | null): Promise<Latency> => {
    const { recordId } = await seedRecord(bench.system, bench.receiver.url, WEBHOOKS);
    bench.receiver.set({ hangingPath });
    const latency = await paced(bench, recordId, halfRate);
    bench.receiver.set({});
    return latency;
  };
  const turns: LatencyResult['turns'] = [];
  for (let turn = 0; turn <= TURNS; turn += 1) {
    const besideQuick = await measure(null);
    const besideHanging = await measure(HANGING);
    // The first one fills caches.
    if (turn > 0) turns.push({ besideQuick, besideHanging });
  }
  return { idle, turns };
}

/** Events at a fixed rate; earlier ones may still be under way. */
async function paced(
  { system, receiver, driver, report }: DeliveryBench,
  recordId: string,
  eventsPerSecond: number,
): Promise<Latency> {
  await receiver.read();
  const arrivals = await driver.openArrivals();
  const startedAt = performance.now();
  const driving: Promise<void>[] = [];
  for (let made = 0; made < SECONDS * eventsPerSecond; made += 1) {
    await pause(Math.max(0, startedAt + (made / eventsPerSecond) * 1_000 - performance.now()));
    driving.push(seedEvents(system, recordId, 1).then(([check = '']) => arrivals.arrive(check)));
  }
  await Promise.all(driving);
  await arrivals.end();
  const latencies = (await receiver.read())
    .filter(({ path }) => path !== HANGING)
    .map(({ latencyMs }) => latencyMs);
  const result = {
    eventsPerSecond,
    medianMs: percentile(latencies, 50),
    p99Ms: percentile(latencies, 99),
    lastTenthMs: percentile(latencies.slice(-Math.ceil(latencies.length / 10)), 50),
    deliveries: latencies.length,
  };
  report(
    `deliveries at ${eventsPerSecond.toFixed(1)} events/s: median ${result.medianMs.toFixed(0)} ms, p99 ${result.p99Ms.toFixed(0)} ms, ` +
      `median of the last tenth ${result.lastTenthMs.toFixed(0)} ms`,
  );
  return result;
}
