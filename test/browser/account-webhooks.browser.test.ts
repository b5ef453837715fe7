// One endpoint for several records: created in the dashboard, changed, and its deliveries with their records.
import type { Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { copiedBy } from '../support/pages/clipboard.ts';
import { useDashboard } from '../support/pages/dashboard.ts';
import { checkAndWait, createRecord } from '../support/servers/system.ts';
import { startSink, type WebhookSink } from '../support/servers/webhook-sink.ts';

const dashboard = useDashboard();

let page: Page;
let sink: WebhookSink;
const records: string[] = [];

const button = (name: string) => page.getByRole('button', { name, exact: true });
const dialog = (name: string) => page.getByRole('dialog', { name, exact: true });
const text = (words: string) => page.getByText(words, { exact: true }).first();
const table = (name: string) => page.getByRole('table', { name, exact: true });
const serve = (name: string, value: number): void =>
  dashboard.origin.set(`/${name}.csv`, { body: `id,price\na,${value}\n` });

beforeAll(async () => {
  sink = await startSink();
  for (const name of ['Shoes', 'Hats']) {
    serve(name, 0);
    const url = `${dashboard.origin.url}/${name}.csv`;
    records.push(
      (await createRecord(dashboard.system, { url, name, labels: { team: name.toLowerCase() } })).id,
    );
  }
  page = await dashboard.newOwner({ permissions: ['clipboard-read', 'clipboard-write'] });
});
afterAll(() => sink.close());

const change = async (at: number, name: string, value: number): Promise<void> => {
  serve(name, value);
  await checkAndWait(dashboard.system, records[at] ?? '');
};

it('is created for labels, gets what they select, is edited to a list, and deleted', async () => {
  await page.goto(`${dashboard.url}records`);
  await page.getByRole('link', { name: 'Webhooks', exact: true }).click();
  await text('No webhooks yet').waitFor();
  await button('New webhook').click();
  const form = dialog('New webhook');
  await form.getByLabel('Endpoint URL').fill(`${sink.url}/all`);
  await form.getByRole('radio', { name: 'records with labels', exact: true }).check();
  expect(await button('Create webhook').isDisabled()).toBe(true);
  await form.getByLabel('Labels', { exact: true }).fill('team:shoes');
  await page.keyboard.press('Enter');
  await button('Create webhook').click();
  await dialog('Your new webhook').waitFor();
  const secret = await copiedBy(page, async () => {
    await button('Copy the signing secret').click();
    await button('Copied').first().waitFor();
  });
  await button('Go to webhook').click();
  await text('labelled team:shoes').waitFor();
  await change(0, 'Shoes', 1);
  await change(1, 'Hats', 1);
  const { body, headers } = await sink.waitFor(({ path }) => path.endsWith('/all'));
  expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
    sourceId: records[0],
  });
  await table('Deliveries').getByRole('link', { name: 'Shoes', exact: true }).waitFor();

  await button('More about this webhook').click();
  await page.getByRole('menuitem', { name: 'Edit', exact: true }).click();
  const edit = dialog('Edit webhook');
  await edit.getByRole('radio', { name: 'a list of records', exact: true }).check();
  await edit
    .locator('input')
    .and(edit.getByLabel('Records', { exact: true }))
    .fill('hat');
  await page.getByRole('option', { name: 'Hats', exact: true }).click();
  await edit.getByRole('button', { name: 'Save', exact: true }).click();
  await text('1 record').waitFor();
  await change(0, 'Shoes', 2);
  await change(1, 'Hats', 2);
  await sink.waitFor((delivery) => delivery.body.includes(records[1] ?? ''));
  expect(sink.deliveries.filter((delivery) => delivery.body.includes(records[0] ?? ''))).toHaveLength(1);
  const row = table('Deliveries').getByRole('row').filter({ hasText: 'Hats' });
  await row.getByRole('link', { name: /^dlv_/ }).click();
  await dialog('Delivery').getByRole('link', { name: 'Hats', exact: true }).waitFor();
  await dialog('Delivery').getByRole('link', { name: 'its rows', exact: true }).click();
  await page.waitForURL((url) => url.pathname.includes(`/records/${records[1] ?? ''}/changes/`));

  await page.goto(`${dashboard.url}webhooks`);
  await table('Webhooks').getByText('1 record', { exact: true }).waitFor();
  await table('Webhooks').getByText('delivered', { exact: true }).waitFor();
  await table('Webhooks')
    .getByText(/^2 of 2 since/)
    .waitFor();
  await table('Webhooks').getByRole('rowheader').getByRole('link').click();
  await button('More about this webhook').click();
  await page.getByRole('menuitem', { name: 'Delete', exact: true }).click();
  await button('Delete webhook').click();
  await text('No webhooks yet').waitFor();
});
