// A webhook with a condition: built in the form, counted over the past, asked about each event, and edited as JSON.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { useDashboard } from '../support/pages/dashboard.ts';
import { checkAndWait, createRecord } from '../support/servers/system.ts';
import { startSink, type WebhookSink } from '../support/servers/webhook-sink.ts';
import { until } from '../support/until.ts';

const dashboard = useDashboard();

let page: Page;
let sink: WebhookSink;
let recordId: string;

const serve = (price: string): void =>
  dashboard.origin.set('/tea.csv', { body: `id,price\na,${price}\nb,1\n` });

async function change(price: string): Promise<void> {
  serve(price);
  await checkAndWait(dashboard.system, recordId);
}

beforeAll(async () => {
  sink = await startSink();
  serve('100');
  recordId = (await createRecord(dashboard.system, { url: `${dashboard.origin.url}/tea.csv`, name: 'Tea' }))
    .id;
  await change('90');
  await change('89');
});
beforeEach(async () => {
  page = await dashboard.newOwner();
});
afterAll(() => sink.close());

const button = (name: string) => page.getByRole('button', { name, exact: true });
const dialog = (name: string) => page.getByRole('dialog', { name, exact: true });

it('is called for a price that falls by 6 %, and not for one that falls by 4 %', async () => {
  await page.goto(`${dashboard.url}records/${recordId}/webhooks`);
  await button('New webhook').click();
  const form = dialog('New webhook');
  await form.getByLabel('Endpoint URL').fill(`${sink.url}/fell`);
  await form.getByLabel('Send a delta').selectOption('a value of a column changed so far');
  expect(await button('Create webhook').isDisabled()).toBe(true);
  await form.getByLabel('Column', { exact: true }).fill('price');
  await form.getByLabel('Value', { exact: true }).fill('5');
  await form
    .getByText('This would have fired 1 time in 30 days, for 2 events that pass the filters.')
    .waitFor();
  await form.getByLabel('Value', { exact: true }).fill('0.5');
  await form
    .getByText('This would have fired 2 times in 30 days, for 2 events that pass the filters.')
    .waitFor();
  await form.getByLabel('Value', { exact: true }).fill('5');
  await form.getByText('This would have fired 1 time in 30 days').waitFor();
  await button('Create webhook').click();
  await dialog('Your new webhook').waitFor();
  await button('Go to webhook').click();
  await page.getByText('price fell by more than 5 %', { exact: true }).waitFor();

  await change('85.44');
  await change('80.3136');
  const arrived = () => sink.deliveries.filter(({ path }) => path.endsWith('/fell'));
  await until('the delivery arrives', () => Promise.resolve(arrived().length > 0));
  expect(arrived().map(({ body }) => JSON.parse(body))).toMatchObject([
    { event: 'delta', condition: 'met', changedKeys: ['a'] },
  ]);
});

it('is changed as JSON, and the faulty part is named', async () => {
  await page.goto(`${dashboard.url}records/${recordId}/webhooks`);
  await page.getByRole('link', { name: /\/fell$/ }).click();
  await button('More about this webhook').click();
  await page.getByRole('menuitem', { name: 'Edit', exact: true }).click();
  const form = dialog('Edit webhook');
  await form.getByLabel('Send a delta').selectOption('as written in JSON');
  const json = form.getByLabel('Condition in JSON');
  expect(JSON.parse(await json.inputValue())).toEqual({
    some: [{ var: 'rows' }, { '<': [{ percent: 'price' }, -5] }],
  });
  dashboard.expectComplaint('422');
  dashboard.expectComplaint('422');
  await json.fill('{"some": [{"var": "rows"}, {"<": [{"percent": "price"}, "much"]}]}');
  await form
    .getByText(/compares numbers, and this text is none/i)
    .first()
    .waitFor();
  await button('Save').click();
  await form
    .getByText(/Compares numbers, and this text is none/)
    .first()
    .waitFor();
  await json.fill('{"or": [{">": [{"var": "deletedCount"}, 20]}, {">": [{"var": "newCount"}, 20]}]}');
  await form
    .getByText('This would have fired 0 times in 30 days, for 4 events that pass the filters.')
    .waitFor();
  await button('Save').click();
  await form.waitFor({ state: 'hidden' });
  await page
    .getByText('{"or":[{">":[{"var":"deletedCount"},20]},{">":[{"var":"newCount"},20]}]}', { exact: true })
    .waitFor();
});
