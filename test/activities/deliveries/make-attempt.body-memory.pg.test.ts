// A thousand bodies of 1 MiB for endpoints that do not answer: the process holds a part of them, the others wait in the database.
import { createServer, type ServerResponse } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { close, listen } from '../../../demo/http-server.ts';
import { type ActivityBench, openActivityBench } from '../../support/checks/activity-bench.ts';
import { type Origin, startOrigin } from '../../support/servers/origin-server.ts';
import { until } from '../../support/until.ts';

const WEBHOOKS = 1_000;
const MIB = 1024 * 1024;
/** What one account may take of the memory for bodies (activities/deliveries/body-memory.ts). */
const AT_ONCE = 64;

setFlagsFromString('--expose-gc');
// The flag defines it in contexts that are made later.
const collectGarbage = runInNewContext('gc') as () => void;

let bench: ActivityBench;
let origin: Origin;
const waiting: ServerResponse[] = [];
let receivedBytes = 0;
/** Reads each body, keeps nothing of it, and does not answer. */
const server = createServer((request, response) => {
  request.on('data', (chunk: Buffer) => {
    receivedBytes += chunk.length;
  });
  request.on('end', () => waiting.push(response));
});

beforeAll(async () => {
  bench = await openActivityBench();
  origin = await startOrigin();
});
afterAll(async () => {
  await close(server);
  await origin.close();
  await bench.close();
});

const usedBytes = (): number => {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

it('a thousand large bodies take the memory of a few', async () => {
  const url = `http://127.0.0.1:${await listen(server, 0)}`;
  const { db } = bench.database;
  const csv = (prefix: string) =>
    [
      'id,text',
      ...Array.from({ length: 1_200 }, (_, id) => `${prefix}${id},${'0123456789'.repeat(100)}`),
      '',
    ].join('\n');
  origin.set('/large.csv', { body: csv('old-') });
  const recordId = await bench.makeRecord({ url: `${origin.url}/large.csv` });
  await bench.check(recordId);
  for (let made = 0; made < WEBHOOKS; made += 50) {
    const some = Array.from({ length: 50 }, (_, index) => `${url}/${made + index}`);
    await Promise.all(some.map((each) => bench.makeWebhook(recordId, each)));
  }
  await db('webhooks')
    .where({ recordId })
    .update({ include: 'rows', maxBodyBytes: MIB, changeTypes: ['new'] });
  // All keys are others, so each row is new or deleted; the webhooks want the new ones.
  origin.set('/large.csv', { body: csv('new-') });
  const { deliver } = await bench.check(recordId);
  expect(deliver?.count).toBe(WEBHOOKS);
  const beforeBytes = usedBytes();
  const attempts = bench.run(({ attemptDeliveries }) => attemptDeliveries(deliver?.checkId ?? ''));
  await until('as many as there is room for have arrived', () => waiting.length >= AT_ONCE);
  await until('the others wait in their backlogs', async () => {
    const [row] = await db('deliveries').where({ recordId, inBacklog: true }).count();
    return Number(row?.['count']) === WEBHOOKS - AT_ONCE;
  });
  expect(receivedBytes / waiting.length).toBeGreaterThan(0.98 * MIB);
  // As text, and as the bytes that were sent.
  expect(usedBytes() - beforeBytes).toBeLessThan(3 * AT_ONCE * MIB);
  for (const response of waiting.splice(0)) response.writeHead(204).end();
  expect(await attempts).toEqual({ delivered: AT_ONCE });
  // Their room is free again.
  const { webhookId } = await db('deliveries').where({ recordId, inBacklog: true }).first();
  const backlog = bench.run(({ sendBacklogBatch }) => sendBacklogBatch({ webhookId: String(webhookId) }));
  await until('the next one has arrived', () => waiting.length === 1);
  for (const response of waiting.splice(0)) response.writeHead(204).end();
  expect(await backlog).toMatchObject({ kind: 'empty' });
});
