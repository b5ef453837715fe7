// Measures the rate of deliveries beside a bare loop that does as little as possible for each, and their latency when idle,
// at half of the highest rate, and beside an endpoint that hangs.
import { Client, Connection } from '@temporalio/client';
import { cpuSecondsOf } from '../processes.ts';
import type { System } from '../system.ts';
import { type Bare, runBareLoop } from './bare-loop.ts';
import { openDriver } from './driver.ts';
import { type FailingResult, measureFailing } from './measure-failing.ts';
import { type LatencyResult, measureLatencies } from './measure-latencies.ts';
import { measureRecovery } from './measure-recovery.ts';
import { assertDelivered, type DeliveryBench, type RateBesideBare, timed } from './delivery-bench.ts';
import { startReceiver } from './receiver.ts';
import { seedEvents, seedRecord, type SeededRecord } from './seed.ts';

export interface DeliveriesResult {
  events: RateBesideBare[];
  /** Events per second whose activity finds nothing to send: what Temporal's steps leave room for. */
  emptyEventsPerSecond: number[];
  recovery: RateBesideBare[];
  failing: FailingResult[];
  latencies: LatencyResult;
}

/** Events that are under way at once, as those of as many records would be. */
const EVENTS_AT_ONCE = 16;
const EVENTS_PER_ROUND = 320;
const WEBHOOKS = 10;

export async function measureDeliveries(
  system: System,
  rounds: number,
  report: (text: string) => void,
): Promise<DeliveriesResult> {
  const connection = await Connection.connect({ address: system.dev.temporalAddress });
  const temporal = new Client({ connection, namespace: system.dev.temporalNamespace });
  const receiver = await startReceiver();
  const driver = await openDriver(system, temporal);
  const bench: DeliveryBench = { system, temporal, receiver, driver, report };
  const record = await seedRecord(system, receiver.url, WEBHOOKS);
  const result: Omit<DeliveriesResult, 'latencies'> = {
    events: [],
    emptyEventsPerSecond: [],
    recovery: [],
    failing: [],
  };
  for (let round = 0; round <= rounds; round += 1) {
    const events = await measureEvents(bench, record);
    const empty = await measureEmptyEvents(bench);
    const recovery = await measureRecovery(bench, (size) => runBare(bench, record, size));
    report(
      `deliveries, round ${round}: ${words(events)} as they come; ${words(recovery)} recovered; ` +
        `${empty.toFixed(0)} events/s with nothing to send`,
    );
    // The first round fills caches.
    if (round > 0) result.events.push(events);
    if (round > 0) result.emptyEventsPerSecond.push(empty);
    if (round > 0) result.recovery.push(recovery);
  }
  const highest = Math.max(...result.events.map(({ perSecond }) => perSecond)) / WEBHOOKS;
  const latencies = await measureLatencies(bench, highest / 2);
  for (let round = 0; round <= rounds; round += 1) {
    const failing = await measureFailing(bench, record);
    if (round > 0) result.failing.push(failing);
  }
  await driver.close();
  receiver.close();
  await connection.close();
  return { ...result, latencies };
}

const words = ({ perSecond, barePerSecond }: RateBesideBare): string =>
  `${perSecond.toFixed(0)}/s (bare ${barePerSecond.toFixed(0)}/s)`;

async function measureEvents(bench: DeliveryBench, record: SeededRecord): Promise<RateBesideBare> {
  const count = EVENTS_PER_ROUND * WEBHOOKS;
  const bare = await runBare(bench, record, { count, concurrency: EVENTS_AT_ONCE * WEBHOOKS });
  const checks = await seedEvents(bench.system, record.recordId, EVENTS_PER_ROUND);
  const real = await timed(bench.system, count, () => driveInLanes(bench, checks));
  await assertDelivered(bench.system, record.recordId);
  return { ...real, ...bare };
}

async function measureEmptyEvents(bench: DeliveryBench): Promise<number> {
  const checks = Array.from({ length: EVENTS_PER_ROUND }, (_, number) => `chk_none_${number}`);
  const { perSecond } = await timed(bench.system, checks.length, () => driveInLanes(bench, checks));
  return perSecond;
}

async function driveInLanes({ driver }: DeliveryBench, checks: readonly string[]): Promise<void> {
  const lanes = Array.from({ length: EVENTS_AT_ONCE }, (_, lane) =>
    checks.filter((_check, index) => index % EVENTS_AT_ONCE === lane),
  );
  await Promise.all(lanes.map((lane) => driver.drive(lane)));
}

async function runBare(
  { system, receiver }: DeliveryBench,
  { webhooks }: SeededRecord,
  size: { count: number; concurrency: number },
): Promise<{ barePerSecond: number; bareCpuMs: number }> {
  const postgres = (): number => cpuSecondsOf(system.dev.pids['postgresql'] ?? 0);
  const before = postgres();
  const target = {
    databaseUrl: system.dev.databaseUrl,
    receiverUrl: receiver.url,
    secret: webhooks[0]?.secret ?? '',
  };
  const { perSecond, cpuSeconds }: Bare = await runBareLoop(target, size);
  const bareCpuMs = ((cpuSeconds + postgres() - before) * 1_000) / size.count;
  return { barePerSecond: perSecond, bareCpuMs };
}
