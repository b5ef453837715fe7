// Rows of the bench's table about deliveries.
import { median } from '../statistics.ts';
import type { RateBesideBare } from './delivery-bench.ts';
import type { DeliveriesResult } from './measure-deliveries.ts';
import type { Latency, LatencyResult } from './measure-latencies.ts';

export function deliveryRows({
  events,
  emptyEventsPerSecond,
  recovery,
  failing,
  latencies,
}: DeliveriesResult): string[][] {
  const { idle, turns } = latencies;
  const middle = (pick: (turn: LatencyResult['turns'][number]) => number): number => median(turns.map(pick));
  const retryRatio = median(failing.map(({ perSecond, emptyPerSecond }) => perSecond / emptyPerSecond));
  const retries = median(failing.map(({ perSecond }) => perSecond)).toFixed(0);
  const atRest = failing.map(({ coresAtRest }) => coresAtRest.toFixed(3)).join(', ');
  return [
    rateRow('Deliveries of events with ten webhooks, to a bare loop', events, '>= 0.40'),
    [
      'The same events with nothing to send: what Temporal leaves room for',
      median(emptyEventsPerSecond).toFixed(0),
      '',
      'events/s',
    ],
    rateRow('Deliveries of a recovery of 10,000, to a bare loop', recovery, '>= 0.60'),
    cpuRow('events', events),
    cpuRow('recovery', recovery),
    ['Failing deliveries into retry, to empty workflows', retryRatio.toFixed(2), '>= 0.70', `${retries}/s`],
    [
      'Cores in use while retries wait',
      median(failing.map(({ coresAtRest }) => coresAtRest)).toFixed(3),
      '',
      `${atRest} with ${failing.map(({ pending }) => pending).join(', ')} pending`,
    ],
    latencyRow('idle, median', idle.medianMs, '< 100 ms', idle),
    latencyRow('idle, p99', idle.p99Ms, '', idle),
    [
      'Commit to arrival, half rate, median',
      `${middle(({ besideQuick }) => besideQuick.medianMs).toFixed(0)} ms`,
      '',
      `p99 ${middle(({ besideQuick }) => besideQuick.p99Ms).toFixed(0)} ms`,
    ],
    [
      'p99 of nine endpoints when the tenth hangs, to when it does not',
      middle(({ besideQuick, besideHanging }) => besideHanging.p99Ms / besideQuick.p99Ms).toFixed(2),
      '<= 1.30',
      turns
        .map(
          ({ besideQuick, besideHanging }) =>
            `${besideHanging.p99Ms.toFixed(0)}/${besideQuick.p99Ms.toFixed(0)}`,
        )
        .join(', '),
    ],
  ];
}

function rateRow(what: string, rates: readonly RateBesideBare[], target: string): string[] {
  const ratio = median(rates.map(({ perSecond, barePerSecond }) => perSecond / barePerSecond));
  const real = median(rates.map(({ perSecond }) => perSecond));
  const bare = median(rates.map(({ barePerSecond }) => barePerSecond));
  return [what, ratio.toFixed(2), target, `${real.toFixed(0)} to ${bare.toFixed(0)} deliveries/s`];
}

function cpuRow(what: string, rates: readonly RateBesideBare[]): string[] {
  const real = median(rates.map(({ cpuMs }) => cpuMs));
  const bare = median(rates.map(({ bareCpuMs }) => bareCpuMs));
  return [`CPU per delivery, ${what}`, `${real.toFixed(2)} ms`, '', `bare ${bare.toFixed(2)} ms`];
}

function latencyRow(
  what: string,
  ms: number,
  target: string,
  { eventsPerSecond, deliveries, lastTenthMs }: Latency,
): string[] {
  const words = `${deliveries} deliveries, ${eventsPerSecond.toFixed(1)} events/s, last tenth ${lastTenthMs.toFixed(0)} ms`;
  return [`Commit to arrival, ${what}`, `${ms.toFixed(0)} ms`, target, words];
}
