// Traces of the real processes: one from a request through the workflow to its activities, and none where they are off.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { watchRecordId } from '../../../workflows/contract.ts';
import { type Origin, startOrigin } from '../../support/servers/origin-server.ts';
import {
  type CollectedSpan,
  type OtlpCollector,
  startOtlpCollector,
} from '../../support/servers/otlp-collector.ts';
import {
  type Answer,
  checkAndWait,
  createRecord,
  startSystem,
  type System,
} from '../../support/servers/system.ts';
import { until } from '../../support/until.ts';
import { startSink, type WebhookSink } from '../../support/servers/webhook-sink.ts';

/** As in a caller's `Basic` credentials and query. */
const SECRET = 's3cr3t-of-the-origin';

let system: System;
let origin: Origin;
let sink: WebhookSink;
let collector: OtlpCollector;
let record: { id: string };

beforeAll(async () => {
  collector = await startOtlpCollector();
  origin = await startOrigin();
  sink = await startSink();
  const settings = { OTEL_TRACES_EXPORTER: 'otlp', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  system = await startSystem(settings);
  origin.set('/feed.csv', { body: 'id\n1\n' });
  record = await createRecord(system, { url: `${origin.url}/feed.csv?token=${SECRET}` });
  await system.call('POST', `/v1/sources/${record.id}/webhooks`, { url: `${sink.url}/hook?token=${SECRET}` });
});

afterAll(async () => {
  await system.stop();
  await sink.close();
  await origin.close();
  collector.close();
});

const spanOf = (what: (span: CollectedSpan) => boolean): Promise<CollectedSpan> =>
  until('the span is sent', () => collector.spans().find(what));

const requestId = (answer: Answer): string => answer.headers.get('x-request-id') ?? '';

it('one trace leads from a request through the workflow to its activities', async () => {
  origin.set('/feed.csv', { body: 'id\n1\n2\n' });
  const answer = await system.call('POST', `/v1/sources/${record.id}/check`, undefined, {
    prefer: 'wait=30',
  });
  expect(answer.body).toMatchObject({ outcome: 'changed' });
  const request = await spanOf(
    ({ attributes }) => attributes['recordwatch.request.id'] === requestId(answer),
  );
  expect(request).toMatchObject({
    service: 'recordwatch-api',
    name: 'POST /v1/sources/:id/check',
    parentId: '',
    attributes: { 'http.response.status_code': 200, 'recordwatch.record.id': record.id },
    isFault: false,
  });
  const inTrace = (name: string) => spanOf((span) => span.traceId === request.traceId && span.name === name);
  const call = await inTrace('UpdateWithStartWorkflow:checkNow');
  expect(call.parentId).toBe(request.spanId);
  for (const name of ['RunActivity:fetchSource', 'RunActivity:recordDelta']) {
    const activity = await inTrace(name);
    expect(activity).toMatchObject({
      service: 'recordwatch-worker',
      parentId: call.spanId,
      attributes: {
        'temporal.workflow.id': watchRecordId(record.id),
        'recordwatch.record.id': record.id,
        'recordwatch.check.id': answer.body['id'],
      },
    });
  }
});

it('the first check of a record belongs to the request that created it', async () => {
  const poll = await spanOf(
    ({ name, parentId, attributes }) =>
      name === 'RunActivity:pollSource' &&
      parentId !== '' &&
      attributes['recordwatch.record.id'] === record.id,
  );
  const request = await spanOf(({ traceId, parentId }) => traceId === poll.traceId && parentId === '');
  expect(request.name).toBe('POST /v1/sources');
  expect(poll.attributes['recordwatch.check.id']).toMatch(/^chk_/);
});

it('a later attempt of a poll is a trace of its own, which refers to the one that began it', async () => {
  origin.set('/often.csv', { body: 'id\n1\n' });
  const often = await createRecord(system, { url: `${origin.url}/often.csv`, checkIntervalMinutes: 1 });
  await system.database.db('records').where({ id: often.id }).update({ check_interval_seconds: 1 });
  await system.call('PATCH', `/v1/sources/${often.id}`, { name: 'often' });
  const later = await spanOf(
    ({ name, attributes }) =>
      name === 'RunActivity:pollSource' &&
      attributes['recordwatch.record.id'] === often.id &&
      Number(attributes['temporal.activity.attempt']) > 2,
  );
  expect(later.parentId).toBe('');
  expect(later.linkedTraces).toHaveLength(1);
  expect(later.linkedTraces).not.toContain(later.traceId);
  // To find nothing new is not a fault.
  expect(later.isFault).toBe(false);
});

it('lines of the logs name the trace', async () => {
  const answer = await system.call('GET', `/v1/sources/${record.id}`);
  const request = await spanOf(
    ({ attributes }) => attributes['recordwatch.request.id'] === requestId(answer),
  );
  const line = await until('the line is written', () =>
    system
      .logs()
      .split('\n')
      .find((text) => text.includes(requestId(answer)) && text.includes('answered')),
  );
  expect(JSON.parse(line)).toMatchObject({ trace_id: request.traceId, span_id: request.spanId });
});

it('a caller does not decide which trace a request belongs to', async () => {
  const traceId = 'a'.repeat(32);
  const answer = await system.call('GET', '/v1/sources', undefined, {
    traceparent: `00-${traceId}-${'b'.repeat(16)}-01`,
  });
  const request = await spanOf(
    ({ attributes }) => attributes['recordwatch.request.id'] === requestId(answer),
  );
  expect(request.traceId).not.toBe(traceId);
  expect(request.parentId).toBe('');
});

it('no span has a URL, a secret or a path with a caller’s values', async () => {
  await checkAndWait(system, record.id);
  const texts = collector.received.map(({ body }) => body.toString('latin1'));
  expect(texts.length).toBeGreaterThan(0);
  const forbidden = [SECRET, '://', system.apiKey, `/v1/sources/${record.id}`, 'feed.csv'];
  expect(forbidden.filter((part) => texts.some((text) => text.includes(part)))).toEqual([]);
});

it('no trace reaches an origin or an endpoint', () => {
  expect(origin.requests.length).toBeGreaterThan(2);
  for (const { headers } of origin.requests) expect(headers).not.toHaveProperty('traceparent');
  expect(sink.deliveries.length).toBeGreaterThan(0);
  for (const { headers } of sink.deliveries) expect(headers).not.toHaveProperty('traceparent');
});
