// Connecting programs and endpoints: keys, copied samples, MCP, and webhooks that work or fail.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { copiedBy } from '../support/pages/clipboard.ts';
import { useDashboard } from '../support/pages/dashboard.ts';
import { initialize } from '../support/api/mcp-initialize.ts';
import { makeConnectedClient } from '../support/rows/new-connected-client.ts';
import { isHere, type PastedProgram, readIfThere, startPasted } from '../support/pages/pasted-program.ts';
import { checkAndWait, createRecord } from '../support/servers/system.ts';
import { until } from '../support/until.ts';
import { type SinkDelivery, startSink, type WebhookSink } from '../support/servers/webhook-sink.ts';

/** The first retry comes at once and is seen; the next one is so late that the page shows it as waiting. */
const DELIVERY_SCHEDULE = ['50ms', ...Array.from({ length: 8 }, () => '1h')].join(',');

/** Refuses one address of this machine, the IPv6 one. */
const dashboard = useDashboard({ DELIVERY_SCHEDULE, ALLOW_ADDRESSES: '127.0.0.0/8' });

let page: Page;
let recordId: string;
let sink: WebhookSink;
let version = 0;
let records = 0;

const button = (name: string) => page.getByRole('button', { name, exact: true });
const region = (name: string) => page.getByRole('region', { name, exact: true });
const dialog = (name: string) => page.getByRole('dialog', { name, exact: true });
const text = (words: string | RegExp) => page.getByText(words, { exact: true }).first();
const codeOf = (what: string) => page.getByLabel(what, { exact: true }).first().innerText();
const go = (path: string) => page.goto(`${dashboard.url}${path}`);

const copied = (what: string): Promise<string> =>
  copiedBy(page, async () => {
    await button(`Copy ${what}`).click();
    await button('Copied').first().waitFor();
  });

/** Changes the record's one price and runs the check that finds it. */
async function change(): Promise<string> {
  version += 1;
  await showRows(`a,${version}`);
  const { body } = await dashboard.system.call('GET', `/v1/sources/${recordId}/delta/latest`);
  return String(body['id']);
}

async function showRows(...rows: string[]): Promise<void> {
  dashboard.origin.set(`/${records}.csv`, { body: ['id,price', ...rows, ''].join('\n') });
  await checkAndWait(dashboard.system, recordId);
}

const setTier = (tier: string) => dashboard.system.database.db('records').update({ tier });

const statusWith = async (key: string, path: string): Promise<number> =>
  (await fetch(new URL(path, dashboard.url), { headers: { authorization: `Bearer ${key}` } })).status;

beforeAll(async () => {
  sink = await startSink();
});
afterAll(() => sink.close());

beforeEach(async () => {
  sink.respondWith(200);
  records += 1;
  dashboard.origin.set(`/${records}.csv`, { body: 'id,price\na,0\n' });
  const url = `${dashboard.origin.url}/${records}.csv`;
  ({ id: recordId } = await createRecord(dashboard.system, { url, name: `Prices ${records}` }));
  page = await dashboard.newOwner({ permissions: ['clipboard-read', 'clipboard-write'] });
});

describe('a free account', () => {
  it('is told what unlocks keys and webhooks, and gets them with its first paid record', async () => {
    await setTier('free');
    const pages = [
      ['developer', 'API keys are locked', 'New key'],
      [`records/${recordId}/connect`, 'API keys are locked', 'New key'],
      [`records/${recordId}/webhooks`, 'Webhooks are locked', 'New webhook'],
    ] as const;
    for (const [path, note, action] of pages) {
      await go(path);
      const words = await page.getByRole('note', { name: note, exact: true }).innerText();
      expect(words).toContain('on the tier watch or max');
      expect(await button(action).count()).toBe(0);
    }
    await setTier('watch');
    for (const [path, , action] of pages) {
      const usage = page.waitForResponse('**/v1/usage');
      await go(path);
      await (await usage).finished();
      await button(action).click();
      await dialog(action).waitFor();
      expect(await page.getByRole('note').count()).toBe(0);
    }
  });

  it('is told the same when the tier went down while a form was open', async () => {
    dashboard.expectComplaint('402');
    await go(`records/${recordId}/webhooks`);
    await button('New webhook').click();
    await page.getByLabel('Endpoint URL').fill(sink.url);
    await setTier('free');
    await button('Create webhook').click();
    await dialog('New webhook').getByRole('note', { name: 'Webhooks are locked', exact: true }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await setTier('watch');
  });
});

describe.each([
  {
    kind: 'record',
    title: 'Record keys',
    pathOf: () => `records/${recordId}/connect`,
    reads: '/v1/sources/self',
    scopes: 3,
  },
  { kind: 'account', title: 'Account keys', pathOf: () => 'developer', reads: '/v1/sources', scopes: 4 },
])('a key of the $kind', ({ title, pathOf, reads, scopes }) => {
  it('is created in a dialog, shown once, works, and stops working when revoked', async () => {
    await go(pathOf());
    await region(title).getByRole('button', { name: 'New key', exact: true }).click();
    await dialog('New key').getByLabel('Name').fill('Price board');
    expect(await dialog('New key').getByRole('radio').count()).toBe(scopes);
    await button('Create key').click();
    await dialog('Your new key').waitFor();
    const key = await copied('the key');
    expect(key).toMatch(/^cat_/);
    // Closing the dialog hides the key for good, so a stray key press does not close it.
    await page.keyboard.press('Escape');
    await button('Done').click();
    await dialog('Your new key').waitFor({ state: 'hidden' });
    expect(await statusWith(key, reads)).toBe(200);

    await page.reload();
    const row = region(title).getByRole('row', { name: 'Price board' });
    expect(await row.innerText()).toContain(`…${key.slice(-4)}`);
    expect(await page.content()).not.toContain(key);

    await button('Revoke key Price board').click();
    await dialog('Revoke this key?').getByRole('button', { name: 'Revoke key', exact: true }).click();
    await row.waitFor({ state: 'hidden' });
    expect(await statusWith(key, reads)).toBe(401);
    await region(title)
      .getByRole('switch', { name: /^Show revoked/ })
      .click({ force: true });
    await row.getByText('revoked', { exact: true }).waitFor();
    expect(await row.getByRole('button').count()).toBe(0);
  });
});

it('MCP clients connect with the shown addresses and headers until the key is revoked', async () => {
  await go(`records/${recordId}/connect`);
  const key = await newRecordKey();
  const address = await copied('the MCP address');
  await page.getByRole('tab', { name: 'Cursor' }).click();
  const { mcpServers } = JSON.parse(await copied('the configuration for Cursor')) as {
    mcpServers: { recordwatch: { url: string; headers: Record<string, string> } };
  };
  expect(mcpServers.recordwatch.url).toBe(address);
  const ask = () => initialize(mcpServers.recordwatch.url, mcpServers.recordwatch.headers);
  const [status, answer] = await ask();
  expect([status, answer]).toEqual([200, expect.stringContaining('serverInfo')]);

  await page.getByRole('tab', { name: 'Other' }).click();
  const withToken = await copied('the address with a token');
  expect((await initialize(withToken))[0]).toBe(200);
  const command = await codeOf('the command of the inspector');
  expect(command).toContain(`${address} --transport http`);

  // A reload forgets the key and keeps the chosen client.
  await page.reload();
  await page.getByRole('tab', { name: 'Other', selected: true }).waitFor();
  expect(await codeOf('the header')).toBe('Authorization: Bearer <API_KEY>');
  expect(await page.content()).not.toContain(key);

  await button('Revoke key reader').click();
  await button('Revoke key').click();
  await region('Record keys').getByText('No API keys yet').waitFor();
  expect((await ask())[0]).toBe(401);
  expect((await initialize(withToken))[0]).toBe(401);
});

async function newRecordKey(): Promise<string> {
  await button('New key').click();
  await dialog('New key').getByLabel('Name').fill('reader');
  await button('Create key').click();
  const key = await copied('the key');
  await button('Done').click();
  await dialog('Your new key').waitFor({ state: 'hidden' });
  return key;
}

describe('the samples', () => {
  const folder = mkdtempSync(join(tmpdir(), 'recordwatch-pasted-'));
  const running: PastedProgram[] = [];
  const run = async (language: { file: string; program: string }, pasted: string): Promise<PastedProgram> => {
    const program = await startPasted(folder, language, pasted);
    running.push(program);
    return program;
  };
  afterAll(async () => {
    await Promise.all(running.map((program) => program.end()));
    rmSync(folder, { recursive: true, force: true });
  });

  it('work as copied: they read, and print a change when it is found', async () => {
    const before = await change();
    await go(`records/${recordId}/connect`);
    await newRecordKey();
    const { body } = await dashboard.system.call('GET', `/v1/sources/${recordId}/apikeys`);
    const [{ id: keyId = '' } = {}] = body['apiKeys'] as { id?: string }[];
    const once = await run({ file: 'once.sh', program: 'sh' }, await copied('the curl commands'));
    await until('curl has read', () => once.output().includes('"rows"'));
    expect(once.output()).toContain(before);
    await until(
      'curl has a file',
      () => readIfThere(join(folder, 'rows.csv')) === `id,price\na,${version}\n`,
    );

    const polling = [
      await run({ file: 'poll.sh', program: 'sh' }, await copied('the shell commands that poll')),
    ];
    await page.getByRole('tab', { name: 'TypeScript' }).click();
    const node = { file: 'watch.mts', program: process.execPath };
    polling.push(await run(node, await copied('the TypeScript program')));
    if (isHere('python3')) {
      await page.getByRole('tab', { name: 'Python' }).click();
      const python = { file: 'watch.py', program: 'python3' };
      polling.push(await run(python, await copied('the Python program')));
    }
    // The requests of curl, and the first ones of each program.
    await until('they know the latest event', () => latestReads(keyId) > polling.length, { everyMs: 250 });
    const event = await change();
    const [poll, ...watching] = polling;
    await until('the shell prints it', () => poll?.output().includes(event));
    for (const program of watching) {
      const printed = new RegExp(`changed a .*${version - 1}.*${version}`);
      await until('a program prints it', () => printed.test(program.output()));
    }
  });

  /** How often this key has read the latest event. */
  const latestReads = (keyId: string): number =>
    dashboard.system
      .logs()
      .split('\n')
      .filter((line) => line.includes('/delta/latest"') && line.includes(keyId)).length;
});

it('usage and connected clients are shown', async () => {
  const { body: usage } = await dashboard.system.call('GET', '/v1/usage');
  await go('developer');
  const tier = region('Usage').getByText('Tier', { exact: true }).locator('..');
  expect(await tier.innerText()).toContain('watch');
  const calls = usage['mcpCalls'] as { usedToday: number };
  await region('Usage').getByText(`${calls.usedToday} of 2,000`).waitFor();
  await region('Usage')
    .getByText(`${Number(usage['requestsPerMinute']).toLocaleString('en')} at most`)
    .waitFor();

  const clients = region('Connected MCP clients');
  await clients.getByText('No connected clients').waitFor();
  expect(await clients.getByLabel('the MCP address', { exact: true }).innerText()).toBe(
    new URL('/v1/mcp', dashboard.url).href,
  );
  await makeConnectedClient(dashboard.system.database.db, dashboard.system.accountId);
  await page.reload();
  await button('Disconnect A client').click();
  await button('Disconnect client').click();
  await clients.getByText('No connected clients').waitFor();
});

describe('a webhook', () => {
  const deliveriesOf = (path: string): SinkDelivery[] =>
    sink.deliveries.filter((delivery) => delivery.path === path);
  const arrivalAt = (path: string, count = 1) =>
    until(`delivery ${count} arrives`, () => deliveriesOf(path)[count - 1]);
  const deliveries = () => page.getByRole('table', { name: 'Deliveries' });
  const switchEnabled = () => page.getByRole('switch', { name: 'Enabled' }).click({ force: true });
  const choose = async (action: string): Promise<void> => {
    await button('More about this webhook').click();
    await page.getByRole('menuitem', { name: action, exact: true }).click();
  };
  const verified = (secret: string, { body, headers }: SinkDelivery) =>
    new Webhook(secret).verify(body, headers as Record<string, string>);

  /** Creates a webhook and opens its page. */
  async function openWebhook(): Promise<{ path: string; secret: string; at: string }> {
    const path = `/${records}`;
    const at = `/v1/sources/${recordId}/webhooks`;
    const { body } = await dashboard.system.call('POST', at, { url: new URL(path, sink.url).href });
    await go(`records/${recordId}/webhooks/${String(body['id'])}`);
    await button('Send a test').waitFor();
    return { path, secret: String(body['secret']), at: `${at}/${String(body['id'])}` };
  }

  it('is created with filters, and gets the deliveries that pass them, signed with the shown secret', async () => {
    await go(`records/${recordId}/webhooks`);
    await text('No webhooks yet').waitFor();
    await button('How to receive and verify').click();
    await page.getByRole('tab', { name: 'Python' }).click();
    expect(await copied('the receiver in Python')).toContain('hmac.compare_digest');
    await button('New webhook').click();
    const form = dialog('New webhook');
    const path = `/${records}`;
    dashboard.expectComplaint('422');
    await form.getByLabel('Endpoint URL').fill('http://[::1]:9000/');
    await button('Create webhook').click();
    await form.getByText(/set ALLOW_ADDRESSES=/).waitFor();
    await form.getByLabel('Endpoint URL').fill(new URL(path, sink.url).href);
    await form.getByRole('button', { name: 'Filters: any change is sent' }).click();
    await form.getByRole('checkbox', { name: 'new', exact: true }).uncheck();
    await form.getByRole('checkbox', { name: 'deleted', exact: true }).uncheck();
    await form.getByLabel('Changed in one of these columns').fill('price');
    await page.keyboard.press('Enter');
    await form.getByLabel('Minimum number of rows').fill('1');
    await form.getByRole('radio', { name: 'rows', exact: true }).check();
    await form.getByLabel('Largest body').selectOption('16 KiB');
    await button('Create webhook').click();
    await dialog('Your new webhook').waitFor();
    const secret = await copied('the signing secret');
    await button('Go to webhook').click();
    await text('rows that are changed, changed ones in price').waitFor();
    const { body } = await dashboard.system.call('GET', `/v1/sources/${recordId}/webhooks`);
    const filters = { changeTypes: ['changed'], columns: ['price'], minChanges: 1 };
    expect(body['webhooks']).toMatchObject([{ filters, include: 'rows', maxBodyBytes: 16_384 }]);
    await text('The rows with all columns, in at most 16,384 bytes').waitFor();
    await text('No deliveries yet').waitFor();
    await page.reload();
    await button('Send a test').waitFor();
    expect(await page.content()).not.toContain(secret);

    await showRows('a,0', 'b,0');
    await showRows('a,1', 'b,0');
    const delivery = await arrivalAt(path);
    const rows = [{ key: 'a', before: { price: '0' }, after: { price: '1' } }];
    expect(verified(secret, delivery)).toMatchObject({ changedKeys: ['a'], newKeys: [], rows });
    expect(deliveriesOf(path)).toHaveLength(1);
    await deliveries().getByText('delivered', { exact: true }).waitFor();
  });

  it('shows deliveries byte for byte, and commands that send one again with a new signature', async () => {
    const { path, secret } = await openWebhook();
    await dashboard.system.call('PATCH', `/v1/sources/${recordId}`, { name: `It's "$HOME" \`id\` \\ $& 数` });
    await change();
    const { body, headers } = await arrivalAt(path);
    await page.getByRole('link', { name: /^dlv_/ }).click();
    const clipboard = () => page.evaluate<string>('navigator.clipboard.readText()');
    await button('Copy the body').click();
    await expect.poll(clipboard).toBe(body);
    expect(JSON.parse(await codeOf('the body'))).toEqual(JSON.parse(body));
    const sent = (header: string) => dialog('Delivery').getByText(`${header}: ${String(headers[header])}`);
    for (const header of ['webhook-id', 'webhook-timestamp']) await sent(header).first().waitFor();
    await button('Copy as curl').click();
    const commands = await until('the commands', async () => /curl/.exec(await clipboard())?.input);
    const env = { ...process.env, WEBHOOK_SECRET: secret, ENDPOINT: new URL('/replayed', sink.url).href };
    await promisify(execFile)('sh', ['-c', commands], { env });
    const replayed = await arrivalAt('/replayed');
    expect(verified(secret, replayed)).toEqual(JSON.parse(body));
  });

  it('is tested with the answer shown as text, and a 410 disables it until it is enabled', async () => {
    const { path } = await openWebhook();
    await button('Send a test').click();
    const task = dialog('Send a test');
    await task.getByRole('button', { name: 'Send', exact: true }).click();
    await task.getByText('Delivered', { exact: true }).waitFor();
    await task.getByText('The endpoint answered 200 after').waitFor();

    const answer = '<img src=x onerror="window.__xss = 1">';
    sink.respondWith({ status: 503, body: answer });
    await task.getByLabel('Type of event').selectOption('check.failed');
    await task.getByRole('button', { name: 'Send another' }).click();
    await task.getByText('The endpoint answered 503 after').waitFor();
    expect(await task.getByLabel('What the endpoint answered').innerText()).toBe(answer);
    expect(deliveriesOf(path).map(({ body }) => JSON.parse(body) as object)).toMatchObject([
      { event: 'delta', isTest: true },
      { event: 'check.failed', isTest: true },
    ]);

    sink.respondWith(410);
    await task.getByRole('button', { name: 'Send another' }).click();
    await task.getByText('The endpoint answered 410 after').waitFor();
    await page.keyboard.press('Escape');
    await task.waitFor({ state: 'hidden' });
    await text('Disabled after failures').waitFor();
    await text(/^The endpoint answered 410 Gone\./).waitFor();
    await switchEnabled();
    await text('Disabled after failures').waitFor({ state: 'hidden' });
    await page.getByRole('switch', { name: 'Enabled', checked: true }).waitFor();
  });

  it('that fails shows each attempt with its answer and the next one, and can be retried at once', async () => {
    const { path } = await openWebhook();
    const answer = '<script>window.__xss = 1</script>';
    sink.respondWith({ status: 500, body: answer });
    await change();
    await arrivalAt(path, 2);
    await text('Every attempt has failed').waitFor();
    await text('Failing').waitFor();
    const statuses = page.getByRole('radiogroup', { name: 'Status of deliveries' });
    await statuses.getByText('delivered', { exact: true }).click();
    await text('No delivery is delivered').waitFor();
    await statuses.getByText('pending', { exact: true }).click();
    await page.getByRole('link', { name: /^dlv_/ }).click();

    const drawer = dialog('Delivery');
    await drawer.getByText('Attempts (2)').waitFor();
    await page.reload();
    const attempts = drawer.getByRole('listitem');
    await attempts.nth(1).waitFor();
    for (const [index, number] of [2, 1].entries()) {
      const attempt = attempts.nth(index);
      expect(await attempt.innerText()).toContain(`Attempt ${number}: 500`);
      expect(await attempt.getByLabel('What the endpoint answered').innerText()).toBe(answer);
    }
    const next = drawer.getByText('Next attempt', { exact: true }).locator('..');
    expect(await next.innerText()).toMatch(/in (\d+ minutes|1 hour)/);

    sink.respondWith({ status: 200, body: 'thanks' });
    await drawer.getByRole('button', { name: 'Attempt now' }).click();
    await drawer.getByText('Delivered', { exact: true }).waitFor();
    await drawer.getByText('Attempt 3: 200').waitFor();
    await drawer.getByRole('button', { name: 'Send again' }).click();
    await drawer.getByText('Attempt 4: 200').waitFor();
    const ids = deliveriesOf(path).map(({ headers }) => headers['webhook-id']);
    expect([ids.length, new Set(ids).size]).toEqual([4, 1]);

    await page.goBack();
    await drawer.waitFor({ state: 'hidden' });
    await text('No delivery is pending').waitFor();
    await text('Every attempt has failed').waitFor({ state: 'hidden' });
  });

  it('signs with both secrets after a rotation', async () => {
    const { path, secret } = await openWebhook();
    await choose('Rotate secret');
    await button('Rotate secret').click();
    await dialog('The new secret').waitFor();
    const next = await copied('the signing secret');
    expect(next).not.toBe(secret);
    await dialog('The new secret').getByRole('button', { name: 'How to receive and verify' }).click();
    const told = page.waitForEvent('popup');
    await page.getByRole('link', { name: 'developer settings' }).click();
    await (await told).getByRole('heading', { name: 'Verify deliveries' }).waitFor();
    await button('Done').click();
    await text(/^Deliveries are signed with both secrets/).waitFor();
    expect(await page.content()).not.toContain(next);
    await change();
    const delivery = await arrivalAt(path);
    expect(String(delivery.headers['webhook-signature']).split(' ')).toHaveLength(2);
    for (const each of [secret, next]) expect(verified(each, delivery)).toMatchObject({ event: 'delta' });
  });

  it('is disabled and enabled, and recovers missed deliveries after showing their count', async () => {
    const { path } = await openWebhook();
    sink.respondWith(500);
    const events = [await change()];
    await arrivalAt(path, 2);
    await switchEnabled();
    await text('Disabled').waitFor();
    await deliveries().getByText('cancelled', { exact: true }).waitFor();
    events.push(await change());
    await switchEnabled();
    await page.getByRole('switch', { name: 'Enabled', checked: true }).waitFor();
    expect(deliveriesOf(path)).toHaveLength(2);

    sink.respondWith(200);
    await choose('Recover missed deliveries');
    const task = dialog('Recover missed deliveries');
    await button('Count deliveries').click();
    await task.getByText('2 deliveries would be sent.').waitFor();
    expect(deliveriesOf(path)).toHaveLength(2);
    await button('Send 2').click();
    await task.getByText('2 deliveries are in progress.').waitFor();
    await arrivalAt(path, 4);
    const sent = deliveriesOf(path)
      .slice(2)
      .map(({ body }) => String((JSON.parse(body) as { deltaEventId: unknown }).deltaEventId));
    expect(sent.toSorted()).toEqual(events.toSorted());
    await button('Done').click();
    await deliveries().getByText('delivered', { exact: true }).nth(1).waitFor();
  });

  it('is deleted after a confirmation', async () => {
    const { at } = await openWebhook();
    await choose('Delete');
    await button('Cancel').click();
    expect((await dashboard.system.call('GET', at)).status).toBe(200);
    await choose('Delete');
    await button('Delete webhook').click();
    await text('No webhooks yet').waitFor();
    expect((await dashboard.system.call('GET', at)).status).toBe(404);
  });
});
