// Makes the product's instruments. Each one is made when it is first used, because the OpenTelemetry API returns instruments
// that do nothing until telemetry/start-metrics.ts has run. In a process without metrics they do nothing for good.
import { type Attributes, type Meter, metrics } from '@opentelemetry/api';

const SCOPE = 'recordwatch';

/** The meter of the running process. */
const meter = (): Meter => metrics.getMeter(SCOPE);

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

interface Description {
  /** Of the unit code UCUM: `s`, `By`, `{check}`. */
  unit: string;
  description: string;
}

/** Adds to a counter that never falls. */
export function counter(
  name: string,
  options: Description,
): (value: number, attributes?: Attributes) => void {
  const instrument = once(() => meter().createCounter(name, options));
  return (value, attributes) => instrument().add(value, attributes);
}

/** Records durations in seconds. @param boundaries upper bounds of its buckets, in seconds */
export function durations(
  name: string,
  description: string,
  boundaries: readonly number[],
): (ms: number, attributes?: Attributes) => void {
  const advice = { explicitBucketBoundaries: [...boundaries] };
  const instrument = once(() => meter().createHistogram(name, { unit: 's', description, advice }));
  return (ms, attributes) => instrument().record(ms / 1_000, attributes);
}

/** One value of a gauge, and what it is the value of. */
export interface Observation {
  value: number;
  attributes?: Attributes;
}

/** Reads a gauge whenever metrics are collected. `read` must be cheap; without a value it returns an empty list. */
export function observe(name: string, options: Description, read: () => readonly Observation[]): void {
  meter()
    .createObservableGauge(name, options)
    .addCallback((result) => {
      for (const { value, attributes } of read()) result.observe(value, attributes);
    });
}

/** Like `observe`, for amounts that add up over processes. */
export function observeAmount(name: string, options: Description, read: () => readonly Observation[]): void {
  meter()
    .createObservableUpDownCounter(name, options)
    .addCallback((result) => {
      for (const { value, attributes } of read()) result.observe(value, attributes);
    });
}
