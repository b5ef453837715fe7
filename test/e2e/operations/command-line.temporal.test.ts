// `tail` and `listen` as a user runs them, against API and worker as processes, with connections that break.
import { execFileSync } from 'node:child_process';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../support/servers/free-port.ts';
import { type Origin, startOrigin } from '../../support/servers/origin-server.ts';
import { checkAndWait, createRecord, startSystem, type System } from '../../support/servers/system.ts';
import { startTcpProxy, type TcpProxy } from '../../support/servers/tcp-proxy.ts';
import { type SinkDelivery, startSink, type WebhookSink } from '../../support/servers/webhook-sink.ts';
import { until } from '../../support/until.ts';
import { type CliUser, newCliUser, untilSaid } from '../../cli/service/cli-user.ts';

let system: System;
let origin: Origin;
let proxy: TcpProxy;
let sink: WebhookSink;
let user: CliUser;
let recordId: string;
beforeAll(async () => {
  const port = await freePort();
  system = await startSystem({ PORT: String(port) });
  origin = await startOrigin();
  proxy = await startTcpProxy(`127.0.0.1:${port}`);
  sink = await startSink();
  user = newCliUser();
  await user.run(['login', '--url', `http://${proxy.address}`, '--with-token'], { input: system.apiKey });
  serve(0);
  ({ id: recordId } = await createRecord(system, { url: `${origin.url}/table.csv`, slug: 'prices' }));
});
afterAll(async () => {
  await user.leave();
  await sink.close();
  await proxy.close();
  await origin.close();
  await system.stop();
});

const serve = (version: number): void => origin.set('/table.csv', () => ({ body: `id,price\nA1,${version}\nB2,7\n` })); // prettier-ignore

const sinkAt = (path: string): string => new URL(path, sink.url).href;

let version = 0;
/** Changes the data, and checks the record. @returns the event’s id */
async function change(): Promise<string> {
  version += 1;
  serve(version);
  const check = await checkAndWait(system, recordId);
  expect(check).toMatchObject({ outcome: 'changed' });
  return (check as unknown as { deltaEventId: string }).deltaEventId;
}

it('tail prints each change once, in order, while connections break and the API is killed', async () => {
  const asJson = user.start('tail', '--json');
  const asText = user.start('tail', 'prices', '--max-rows', '1');
  for (const tail of [asJson, asText]) await untilSaid(tail, 'Waiting for changes');
  const ids: string[] = [];
  for (let round = 1; round <= 3; round += 1) {
    ids.push(await change());
    proxy.sever();
    ids.push(await change());
    await (round === 2 ? system.kill('api') : until('all arrived', () => printed(asJson.stdout).length === ids.length)); // prettier-ignore
    if (round === 2) await system.start('api');
  }
  await until('all arrived', () => printed(asJson.stdout).length >= ids.length && lines(asText.stdout).length >= 2 * ids.length); // prettier-ignore
  expect(printed(asJson.stdout)).toEqual(ids);
  expect(lines(asText.stdout)).toEqual(
    ids.flatMap((_, at) => [
      expect.stringMatching(/^\d\d:\d\d:\d\d {2}prices {2}0 new, 1 changed, 0 deleted, 1 unchanged$/),
      `          ~ A1  price: “${at}” → “${at + 1}”`,
    ]),
  );
  expect(asText.stderr).toMatch(/No answer \(.+\)\. Trying again\.\n[^]*The service answers again\.\n/);
  expect(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })).not.toContain(system.apiKey);
  asText.child.kill('SIGINT');
  expect(await asText.ended).toBe(0);
  const [, cursor = ''] = /Continue with --since (\S+)/.exec(asText.stderr) ?? [];
  asJson.child.kill('SIGKILL');
  const next = await change();
  const later = user.start('tail', '--since', cursor, '--json');
  await until('it continues', () => printed(later.stdout).length > 0);
  expect(printed(later.stdout)).toEqual([next]);
});

const lines = (text: string): string[] => text.split('\n').slice(0, -1);
const printed = (text: string): string[] => lines(text).map((line) => JSON.parse(line).deltaEventId);

it('tail and listen leave out the changes that do not meet a condition', async () => {
  const isNine = '{"some":[{"var":"rows"},{"==":[{"after":"price"},900]}]}';
  const tail = user.start('tail', '--type', 'delta', '--json', '--condition', isNine);
  const listen = user.start('listen', '--forward-to', sinkAt('/chosen'), '--condition', isNine);
  await untilSaid(tail, 'Waiting for changes');
  await untilSaid(listen, 'Ready.');
  await change();
  version = 899;
  const eventId = await change();
  const sent = await sink.waitFor(({ path }) => path === '/chosen');
  expect(JSON.parse(sent.body)).toMatchObject({ deltaEventId: eventId, condition: 'met' });
  await until('tail prints it', () => printed(tail.stdout).length > 0);
  for (const each of [tail, listen]) {
    each.child.kill('SIGINT');
    expect(await each.ended).toBe(0);
  }
  expect(printed(tail.stdout)).toEqual([eventId]);
  expect(sink.deliveries.filter(({ path }) => path === '/chosen')).toHaveLength(1);
});

it('tail ends when its key is revoked', async () => {
  const made = await user.run(['keys', 'create', 'for a while', '--json']);
  const { id, key } = JSON.parse(made.stdout) as { id: string; key: string };
  await user.run(['login', '--with-token'], { input: key });
  const tail = user.start('tail');
  await untilSaid(tail, 'Waiting for changes');
  await user.run(['login', '--with-token'], { input: system.apiKey });
  expect((await user.run(['keys', 'revoke', id, '--yes'])).code).toBe(0);
  await change();
  expect(await tail.ended).toBe(4);
  expect(tail.stdout).toBe('');
  expect(tail.stderr).toMatch(/\(unauthenticated\)\n {2}Log in with/);
});

const FORWARDED = ['delta', 'check.failed', 'check.recovered', 'check.held'];

it('listen sends what a webhook sends, signed with the secret that it prints', async () => {
  const real = await system.call('POST', `/v1/sources/${recordId}/webhooks`, { url: sinkAt('/real'), eventTypes: FORWARDED }); // prettier-ignore
  const listen = user.start('listen', 'prices', '--forward-to', sinkAt('/local'));
  await untilSaid(listen, 'Ready.');
  const [, secret = ''] = /Signing secret: (whsec_\S+)/.exec(listen.stderr) ?? [];
  const eventId = await change();
  origin.set('/table.csv', () => ({ status: 503 }));
  expect(await user.run(['records', 'check', 'prices'])).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^Check \d+: failed\n$/),
    stderr: expect.stringMatching(/^recordwatch: Check \d+: .* 503\. \(http_error\)\n$/),
  });
  serve(version);
  const recovered = await user.run(['records', 'check', 'prices']);
  expect(recovered).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Check \d+: unchanged/) });
  origin.set('/table.csv', () => ({ body: 'id,price\n' }));
  expect(await user.run(['records', 'check', 'prices'])).toMatchObject({ code: 1, stdout: expect.stringMatching(/^Check \d+: held\n$/) }); // prettier-ignore
  for (const type of FORWARDED) {
    const [local, sent] = await Promise.all(['/local', '/real'].map((path) => sink.waitFor((each) => each.path === path && JSON.parse(each.body).event === type))); // prettier-ignore
    if (local === undefined || sent === undefined) throw new Error('unreachable');
    const { webhookId } = new Webhook(secret).verify(local.body, headersOf(local)) as { webhookId: string };
    expect(webhookId).toMatch(/^wh_[0-9a-f]{32}$/);
    expect(webhookId).not.toBe(real.body['id']);
    expect(local.body).toBe(sent.body.replace(String(real.body['id']), webhookId));
    expect(Object.keys(local.headers).sort()).toEqual(Object.keys(sent.headers).sort());
  }
  await untilSaid(listen, `${eventId} → 200, `);
  listen.child.kill('SIGINT');
  expect(await listen.ended).toBe(0);
  const [, cursor = ''] = /Ended. Continue with --since (\S+)\n$/.exec(listen.stderr) ?? [];
  const missed = await change();
  const later = user.start('listen', 'prices', '--forward-to', sinkAt('/later'), '--since', cursor, '--json');
  await until('it continues', () => lines(later.stdout).length > 0);
  const [next] = lines(later.stdout).map((line) => JSON.parse(line));
  expect(next).toMatchObject({ eventId: missed, status: 200, cursor: expect.stringMatching(/^[\w-]+$/) });
  later.child.kill('SIGINT');
  expect(await later.ended).toBe(0);

  const [first] = sink.deliveries.filter(({ path }) => path === '/local');
  const replay = ['listen', '--forward-to', sinkAt('/again'), '--replay', eventId];
  expect((await user.run(replay)).code).toBe(0);
  const again = await sink.waitFor(({ path }) => path === '/again');
  expect(again.body).toBe(first?.body);
  expect(again.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  new Webhook(secret).verify(again.body, headersOf(again));
  sink.respondWith({ status: 500, body: 'no\u001b[2J' });
  const chosen = await user.run([...replay, '--condition', '{">": [{"var": "newCount"}, 9]}']);
  expect(chosen).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("cannot be used with option '--condition"),
  });
  const failed = await user.run(replay);
  expect(failed).toMatchObject({ code: 1, stdout: expect.stringMatching(/→ 500, \d+ ms: no\\u001b\[2J\n$/) });
  sink.respondWith(200);
  const unknown = eventId.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
  expect((await user.run([...replay.slice(0, -1), unknown])).code).toBe(3);
});

const headersOf = ({ headers }: SinkDelivery): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

it('regression: a record whose first check fails is created, and told to have failed', async () => {
  origin.set('/missing.csv', () => ({ status: 404 }));
  const create = ['records', 'create', `${origin.url}/missing.csv`, '--slug', 'missing', '--json'];
  const { code, stdout, stderr } = await user.run(create);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ slug: 'missing', lastError: { code: 'http_error' } });
  expect(stderr).toMatch(
    /^recordwatch: The record missing is created, but its first check failed: .* 404\. \(http_error\)\n {2}.*“recordwatch records check missing”/,
  );
});

it('trigger sends an example with the same secret, to this machine only', async () => {
  const secret = (await user.run(['listen', '--print-secret'])).stdout.trim();
  const done = await user.run([
    'trigger',
    'check.failed',
    '--forward-to',
    sinkAt('/example').replace('http://127.0.0.1', 'localhost'),
    '--json',
  ]);
  expect(done).toMatchObject({ code: 0, stderr: '' });
  const example = await sink.waitFor(({ path }) => path === '/example');
  expect(new Webhook(secret).verify(example.body, headersOf(example))).toMatchObject({
    event: 'check.failed',
    isTest: true,
  });
  expect(JSON.parse(done.stdout)).toMatchObject({ deliveryId: example.headers['webhook-id'], status: 200 });
  for (const away of ['http://192.0.2.1/', 'https://example.com', 'http://127.0.0.1.example.com']) {
    expect(await user.run(['trigger', '--forward-to', away])).toMatchObject({ code: 2, stderr: expect.stringContaining('not this machine') }); // prettier-ignore
  }
  const secretive = await user.run(['trigger', '--forward-to', 'http://me:hunter2@localhost:3000/hook']);
  expect(secretive).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no user name and no password'),
  });
  expect(secretive.stderr).not.toContain('hunter2');
  const nobody = await user.run(['trigger', '--forward-to', `localhost:${await freePort()}`]);
  expect(nobody).toMatchObject({ code: 1, stdout: expect.stringContaining('nothing listens there') });
});
