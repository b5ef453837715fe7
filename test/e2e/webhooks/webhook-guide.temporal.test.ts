// Follows docs/webhooks.md as a reader would, with its receiver, and tests its statements on rotation and recovery.
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Step, stepsOf } from '../../support/api/document-steps.ts';
import { createKey } from '../../support/rows/factories.ts';
import { freePort } from '../../support/servers/free-port.ts';
import { type Origin, startOrigin } from '../../support/servers/origin-server.ts';
import { differencesIn } from '../../support/api/shown-answer.ts';
import { checkAndWait, createRecord, startSystem, type System } from '../../support/servers/system.ts';
import { until } from '../../support/until.ts';
import { type SinkDelivery, startSink, type WebhookSink } from '../../support/servers/webhook-sink.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const guide = readFileSync(join(ROOT, 'docs/webhooks.md'), 'utf8');
const [making, ...steps] = stepsOf(guide);
const END_OF_STEP = '---- end of step ----';
const folder = mkdtempSync(join(tmpdir(), 'recordwatch-webhooks-'));

let system: System;
let origin: Origin;
let sink: WebhookSink;
let baseUrl = '';
let key = '';
let endReceiver = (): void => undefined;

beforeAll(async () => {
  const port = await freePort();
  baseUrl = `http://127.0.0.1:${port}`;
  system = await startSystem({ PORT: String(port), BASE_URL: baseUrl });
  origin = await startOrigin();
  sink = await startSink();
  key = (await createKey(system.database.db, system.accountId, 'full')).value;
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
});

afterAll(async () => {
  endReceiver();
  await sink.close();
  await origin.close();
  await system.stop();
  rmSync(folder, { recursive: true, force: true });
});

const serve = (path: string, rows: number): string => {
  const lines = Array.from({ length: rows }, (_, at) => `${at},row ${at}`);
  origin.set(path, { body: ['id,name', ...lines].join('\n') });
  return origin.url + path;
};

/** Runs commands of the document with the address of this test's receiver. */
async function run(commands: string, receiverPort: number, variables = ''): Promise<string> {
  const [, member = ''] = /^(member\(\).*)$/m.exec(readFileSync(join(ROOT, 'docs/guide.md'), 'utf8')) ?? [];
  const prelude = `BASE=${baseUrl}\nKEY=${key}\n${member}\n${variables}\n`;
  const script = commands.replaceAll('127.0.0.1:9000', `127.0.0.1:${receiverPort}`);
  const { stdout, stderr } = await promisify(execFile)('sh', ['-c', prelude + script], { cwd: folder });
  expect(stderr).toBe('');
  return stdout;
}

function startReceiver(secret: string, port: number): () => string {
  const [, code = ''] = /^```ts\n([\s\S]*?)^```$/m.exec(guide) ?? [];
  writeFileSync(join(folder, 'receiver.ts'), code);
  const env = { ...process.env, PORT: String(port), WEBHOOK_SECRET: secret };
  const child = spawn(process.execPath, ['receiver.ts'], { cwd: folder, env });
  endReceiver = () => void child.kill('SIGKILL');
  const output: string[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk.toString()));
  return () => output.join('');
}

function differencesOf({ shown = '', language }: Step, output: string): string[] {
  if (language === 'json') return differencesIn(JSON.parse(output), JSON.parse(shown));
  return language === 'text' && output !== shown.trim() ? [`${output}, not ${shown}`] : [];
}

describe('docs/webhooks.md', () => {
  it('can be followed', async () => {
    await createRecord(system, { url: serve('/licences', 10), slug: 'spdx-licences', keyFields: ['id'] });
    const port = await freePort();
    const made = await run(`${making?.commands}\necho "$WEBHOOK $WEBHOOK_SECRET"`, port);
    const [id = '', secret = ''] = made.trim().split(' ');
    expect(id).toMatch(/^wh_/);
    const receiverOutput = startReceiver(secret, port);
    await until('the receiver listens', () => fetch(`http://127.0.0.1:${port}/`).catch(() => undefined));
    const script = steps.map(({ commands }) => `${commands}\necho\necho '${END_OF_STEP}'\n`).join('');
    const outputs = (await run(script, port, `WEBHOOK=${id}`)).split(`${END_OF_STEP}\n`);
    expect(outputs.slice(0, -1)).toHaveLength(steps.length);
    const differences = steps.flatMap((step, at) => differencesOf(step, outputs[at]?.trim() ?? ''));
    expect(differences).toEqual([]);
    expect(receiverOutput().match(/isTest: true/g)).toHaveLength(2);
  });
});

interface Feed {
  /** Serves this many rows and has the record checked. */
  check: (rows: number) => Promise<unknown>;
  path: string;
  webhook: { id: string; secret: string };
  sent: () => SinkDelivery[];
}

async function newFeed(name: string): Promise<Feed> {
  const { id } = await createRecord(system, { url: serve(`/${name}`, 10), keyFields: ['id'] });
  const { body } = await system.call('POST', `/v1/sources/${id}/webhooks`, { url: `${sink.url}/${name}` });
  const webhook = { id: String(body['id']), secret: String(body['secret']) };
  return {
    check: async (rows) => {
      serve(`/${name}`, rows);
      return checkAndWait(system, id);
    },
    path: `/v1/sources/${id}/webhooks/${webhook.id}`,
    webhook,
    sent: () => sink.deliveries.filter(({ path }) => path.endsWith(`/${name}`)),
  };
}

const isSignedBy = (secret: string, { body, headers }: SinkDelivery): boolean => {
  try {
    // The headers as a receiver's framework gives them.
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
};

describe('a rotated secret', () => {
  it('signs together with the previous one until the next rotation', async () => {
    const feed = await newFeed('rotation');
    const rotate = async () =>
      String((await system.call('POST', `${feed.path}/rotate-secret`, {})).body['secret']);
    const second = await rotate();
    await feed.check(11);
    const [both] = await until('a delivery', () => feed.sent().length > 0 && feed.sent());
    expect([feed.webhook.secret, second].map((secret) => both && isSignedBy(secret, both))).toEqual([
      true,
      true,
    ]);
    const third = await rotate();
    await feed.check(12);
    const [, last] = await until('another delivery', () => feed.sent().length > 1 && feed.sent());
    expect([feed.webhook.secret, second, third].map((secret) => last && isSignedBy(secret, last))).toEqual([
      false,
      true,
      true,
    ]);
  });
});

describe('a webhook that was disabled', () => {
  it('gets the missed deliveries after a recovery, and none before', async () => {
    const feed = await newFeed('recovery');
    await feed.check(11);
    await until('the first delivery', () => feed.sent().length === 1);
    await system.call('PATCH', feed.path, { enabled: false });
    for (const rows of [12, 13, 14]) await feed.check(rows);
    expect((await system.call('POST', `${feed.path}/test`, {})).status).toBe(409);
    await system.call('PATCH', feed.path, { enabled: true });
    await feed.check(15);
    await until('the next delivery', () => feed.sent().length === 2);
    const recover = (dryRun: boolean) =>
      system.call('POST', `${feed.path}/recover`, { since: '2020-01-01', dryRun });
    expect((await recover(true)).body).toMatchObject({ count: 3, hasMore: false });
    expect((await recover(false)).status).toBe(202);
    await until('what was missed', () => feed.sent().length === 5);
    const newKeys = feed.sent().map(({ body }) => (JSON.parse(body) as { newKeys: string[] }).newKeys);
    expect(newKeys.slice(2).flat().toSorted()).toEqual(['11', '12', '13']);
    // An answer is recorded after it has arrived.
    await until('all are recorded', async () => {
      const { body } = await system.call('GET', `${feed.path}/deliveries?status=delivered`);
      return body['count'] === 5;
    });
    expect((await recover(true)).body).toMatchObject({ count: 0 });
  });
});

describe('a delivery that failed', () => {
  it('is sent again under its id on request', async () => {
    const feed = await newFeed('redelivery');
    let status = 500;
    sink.respondWith(({ path }) => ({ status: path.endsWith('/redelivery') ? status : 200, body: 'Sorry.' }));
    const tested = await system.call('POST', `${feed.path}/test`, {}, { prefer: 'wait=30' });
    expect([tested.status, tested.body]).toMatchObject([
      200,
      { status: 'failed', attempts: [{ statusCode: 500, response: 'Sorry.' }] },
    ]);
    status = 200;
    const path = `${feed.path}/deliveries/${String(tested.body['id'])}/redeliver`;
    const again = await system.call('POST', path, {}, { prefer: 'wait=30' });
    expect([again.status, again.body]).toMatchObject([200, { status: 'delivered', attemptCount: 2 }]);
    const ids = feed.sent().map(({ headers }) => headers['webhook-id']);
    expect(ids).toEqual([tested.body['id'], tested.body['id']]);
    const [first] = feed.sent();
    expect(first && isSignedBy(feed.webhook.secret, first)).toBe(true);
  });
});
