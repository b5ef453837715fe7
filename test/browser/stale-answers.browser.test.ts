// What a page shows belongs to what is asked now, and to the record of its address: not to the question or the record before.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
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
});
