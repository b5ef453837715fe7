// Metrics of the real processes: names, types and values after known events, and that no label names a record, an account or
// a URL.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHECK_ERRORS } from '../../../core/errors.ts';
import { freePort } from '../../support/servers/free-port.ts';
import { type Sample, scrape, total } from '../../support/servers/metrics.ts';
import { type Origin, startOrigin } from '../../support/servers/origin-server.ts';
import { type OtlpCollector, startOtlpCollector } from '../../support/servers/otlp-collector.ts';
import { checkAndWait, createRecord, startSystem, type System } from '../../support/servers/system.ts';
import { until } from '../../support/until.ts';
import { startSink, type WebhookSink } from '../../support/servers/webhook-sink.ts';

const onLoopback = async (): Promise<string> => `127.0.0.1:${await freePort()}`;
const addresses = { api: await onLoopback(), worker: await onLoopback(), sdk: await onLoopback() };

let system: System;
let origin: Origin;
let sink: WebhookSink;
let collector: OtlpCollector;
const outcomes: string[] = [];
/** Of the worker, before its first check. */
let fresh: Sample[];

const rows = (from: number, to: number): string =>
  ['id,name', ...Array.from({ length: to - from }, (_, i) => `${from + i},row ${from + i}`)].join('\n');

beforeAll(async () => {
  collector = await startOtlpCollector();
  const settings = { OTEL_METRIC_EXPORT_INTERVAL: '500', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  system = await startSystem(
    { ...settings, FLEET_METRICS_SECONDS: '0.5', HELD_RECHECK_SECONDS: '3600' },
    undefined,
    {
      api: { METRICS_ADDRESS: addresses.api },
      worker: { METRICS_ADDRESS: addresses.worker, TEMPORAL_METRICS_ADDRESS: addresses.sdk },
    },
  );
  fresh = (await scrape(addresses.worker)).samples;
  origin = await startOrigin();
  sink = await startSink();
  origin.set('/feed', { body: rows(0, 30) });
  origin.set('/feed-2', { body: rows(0, 30) });
  const { id } = await createRecord(system, { url: `${origin.url}/feed`, keyFields: ['id'] });
  await system.call('POST', `/v1/sources/${id}/webhooks`, { url: `${sink.url}/hook` });
  outcomes.push((await checkAndWait(system, id)).outcome);
  origin.set('/feed', { body: rows(2, 35) });
  outcomes.push((await checkAndWait(system, id)).outcome);
  await until('the delivery has arrived', () => sink.deliveries.length > 0);
  origin.set('/feed', { body: rows(0, 3) });
  outcomes.push((await checkAndWait(system, id)).outcome);
  origin.set('/broken', { status: 500 });
  await createRecord(system, { url: `${origin.url}/broken` });
  await system.call('GET', '/v1/sources/no-such-record');
});

afterAll(async () => {
  await system.stop();
  await Promise.all([sink.close(), origin.close()]);
  collector.close();
});

/** Scrapes until the wanted sample has the value. */
async function untilTotal(
  address: string,
  name: string,
  labels: Record<string, string>,
  isIt: (value: number) => boolean,
): Promise<Sample[]> {
  return until(`${name} ${JSON.stringify(labels)} has the value`, async () => {
    const { samples } = await scrape(address);
    return isIt(total(samples, name, labels)) ? samples : undefined;
  });
}

describe('the metrics of a worker', () => {
  // regression: rate() saw no increase in a series that began with its first check.
  it('have every outcome of checks at zero before the first check', () => {
    const checks = fresh.filter(({ name }) => name === 'recordwatch_checks_total');
    const held = ['sharp_drop', 'key_repeated'];
    const failed = Object.keys(CHECK_ERRORS).filter((code) => !held.includes(code));
    const series = ({ labels: { outcome = '', error_type = '' } }: Sample) =>
      `${outcome} ${error_type}`.trim();
    expect(checks.map(series).toSorted()).toEqual(
      [
        'changed',
        'unchanged',
        ...held.map((code) => `held ${code}`),
        ...failed.map((code) => `failed ${code}`),
      ].toSorted(),
    );
    expect(total(fresh, 'recordwatch_checks_total')).toBe(0);
    const changes = fresh.filter(({ name }) => name === 'recordwatch_check_row_changes_total');
    expect(changes.map(({ labels, value }) => [labels['change'], value])).toEqual([
      ['new', 0],
      ['changed', 0],
      ['deleted', 0],
    ]);
    const others = ['recordwatch_check_body_size_total', 'recordwatch_check_rows_total'];
    expect(fresh.filter(({ name }) => others.includes(name)).map(({ value }) => value)).toEqual([0, 0]);
  });

  it('count what happened', async () => {
    expect(outcomes).toEqual(['unchanged', 'changed', 'held']);
    const { samples, types } = await scrape(addresses.worker);
    const checks = (labels: Record<string, string>) => total(samples, 'recordwatch_checks_total', labels);
    // The baseline and the second check.
    expect(checks({ outcome: 'unchanged' })).toBe(2);
    expect(checks({ outcome: 'changed' })).toBe(1);
    expect(checks({ outcome: 'held', error_type: 'sharp_drop' })).toBeGreaterThanOrEqual(1);
    expect(checks({ outcome: 'failed', error_type: 'http_error' })).toBeGreaterThanOrEqual(1);
    expect(types.get('recordwatch_checks_total')).toBe('counter');
    const changes = (change: string) => total(samples, 'recordwatch_check_row_changes_total', { change });
    expect([changes('new'), changes('changed'), changes('deleted')]).toEqual([5, 0, 2]);
    expect(total(samples, 'recordwatch_check_rows_total')).toBe(30 + 33);
    expect(total(samples, 'recordwatch_check_body_size_total')).toBeGreaterThan(
      2 * rows(0, 30).length + rows(2, 35).length,
    );
    for (const part of ['fetch', 'compare', 'commit']) {
      const count = total(samples, 'recordwatch_check_part_duration_count', { part });
      expect([part, count > 0]).toEqual([part, true]);
    }
    expect(types.get('recordwatch_check_part_duration')).toBe('histogram');
    const made = { result: 'delivered' };
    await untilTotal(addresses.worker, 'recordwatch_delivery_attempt_duration_count', made, (n) => n === 1);
    const stored = { operation: 'put', result: 'ok' };
    expect(total(samples, 'recordwatch_blob_operation_duration_count', stored)).toBeGreaterThanOrEqual(2);
    expect(total(samples, 'db_client_connection_max', { db_client_connection_pool_name: 'worker' })).toBe(10);
    expect(total(samples, 'recordwatch_spool_limit')).toBeGreaterThan(0);
  });

  it('measure how late a check on schedule begins', async () => {
    const { id } = await createRecord(system, { url: `${origin.url}/feed-2`, checkIntervalMinutes: 2 / 60 });
    const lag = 'recordwatch_check_lag';
    const before = (await scrape(addresses.worker)).samples;
    // Without Temporal no check begins.
    system.proxy.pause();
    await untilTotal(addresses.worker, 'recordwatch_records_most_overdue', {}, (value) => value > 3);
    system.proxy.sever();
    const isLate = (value: number) => value > total(before, `${lag}_sum`) + 3;
    const after = await untilTotal(addresses.worker, `${lag}_sum`, {}, isLate);
    expect(total(after, `${lag}_count`)).toBeGreaterThan(total(before, `${lag}_count`));
    expect((await system.call('DELETE', `/v1/sources/${id}`)).status).toBe(204);
  });

  it('tell the state of all records and deliveries', async () => {
    const state = (of: string) => ({ state: of });
    await untilTotal(addresses.worker, 'recordwatch_records', state('failing'), (value) => value === 1);
    await untilTotal(addresses.worker, 'recordwatch_records', state('held'), (value) => value === 1);
    const { samples } = await scrape(addresses.worker);
    expect(total(samples, 'recordwatch_deliveries_pending')).toBe(0);
    expect(samples.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['recordwatch_records_most_overdue', 'recordwatch_deliveries_oldest']),
    );
  });

  it('have those of Temporal’s SDK, on a port of their own', async () => {
    const { samples } = await scrape(addresses.sdk);
    const names = new Set(samples.map(({ name }) => name));
    expect([...names]).toEqual(
      expect.arrayContaining([
        'temporal_worker_task_slots_available',
        'temporal_sticky_cache_size',
        'temporal_activity_schedule_to_start_latency_seconds_count',
        'temporal_request_total',
      ]),
    );
    const finished = total(samples, 'temporal_activity_execution_latency_seconds_count', {
      activity_type: 'fetchSource',
    });
    expect(finished).toBeGreaterThanOrEqual(3);
  });

  it('regression: count the activities that succeeded apart from those that failed', async () => {
    // The alert ReconcileMissing reads it.
    const name = 'temporal_activity_succeed_endtoend_latency_seconds_count';
    await untilTotal(addresses.sdk, name, { activity_type: 'reconcile' }, (count) => count >= 1);
    // Each poll ends as a failed attempt.
    const polls = { activity_type: 'pollSource' };
    const { samples } = await scrape(addresses.sdk);
    const attempts = total(samples, 'temporal_activity_execution_latency_seconds_count', polls);
    expect(total(samples, name, polls)).toBeLessThan(attempts);
  });

  it('come with a connection of the worker’s own, which the capacity model counts', async () => {
    const { rows } = await system.database.db.raw(
      `select count(*)::int as count from pg_stat_activity
       where datname = current_database() and application_name = 'worker' and query like '%with fleet as%'`,
    );
    expect(rows).toEqual([{ count: 1 }]);
  });
});

describe('the metrics of an API', () => {
  it('count requests by operation and status', async () => {
    const { samples, types } = await scrape(addresses.api);
    const requests = (labels: Record<string, string>) =>
      total(samples, 'http_server_request_duration_count', labels);
    const check = { http_route: '/v1/sources/:id/check', http_request_method: 'POST' };
    const status = samples.filter(({ labels }) => labels['http_route'] === check.http_route);
    expect(new Set(status.map(({ labels }) => labels['operation']))).toEqual(new Set(['checkRecord']));
    expect(requests(check)).toBe(3);
    expect(requests({ http_route: '/v1/sources/:id', http_response_status_code: '404' })).toBe(1);
    expect(types.get('http_server_request_duration')).toBe('histogram');
    const pools = samples.filter(({ name }) => name === 'db_client_connection_max');
    expect(pools.map(({ labels, value }) => [labels['db_client_connection_pool_name'], value])).toEqual([
      ['api', 10],
      ['api, heavy reads', 4],
    ]);
  });

  it('are not on its public port', async () => {
    expect((await system.call('GET', '/metrics')).status).toBe(404);
  });
});

it('both show garbage collection and the event loop', async () => {
  for (const address of [addresses.api, addresses.worker]) {
    const names = new Set((await scrape(address)).samples.map(({ name }) => name));
    expect([...names]).toEqual(
      expect.arrayContaining(['v8js_gc_duration_count', 'nodejs_eventloop_delay_p99']),
    );
  }
});

it('no label holds an id, a URL or an address of a caller', async () => {
  const found = await Promise.all(Object.values(addresses).map((address) => scrape(address)));
  const labels = found.flatMap(({ samples }) => samples).flatMap((sample) => Object.entries(sample.labels));
  expect(labels.length).toBeGreaterThan(500);
  const suspicious =
    /(acc|key|chk|con|evt|dlv|lgn|src|prv|ses|snap|usr|wh)_[0-9a-f]{16,}|:\/\/|[0-9a-f]{8}-[0-9a-f]{4}-|127\.0\.0\.1|cat_/;
  // Of the test's namespace, and of one metric that names the server's address to a worker.
  const values = labels.filter(([name]) => !['namespace', 'service_instance_id'].includes(name));
  expect(values.filter(([, text]) => suspicious.test(text))).toEqual([]);
});

it('go to a collector as well, as OTLP over HTTP', async () => {
  const texts = () =>
    collector.received
      .filter(({ path, type }) => path === '/v1/metrics' && type === 'application/x-protobuf')
      .map(({ body }) => body.toString('latin1'));
  for (const wanted of ['recordwatch.checks', 'http.server.request.duration', 'recordwatch-api']) {
    await until(`${wanted} arrives`, () => texts().some((text) => text.includes(wanted)));
  }
});
