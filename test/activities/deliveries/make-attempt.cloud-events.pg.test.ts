// Deliveries as CloudEvents, as the packages for JavaScript and Python read them, with the signature of every delivery.
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { CloudEvent, HTTP } from 'cloudevents';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { insertTestDelivery } from '../../../db/webhooks/reopen-deliveries.ts';
import { updateWebhook, type WebhookSettings } from '../../../db/webhooks/webhooks.ts';
import { type ActivityBench, openActivityBench } from '../../support/checks/activity-bench.ts';
import { type Origin, startOrigin } from '../../support/servers/origin-server.ts';
import { INSTALL_MS, installPackages } from '../../support/servers/python-packages.ts';
import { type SinkDelivery, startSink, type WebhookSink } from '../../support/servers/webhook-sink.ts';

const FOLDER = fileURLToPath(new URL('cloud-events/', import.meta.url));

let bench: ActivityBench;
let origin: Origin;
let sink: WebhookSink;
beforeAll(async () => {
  bench = await openActivityBench();
  origin = await startOrigin();
  sink = await startSink();
});
afterAll(async () => {
  await sink.close();
  await origin.close();
  await bench.close();
});

interface ReadEvent {
  id: string;
  source: string;
  type: string;
  subject: string | null;
  time: string;
  specversion: string;
  datacontenttype: string;
  data: Record<string, unknown>;
}

/** The fields that the Python package reads of each request. */
async function readByPython(requests: readonly SinkDelivery[]): Promise<ReadEvent[]> {
  const packages = await installPackages(`${FOLDER}requirements.txt`);
  const child = spawn('python3', [`${FOLDER}read.py`], {
    env: { PATH: process.env['PATH'], PYTHONPATH: packages, PYTHONDONTWRITEBYTECODE: '1' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(requests.map(({ headers, body }) => `${JSON.stringify({ headers, body })}\n`).join(''));
  const lines = (await text(child.stdout)).trim().split('\n');
  return lines.map((line) => JSON.parse(line) as ReadEvent);
}

/** The fields that the JavaScript package reads. */
function readByJavaScript({ headers, body }: SinkDelivery): ReadEvent {
  const event = HTTP.toEvent<Record<string, unknown>>({ headers, body });
  if (!(event instanceof CloudEvent)) throw new Error('One event was sent');
  expect(event.validate()).toBe(true);
  return JSON.parse(JSON.stringify(event)) as ReadEvent;
}

it('are read by the packages of CloudEvents, and keep their signature', { timeout: INSTALL_MS }, async () => {
  const { db } = bench.database;
  origin.set('/a.csv', { body: 'id,price\n1,10\n2,20\n' });
  const recordId = await bench.makeRecord({ url: `${origin.url}/a.csv` });
  await bench.check(recordId);
  const settings: Partial<WebhookSettings> = {
    format: 'cloudevents',
    include: 'rows',
    eventTypes: ['delta', 'schema.changed', 'check.failed'],
  };
  const webhookId = await bench.makeWebhook(recordId, `${sink.url}/cloud`);
  await updateWebhook(db, { recordId }, webhookId, settings);
  await updateWebhook(db, { recordId }, await bench.makeWebhook(recordId, `${sink.url}/plain`), {
    include: 'rows',
  });
  origin.set('/a.csv', { body: 'id,price,stock\n1,11,5\n2,20,5\n' });
  const changed = await bench.check(recordId);
  origin.set('/a.csv', { status: 404, body: '' });
  const failed = await bench.check(recordId);
  for (const { deliver } of [changed, failed])
    await bench.run(({ attemptDeliveries }) => attemptDeliveries(deliver?.checkId ?? ''));
  const example = { isTest: true as const, deltaEventId: 'evt_1' };
  const testId = await insertTestDelivery(db, { webhookId, recordId }, 'delta', example);
  await bench.run(({ attemptDelivery }) => attemptDelivery(testId ?? ''));

  const requests = sink.deliveries.filter(({ path }) => path.endsWith('/cloud'));
  const events = requests.map(readByJavaScript);
  expect(events.map(({ type }) => type).toSorted()).toEqual([
    'recordwatch.check.failed',
    'recordwatch.delta',
    'recordwatch.delta',
    'recordwatch.schema.changed',
  ]);
  const [python, plain] = [
    await readByPython(requests),
    sink.deliveries.find(({ path }) => path.endsWith('/plain')),
  ];
  for (const [index, event] of events.entries()) {
    const request = requests[index];
    if (request === undefined) throw new Error('Each event was a request');
    const { headers, body } = request;
    expect(headers['content-type']).toBe('application/cloudevents+json');
    expect(event).toMatchObject({
      specversion: '1.0',
      datacontenttype: 'application/json',
      id: headers['webhook-id'],
      source: `${bench.deps.config.baseUrl}/v1/sources/${recordId}`,
      type: `recordwatch.${String(event.data['type'])}`,
      time: event.data['timestamp'],
    });
    const { time, ...others } = python[index] ?? {};
    expect(event).toMatchObject(others);
    expect(Date.parse(time ?? '')).toBe(Date.parse(event.time));
    const webhook = new Webhook(Buffer.from('a secret of the receiver'), { format: 'raw' });
    expect(webhook.verify(body, headers as Record<string, string>)).toBeDefined();
  }
  // The data are the body of the other format, apart from the ids of webhook and delivery.
  const delta = events.find(({ type, data }) => type === 'recordwatch.delta' && data['isTest'] === undefined);
  const {
    webhookId: _webhook,
    rowsUrl: _url,
    ...members
  } = JSON.parse(plain?.body ?? '{}') as Record<string, unknown>;
  expect(plain?.headers['content-type']).toBe('application/json');
  expect(delta?.data).toMatchObject(members);
  expect(delta?.subject).toBe(members['deltaEventId']);
});
