// A webhook that gets its events in order, as CloudEvents: set in the form, shown, and changed.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useDashboard } from '../support/pages/dashboard.ts';
import { checkAndWait, createRecord } from '../support/servers/system.ts';
import { startSink, type WebhookSink } from '../support/servers/webhook-sink.ts';

const dashboard = useDashboard();

let page: Page;
let sink: WebhookSink;
let recordId: string;

beforeAll(async () => {
  sink = await startSink();
  serve('1');
  const url = `${dashboard.origin.url}/tea.csv`;
  recordId = (await createRecord(dashboard.system, { url, name: 'Tea' })).id;
  page = await dashboard.newOwner();
});
afterAll(() => sink.close());

const serve = (price: string): void => dashboard.origin.set('/tea.csv', { body: `id,price\na,${price}\n` });

async function change(price: string): Promise<void> {
  serve(price);
  await checkAndWait(dashboard.system, recordId);
}

const button = (name: string) => page.getByRole('button', { name, exact: true });
const dialog = (name: string) => page.getByRole('dialog', { name, exact: true });
const text = (words: string) => page.getByText(words, { exact: true }).first();
const deliveries = () => page.getByRole('table', { name: 'Deliveries', exact: true });

/** The settings as the API shows them. */
async function settings(): Promise<unknown> {
  const { body } = await dashboard.system.call('GET', `/v1/sources/${recordId}/webhooks`);
  const [{ ordered, onFailure, format }] = body['webhooks'] as [Record<string, unknown>];
  return { ordered, onFailure, format };
}

async function edit(fill: (form: ReturnType<typeof dialog>) => Promise<void>): Promise<void> {
  await button('More about this webhook').click();
  await page.getByRole('menuitem', { name: 'Edit', exact: true }).click();
  const form = dialog('Edit webhook');
  await fill(form);
  await form.getByRole('button', { name: 'Save', exact: true }).click();
  await form.waitFor({ state: 'hidden' });
}

it('waits for an event that failed, continues when told so, and is told in any order again', async () => {
  await page.goto(`${dashboard.url}records/${recordId}/webhooks`);
  await button('New webhook').click();
  const form = dialog('New webhook');
  await form.getByLabel('Endpoint URL').fill(`${sink.url}/tea`);
  await form.getByLabel('Format').selectOption({ label: 'CloudEvents' });
  const waits = form.getByRole('radio', { name: 'wait', exact: true });
  expect(await waits.count()).toBe(0);
  await form.getByLabel('Send one event after another').check();
  expect(await waits.isChecked()).toBe(true);
  await button('Create webhook').click();
  await button('Go to webhook').click();
  await text('One event after another; later ones wait for one that failed').waitFor();
  await text('CloudEvents 1.0').waitFor();
  expect(await settings()).toEqual({ ordered: true, onFailure: 'block', format: 'cloudevents' });

  sink.respondWith(500);
  await change('2');
  await deliveries().getByText('failed', { exact: true }).waitFor();
  sink.respondWith(204);
  await change('3');
  await deliveries().getByText('waits for').waitFor();
  const first = sink.deliveries.map(({ body }) => body);
  expect(new Set(first).size).toBe(1);

  await edit(async (again) => {
    expect(await again.getByLabel('Send one event after another').isChecked()).toBe(true);
    await again.getByRole('radio', { name: 'continue', exact: true }).check();
  });
  await text('One event after another; one that failed is skipped').waitFor();
  expect(await settings()).toEqual({ ordered: true, onFailure: 'skip', format: 'cloudevents' });
  await deliveries().getByText('delivered', { exact: true }).waitFor();
  const next = sink.deliveries.slice(first.length);
  expect(next.map(({ headers }) => headers['content-type'])).toEqual([
    expect.stringContaining('application/cloudevents+json'),
  ]);
  expect(JSON.parse(next[0]?.body ?? '')).toMatchObject({
    specversion: '1.0',
    data: { sourceId: recordId, changedKeys: ['a'] },
  });

  await edit(async (again) => {
    await again.getByLabel('Send one event after another').uncheck();
    await again.getByLabel('Format').selectOption({ label: 'JSON' });
  });
  await text('CloudEvents 1.0').waitFor({ state: 'hidden' });
  expect(await page.getByText('One event after another').count()).toBe(0);
  expect(await settings()).toMatchObject({ ordered: false, format: 'json' });
});
