// A new user's first minutes, from the link that `npm start` prints: nothing is read before.
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useDashboard } from '../support/dashboard.ts';
import { checkAndWait, createRecord } from '../support/system.ts';
import { startSink, type WebhookSink } from '../support/webhook-sink.ts';

const dashboard = useDashboard();
const VERSIONS = ['id,price\na,1\nb,2\nc,3\n', 'id,price\na,1\nb,5\nd,4\n', 'id,price\na,7\nb,5\nd,4\n'];

let page: Page;
let recordId: string;
let sink: WebhookSink;

const show = (version: number): void =>
  dashboard.origin.set('/prices.csv', {
    body: VERSIONS[version] ?? '',
    headers: { 'content-type': 'text/csv' },
  });
const tab = (name: string) =>
  page.getByRole('navigation', { name: 'Pages of the record' }).getByRole('link', { name }).click();
const button = (name: string) => page.getByRole('button', { name, exact: true });

beforeAll(async () => {
  sink = await startSink();
  show(0);
  const { origin, system } = dashboard;
  ({ id: recordId } = await createRecord(system, { url: `${origin.url}/prices.csv`, name: 'Prices' }));
  show(1);
  await checkAndWait(system, recordId);
});
afterAll(() => sink.close());

it('leads from the link to a delivery and a file', async () => {
  page = await dashboard.newOwner();
  expect(new URL(page.url()).hash).toBe('');

  await page.getByRole('link', { name: 'Prices' }).click();
  await page.getByRole('heading', { level: 1, name: 'Prices' }).waitFor();
  await page.getByLabel('1 changed').first().waitFor();
  // Nobody has said where Temporal's UI is.
  expect(await page.getByRole('link', { name: /^In Temporal/ }).count()).toBe(0);

  await tab('Changes');
  await page.getByRole('list', { name: 'Delta events' }).getByRole('link').first().click();
  await page.getByRole('heading', { level: 2 }).first().waitFor();
  await page.getByText('c', { exact: true }).first().waitFor();

  await tab('Connect');
  await button('New key').click();
  await page.getByLabel('Name').fill('reader');
  await button('Create the key').click();
  const key =
    (await page
      .getByText(/^cat_src_\w{36}$/)
      .first()
      .textContent()) ?? '';
  const { status } = await fetch(new URL(`/v1/sources/self/delta/latest`, dashboard.url), {
    headers: { authorization: `Bearer ${key}` },
  });
  expect(status).toBe(200);
  await button('Done').click();

  await tab('Webhooks');
  await button('New webhook').click();
  // Nothing of the dialog that showed the key once is left, in a field either.
  await page.getByText(key).waitFor({ state: 'detached' });
  expect(await page.content()).not.toContain(key);
  await page.getByLabel('Endpoint URL').fill(sink.url);
  await button('Create the webhook').click();
  const secret =
    (await page
      .getByText(/^whsec_[\w+/=]{32,}$/)
      .first()
      .textContent()) ?? '';
  await button('Go to the webhook').click();
  show(2);
  await button('Check now').click();
  const { body, headers } = await sink.waitFor(() => true);
  const sent = new Webhook(secret).verify(body, headers as Record<string, string>);
  expect(sent).toMatchObject({ changedKeys: ['a'] });
  await page.getByText('Delivered').first().waitFor();

  await tab('Data');
  await button('Export').click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'CSV', exact: true }).first().click(),
  ]);
  expect(readFileSync(await download.path(), 'utf8').replaceAll('\r', '')).toContain('a,7');
});
