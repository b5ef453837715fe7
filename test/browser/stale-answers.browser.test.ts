// What a page shows belongs to what is asked now, and to the record of its address: not to the question or the record before.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createGate, type Gate } from '../support/gate.ts';
import { useDashboard } from '../support/pages/dashboard.ts';
import { createRecord } from '../support/servers/system.ts';
import { startSink, type WebhookSink } from '../support/servers/webhook-sink.ts';

const dashboard = useDashboard();

let page: Page;
let sink: WebhookSink;
/** By name. */
const ids = new Map<string, string>();

const button = (name: string) => page.getByRole('button', { name, exact: true });
const dialog = (name: string) => page.getByRole('dialog', { name, exact: true });
const open = (path: string) => page.goto(dashboard.url + path);

/** Goes to a page of this address without loading the dashboard again, as by the browser's history. */
async function move(path: string): Promise<void> {
  const { href } = new URL(path, dashboard.url);
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(href)}); history.back()`);
  await page.waitForURL((url) => url.href !== href);
  await page.goForward();
  await page.waitForURL(href);
}

/** Holds the requests of this address until the gate opens. */
async function hold(address: string | RegExp): Promise<Gate> {
  const gate = createGate();
  await page.route(address, async (route) => {
    await gate.wait();
    await route.continue();
  });
  return gate;
}

/** The path of a new webhook in the API, and of its page. */
async function createWebhook(): Promise<{ path: string; pagePath: string }> {
  const at = `sources/${ids.get('tea') ?? ''}/webhooks`;
  const { body } = await dashboard.system.call('POST', `/v1/${at}`, { url: sink.url });
  const id = String(body['id']);
  return { path: `/v1/${at}/${id}`, pagePath: `records/tea/webhooks/${id}` };
}

beforeAll(async () => {
  sink = await startSink();
  for (const slug of ['tea', 'rye']) {
    dashboard.origin.set(`/${slug}.csv`, { body: 'id,price\na,1\n' });
    const url = `${dashboard.origin.url}/${slug}.csv`;
    ids.set(slug, (await createRecord(dashboard.system, { url, slug, name: slug })).id);
  }
});
afterAll(() => sink.close());
beforeEach(async () => {
  page = await dashboard.newOwner();
});

describe('regression: until the answer comes, the one before is not shown for', () => {
  it('a search of records', async () => {
    await open('records');
    const search = page.getByLabel('Search by name, slug or URL');
    const nothing = (text: string) => page.getByText(`No name, slug or URL contains “${text}”.`);
    await search.fill('foo');
    await nothing('foo').waitFor();
    const gate = await hold(/search=tea/);
    const asked = page.waitForRequest(/search=tea/);
    await search.fill('tea');
    await asked;
    expect([await nothing('foo').count(), await nothing('tea').count()]).toEqual([0, 0]);
    gate.open();
    await page.getByRole('link', { name: 'tea', exact: true }).waitFor();
  });

  it('a search in the palette', async () => {
    await open('account');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    const found = (text: string) => dialog('Search and commands').getByText(text, { exact: true });
    const gate = await hold(/search=foo/);
    await page.getByRole('textbox', { name: 'Command' }).fill('foo');
    await found('Searching…').waitFor();
    expect(await found('Nothing found').count()).toBe(0);
    gate.open();
    await found('Nothing found').waitFor();
    // Without an answer, nobody waits for one.
    dashboard.expectComplaint('422');
    const json = { status: 422, code: 'unprocessable', detail: 'Not now.' };
    await page.route(/search=bar/, (route) => route.fulfill({ status: 422, json }));
    await page.getByRole('textbox', { name: 'Command' }).fill('bar');
    await found('The search failed').waitFor();
  });

  it('a chart of another period', async () => {
    await open('records/tea');
    const table = page.getByText('Show as table');
    await table.waitFor();
    const gate = await hold(/step=day/);
    const asked = page.waitForRequest(/step=day/);
    await page.getByRole('radio', { name: '90 days', exact: true }).click();
    await asked;
    expect(await table.count()).toBe(0);
    gate.open();
    await table.waitFor();
  });

  it('the count of a condition', async () => {
    await open('records/tea/webhooks');
    await button('New webhook').click();
    const form = dialog('New webhook');
    await form.getByLabel('Send a delta').selectOption('a value of a column changed so far');
    await form.getByLabel('Column', { exact: true }).fill('price');
    await form.getByLabel('Value', { exact: true }).fill('5');
    const count = form.getByText('This would have fired 0 times');
    await count.waitFor();
    const gate = await hold('**/preview/condition');
    await form.getByLabel('Value', { exact: true }).fill('7');
    await form.getByText('Counting…').waitFor();
    expect(await count.count()).toBe(0);
    gate.open();
    await count.waitFor();
  });

  it('a delivery that is sent again', async () => {
    const { path, pagePath } = await createWebhook();
    const { call } = dashboard.system;
    const deliver = async (): Promise<string> =>
      String((await call('POST', `${path}/test`, {}, { prefer: 'wait=20' })).body['id']);
    const [first, second] = [await deliver(), await deliver()];
    await open(`${pagePath}?delivery=${first}`);
    await dialog('Delivery').getByText('Attempts (1)').waitFor();
    await move(`${pagePath}?delivery=${second}`);
    await dialog('Delivery').getByText('Attempts (1)').waitFor();
    const result = (title: string) => dialog('Delivery').getByRole('alert').filter({ hasText: title });
    // As if no attempt came within the time that the page waits.
    const { body } = await call('GET', `${path}/deliveries/${second}`);
    await page.route(
      '**/redeliver',
      (route) => route.fulfill({ status: 202, json: { ...body, status: 'pending' } }),
      { times: 1 },
    );
    await button('Send again').click();
    await result('Waiting for the attempt').waitFor();
    // A result does not follow to another delivery.
    await page.goBack();
    await expect.poll(() => dialog('Delivery').getByRole('alert').count()).toBe(0);
    await button('Send again').click();
    await result('Delivered').waitFor();
    await dialog('Delivery').getByText('Attempt 2: 200').waitFor();
  });

  it('an attempt that the list does not show yet', async () => {
    const { path, pagePath } = await createWebhook();
    const { body } = await dashboard.system.call('POST', `${path}/test`, {}, { prefer: 'wait=20' });
    await open(`${pagePath}?delivery=${String(body['id'])}`);
    await dialog('Delivery').getByText('Attempts (1)').waitFor();
    const gate = await hold(/\/deliveries(\/\w+)?(\?|$)/);
    const result = (title: RegExp) => dialog('Delivery').getByRole('alert').filter({ hasText: title });
    sink.respondWith(500);
    await button('Send again').click();
    await result(/^Not delivered/).waitFor();
    sink.respondWith(200);
    await button('Send again').click();
    await expect.poll(() => result(/^Not delivered/).count()).toBe(0);
    await result(/^Delivered/).waitFor();
    gate.open();
  });
});

it('regression: what is typed for a record is not kept for another one', async () => {
  await open('records/tea/settings');
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  await expect.poll(() => name.inputValue()).toBe('tea');
  await move('records/rye/settings');
  await expect.poll(() => name.inputValue()).toBe('rye');
  await name.fill('Typed');
  await page.goBack();
  await expect.poll(() => name.inputValue()).toBe('tea');
});

describe('regression: a secret that cannot be made without a network leaves its dialog closable:', () => {
  const isOffline = (isSo: boolean) => page.context().setOffline(isSo);

  /** Presses Escape once the dialog says what went wrong. */
  async function leave(name: string): Promise<void> {
    await dialog(name).getByText('The server cannot be reached').waitFor();
    await page.keyboard.press('Escape');
    await isOffline(false);
  }

  beforeEach(() => dashboard.expectComplaint('ERR_INTERNET_DISCONNECTED'));

  it('a key', async () => {
    await open('records/tea/connect');
    await button('New key').click();
    await dialog('New key').getByLabel('Name').fill('Board');
    await isOffline(true);
    await button('Create key').click();
    await leave('New key');
    await expect.poll(() => dialog('New key').count()).toBe(0);
  });

  it('the next secret of a webhook', async () => {
    await open((await createWebhook()).pagePath);
    await button('More about this webhook').click();
    await page.getByRole('menuitem', { name: 'Rotate secret', exact: true }).click();
    // The dialog is loaded when it opens first.
    await button('Rotate secret').waitFor();
    await isOffline(true);
    await button('Rotate secret').click();
    await leave('Rotate the secret?');
    await expect.poll(() => dialog('Rotate the secret?').count()).toBe(0);
  });
});

describe('regression: a secret that is being made is shown also after Escape:', () => {
  it('a key', async () => {
    await open('records/tea/connect');
    await button('New key').click();
    await dialog('New key').getByLabel('Name').fill('Board');
    const gate = await hold('**/apikeys');
    await button('Create key').click();
    await expect.poll(() => button('Cancel').isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    gate.open();
    await dialog('Your new key').waitFor();
  });

  it('the next secret of a webhook', async () => {
    await open((await createWebhook()).pagePath);
    await button('More about this webhook').click();
    await page.getByRole('menuitem', { name: 'Rotate secret', exact: true }).click();
    const gate = await hold('**/rotate-secret');
    await button('Rotate secret').click();
    await expect.poll(() => button('Cancel').isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    gate.open();
    await dialog('The new secret').waitFor();
  });
});
