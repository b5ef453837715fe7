// Messages for people: created in the dashboard, sent by the product, and ended by the reader of a mail.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startMailServer } from '../support/api/mail-server.ts';
import { useDashboard } from '../support/pages/dashboard.ts';
import { checkAndWait, createRecord } from '../support/servers/system.ts';
import { startSink, type WebhookSink } from '../support/servers/webhook-sink.ts';
import { until } from '../support/until.ts';

const mails = await startMailServer();
const dashboard = useDashboard({ SMTP_URL: mails.url });

let page: Page;
let sink: WebhookSink;
let recordId: string;

const button = (name: string) => page.getByRole('button', { name, exact: true });
const dialog = (name: string) => page.getByRole('dialog', { name, exact: true });
const text = (words: string) => page.getByText(words, { exact: true }).first();
const serve = (price: string): void =>
  dashboard.origin.set('/jams.csv', { body: `id,price\nJam,${price}\nKiwi,1\n` });
const openWebhooks = () => page.goto(`${dashboard.url}records/${recordId}/webhooks`);

beforeAll(async () => {
  sink = await startSink();
  serve('3.20');
  const url = `${dashboard.origin.url}/jams.csv`;
  recordId = (await createRecord(dashboard.system, { url, name: 'Jams' })).id;
});
beforeEach(async () => {
  page = await dashboard.newOwner();
});
afterAll(async () => {
  await sink.close();
  await mails.close();
});

it('go by mail without a paid tier, until the reader unsubscribes', async () => {
  await dashboard.system.database.db('records').update({ tier: 'free' });
  await openWebhooks();
  await page.getByText('Mails to your own address need no paid tier.').waitFor();
  await button('New webhook').click();
  const form = dialog('New webhook');
  await form.getByLabel('Format').waitFor();
  expect(await form.getByLabel('Format').locator('option').allInnerTexts()).toEqual(['Mail']);
  const address = await form.getByLabel('Mail address').inputValue();
  expect(address).toContain('@');
  expect(await form.getByText('Use my own signing secret').count()).toBe(0);
  await button('Create webhook').click();
  await button('Go to webhook').click();
  await text(`mailto:${address}`).waitFor();
  serve('3.50');
  await checkAndWait(dashboard.system, recordId);
  const mail = await until('the mail', () => mails.received[0]);
  expect(mail.to).toEqual([address]);
  expect(mail.parts.get('text/plain')).toContain('- Jam: price 3.20 to 3.50\n');

  const event = /https?:\S+\/changes\/\S+/.exec(mail.parts.get('text/plain') ?? '')?.[0] ?? '';
  await page.goto(event);
  await text('3.50').waitFor();
  await page.goto(mail.headers.get('list-unsubscribe')?.replaceAll(/[<>]/g, '') ?? '');
  await button('Stop these mails').click();
  await page.getByRole('heading', { name: 'You get no more of these mails' }).waitFor();
  await openWebhooks();
  await page.getByRole('link', { name: `mailto:${address}` }).click();
  await page.getByText('The reader of the mails unsubscribed.').first().waitFor();
});

it('go to a chat, with only the fields that apply', async () => {
  await dashboard.system.database.db('records').update({ tier: 'watch' });
  await openWebhooks();
  await button('New webhook').click();
  const form = dialog('New webhook');
  await form.getByLabel('Endpoint URL').waitFor();
  await form.getByLabel('Format').selectOption({ label: 'Slack' });
  expect(await form.getByRole('radio', { name: 'keys' }).count()).toBe(0);
  await form.getByLabel('Webhook URL').fill(`${sink.url}/slack`);
  await button('Create webhook').click();
  await button('Go to webhook').click();
  await text('Slack').waitFor();
  serve('4');
  await checkAndWait(dashboard.system, recordId);
  const { body } = await sink.waitFor(({ path }) => path.endsWith('/slack'));
  expect(JSON.parse(body)).toMatchObject({ text: 'Jams: 1 changed row. Jam: price 3.50 to 4' });
});

it('wait for a digest, and tell of failures that last', async () => {
  await openWebhooks();
  await button('New webhook').click();
  const form = dialog('New webhook');
  await form.getByLabel('Format').waitFor();
  expect(await form.getByLabel('Send events').count()).toBe(0);
  await form.getByLabel('Format').selectOption({ label: 'Slack' });
  await form.getByLabel('Webhook URL').fill(`${sink.url}/digest`);
  await form.getByLabel('Send events').selectOption({ label: 'together, once a day' });
  await form.getByLabel('Time of day').fill('07:30');
  await form.getByLabel('Time zone').fill('Mars/Base');
  expect(await form.getByLabel('Failed checks in a row').count()).toBe(0);
  await form.getByRole('checkbox', { name: 'checks fail' }).check();
  await form.getByLabel('Failed checks in a row').fill('3');
  await button('Create webhook').click();
  dashboard.expectComplaint('status of 422');
  await form.getByText('Must be the name of an IANA time zone').waitFor();
  await form.getByLabel('Time zone').fill('Europe/Berlin');
  await button('Create webhook').click();
  await button('Go to webhook').click();
  await text('Daily at 07:30, Europe/Berlin').waitFor();
  await text('3 failed checks').waitFor();
  const before = sink.deliveries.length;
  serve('5');
  await checkAndWait(dashboard.system, recordId);
  const { db } = dashboard.system.database;
  await until('the event waits', () => db('deliveries').where({ status: 'collecting' }).first());
  expect(sink.deliveries.slice(before).filter(({ path }) => path.endsWith('/digest'))).toEqual([]);
  await button('More about this webhook').click();
  await page.getByRole('menuitem', { name: 'Edit', exact: true }).click();
  const edit = dialog('Edit webhook');
  expect(await edit.getByLabel('Time of day').inputValue()).toBe('07:30');
  await edit.getByLabel('Send events').selectOption({ label: 'at once' });
  await button('Save').click();
  await edit.waitFor({ state: 'detached' });
  await text('3 failed checks').waitFor();
  expect(await text('Daily at 07:30, Europe/Berlin').count()).toBe(0);
});
