// A new user's first minutes, from the link that `npm start` prints and without documentation. Also the way without a mouse.
import type { Locator, Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useDashboard } from '../support/pages/dashboard.ts';
import { isFocused, tabTo } from '../support/pages/keyboard.ts';
import { recordTab } from '../support/pages/record-tabs.ts';
import { fileOf } from '../support/pages/row-tables.ts';
import { checkAndWait, createRecord } from '../support/servers/system.ts';
import { startSink, type WebhookSink } from '../support/servers/webhook-sink.ts';

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
const tab = (name: string) => recordTab(page, name).click();
const link = (name: string) => page.getByRole('link', { name, exact: true });
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

it('a new user gets from the link to a delivery and a file', async () => {
  page = await dashboard.newPerson();
  const told = page.waitForResponse('**/dashboard/settings.json');
  await page.goto(await dashboard.newSignInLink());
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL('**/dashboard/records');

  await page.getByRole('link', { name: 'Prices' }).click();
  await page.getByRole('heading', { level: 1, name: 'Prices' }).waitFor();
  await page.getByLabel('1 changed').first().waitFor();

  await tab('Changes');
  await page.getByRole('list', { name: 'Delta events' }).getByRole('link').first().click();
  await page.getByRole('heading', { level: 2 }).first().waitFor();
  await page.getByText('c', { exact: true }).first().waitFor();

  await tab('Connect');
  await button('New key').click();
  await page.getByLabel('Name').fill('reader');
  await button('Create key').click();
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
  // Nothing of the dialog that showed the key is left, not even in a field.
  await page.getByText(key).waitFor({ state: 'detached' });
  expect(await page.content()).not.toContain(key);
  await page.getByLabel('Endpoint URL').fill(sink.url);
  await button('Create webhook').click();
  const secret =
    (await page
      .getByText(/^whsec_[\w+/=]{32,}$/)
      .first()
      .textContent()) ?? '';
  await button('Go to webhook').click();
  show(2);
  await button('Check now').click();
  const { body, headers } = await sink.waitFor(() => true);
  const sent = new Webhook(secret).verify(body, headers as Record<string, string>);
  expect(sent).toMatchObject({ changedKeys: ['a'] });
  const deliveries = page.getByRole('table', { name: 'Deliveries' });
  await deliveries.getByText('delivered', { exact: true }).waitFor();

  await tab('Data');
  expect((await fileOf(page, 'Export', 'CSV')).replaceAll('\r', '')).toContain('a,7');

  // No address of Temporal's UI is set, and by now the page knows that.
  await tab('Overview');
  await (await told).finished();
  await page.getByLabel('1 changed').first().waitFor();
  expect(await page.getByRole('link', { name: /in temporal/i }).count()).toBe(0);
});

it('the keyboard suffices from the list to a check, a menu, a dialog and back', async () => {
  page = await dashboard.newOwner();
  await page.goto(`${dashboard.url}records`);
  const press = (key: string) => page.keyboard.press(key);
  const comesTo = async (target: Locator): Promise<void> =>
    await expect.poll(() => isFocused(page, target)).toBe(true);
  await tabTo(page, link('Prices'));
  await press('Enter');
  await page.waitForURL('**/records/*');
  await tabTo(page, button('Check now'));
  await press('Enter');
  await page.getByLabel('Progress of the check').getByText('Checked: nothing has changed').waitFor();

  await tabTo(page, link('Settings'));
  await press('Enter');
  await tabTo(page, button('Start over'));
  await press('Enter');
  const asks = page.getByRole('dialog', { name: 'Start over?', exact: true });
  await comesTo(asks.getByRole('button', { name: 'Cancel' }));
  for (let presses = 0; presses < 5; presses++) {
    await press('Tab');
    expect(await asks.locator(':focus').count()).toBe(1);
  }
  await press('Escape');
  await asks.waitFor({ state: 'detached' });
  await comesTo(button('Start over'));

  await page.reload();
  await tabTo(page, button('Ada'));
  const item = (name: string) => page.getByRole('menuitem', { name, exact: true });
  const openMenu = async (): Promise<void> => {
    await press('Enter');
    await item('Sign out').waitFor();
    // A key press has no effect while the menu is still opening.
    const menu = page.getByRole('menu');
    await expect.poll(() => menu.evaluate((element) => element.matches(':focus-within'))).toBe(true);
  };
  await openMenu();
  await press('Escape');
  await item('Sign out').waitFor({ state: 'detached' });
  await comesTo(button('Ada'));
  await openMenu();
  // A menu opens with the focus on its first item, as the ARIA Authoring Practices say.
  await comesTo(page.getByRole('menuitem', { name: 'Search and commands' }));
  await press('ArrowDown');
  await comesTo(item('Account settings'));
  await press('Enter');
  await page.waitForURL('**/dashboard/account');
});

it('overview and settings show why a key was chosen and which other fields qualify', async () => {
  const rows = Array.from({ length: 12 }, (_, i) => `${i},XS${i * 7919},Name ${i},${i * 1.5}\n`);
  dashboard.origin.set('/funds.csv', { body: `id,isin,name,price\n${rows.join('')}` });
  dashboard.origin.set('/plain.csv', { body: 'id,price\na,1\nb,1\n' });
  const owner = await dashboard.newOwner();
  for (const [slug, others] of [
    ['funds', 'Could also be used: isin, name.'],
    ['plain', null],
  ] as const) {
    const { keyEvidence } = await createRecord(dashboard.system, {
      url: `${dashboard.origin.url}/${slug}.csv`,
      slug,
    });
    const { words } = keyEvidence as { words: string };
    for (const path of ['', '/settings']) {
      await owner.goto(`${dashboard.url}records/${slug}${path}`);
      const main = owner.getByRole('main');
      await main.getByText(words).waitFor();
      expect(await main.getByText(others ?? 'Could also be used').count()).toBe(others === null ? 0 : 1);
    }
  }
});

it('regression: the chart is drawn where the browser has no language tag', async () => {
  const owner = await dashboard.newOwner();
  await owner.addInitScript(() =>
    Object.defineProperty(Navigator.prototype, 'language', { get: () => 'en-US@posix' }),
  );
  await owner.goto(`${dashboard.url}records/prices`);
  await owner.locator('figure canvas').waitFor();
  expect(await owner.getByRole('heading', { level: 1 }).textContent()).toContain('Prices');
});
