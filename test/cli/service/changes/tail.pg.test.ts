// `tail` behind a proxy that answers in place of the service, as while that restarts.
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { useListeningApi } from '../../../support/api/listening-api.ts';
import { commitRows, createTestRecord } from '../../../support/rows/factories.ts';
import { type FaultyProxy, startFaultyProxy } from '../../../support/servers/faulty-proxy.ts';
import { type CliUser, newCliUser, type Running, untilSaid } from '../cli-user.ts';

const { api, baseUrl } = await useListeningApi();
let proxy: FaultyProxy;
let user: CliUser;
let record: string;
beforeAll(async () => {
  proxy = await startFaultyProxy(baseUrl);
  record = await createTestRecord(api.db, api.accountId, { slug: 'prices' });
  await change('first');
});
afterEach(async () => {
  await user.leave();
  proxy.forget();
});
afterAll(() => proxy.close());

const change = (price: string) => commitRows(api.db, record, { A: `{"id":"A","price":"${price}"}` });

/** Starts `tail`, and waits until its call waits for an event. */
async function startTail(apiKey: string, ...args: string[]): Promise<Running> {
  user = newCliUser({ RECORDWATCH_URL: proxy.url, RECORDWATCH_API_KEY: apiKey });
  const tail = user.start('tail', ...args);
  await expect.poll(() => proxy.requests.at(-1)?.headers['prefer']).toBe('wait=30');
  return tail;
}

it.each([
  { status: 404, body: '404 page not found' },
  { status: 404, headers: { 'content-type': 'application/json' }, body: '{"message":"no Route matched"}' },
  { status: 410, headers: { 'content-type': 'text/html' } },
  { status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>Maintenance</h1>' },
  { status: 200, headers: { 'content-type': 'text/plain' }, body: 'Maintenance' },
])('regression: goes on, and says so: %j', async (answer) => {
  const tail = await startTail(api.fullKey, '--max-rows', '0');
  proxy.next(answer);
  proxy.next(answer);
  await change('one');
  await untilSaid(tail, 'Trying again.');
  await change('two');
  await expect.poll(() => tail.stdout.trim().split('\n').length).toBe(2);
  tail.child.kill('SIGINT');
  expect(await tail.ended).toBe(0);
  expect(tail.stderr).toContain(
    `No answer (another server’s answer, status ${answer.status}). Trying again.\n`,
  );
  expect(tail.stderr).toMatch(/\nEnded\. Continue with --since \S+\n$/);
});

it.each([404, 410])(
  'regression: takes a proxy’s %i for no answer about the rows of a change',
  async (status) => {
    await change(`before ${status}`);
    const tail = await startTail(api.fullKey);
    // The next requests are for the rows and for the record.
    proxy.next({ status });
    await change(`after ${status}`);
    await untilSaid(tail, `price: “before ${status}” → “after ${status}”`);
  },
);

it('regression: ends at once while it looks for its record', async () => {
  user = newCliUser({ RECORDWATCH_URL: proxy.url, RECORDWATCH_API_KEY: api.fullKey });
  proxy.next('silence');
  const tail = user.start('tail', 'prices');
  await expect.poll(() => proxy.requests.length).toBe(1);
  tail.child.kill('SIGINT');
  expect(await tail.ended).toBe(0);
  expect(tail.stderr).toBe('');
});

it('regression: tells the place also when no event has come yet', async () => {
  const tail = await startTail(api.fullKey);
  // The next request is for the rows of the first event.
  proxy.next({ status: 401, body: '{"code":"unauthenticated"}' });
  await change('unread');
  expect(await tail.ended).toBe(4);
  expect(tail.stderr).toMatch(/\nEnded\. Continue with --since \S+\nrecordwatch: .*\(unauthenticated\)/);
});
