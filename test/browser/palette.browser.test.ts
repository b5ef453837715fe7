// The command palette: to records and pages, and the actions of the page, by the keyboard alone.
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { useDashboard } from '../support/pages/dashboard.ts';
import { createRecord } from '../support/servers/system.ts';

const dashboard = useDashboard();

let page: Page;
beforeAll(async () => {
  dashboard.origin.set('/prices.csv', { body: 'id,price\na,1\n' });
  const url = `${dashboard.origin.url}/prices.csv`;
  for (const slug of ['prices', 'licences']) {
    // oxlint-disable-next-line no-await-in-loop
    await createRecord(dashboard.system, { url: `${url}?of=${slug}`, slug, name: `Our ${slug}` });
  }
});
beforeEach(async () => {
  page = await dashboard.newOwner();
});

const command = () => page.getByLabel('Command', { exact: true });
const option = (name: string) => page.getByRole('button', { name, exact: true });
const open = async (path: string): Promise<void> => {
  await page.goto(dashboard.url + path);
  await page.getByRole('heading', { level: 1 }).waitFor();
};

const hasFocus = async (): Promise<void> => {
  await expect.poll(() => command().evaluate((field) => field.matches(':focus'))).toBe(true);
};

/** Opens the palette, types, and takes the first that is found. */
async function run(words: string, shows: RegExp): Promise<void> {
  await page.keyboard.press('Control+k');
  // Keys typed before the field has the focus go to the page.
  await hasFocus();
  await page.keyboard.type(words);
  expect(await command().inputValue()).toBe(words);
  await page.getByRole('dialog').getByRole('button', { name: shows }).first().waitFor();
  await expect.poll(() => page.getByRole('dialog').getByRole('button').first().textContent()).toMatch(shows);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
}

it('goes to records and pages', async () => {
  await open('records');
  await run('licen', /Our licences/);
  await page.waitForURL('**/records/licences');
  await run('checks', /Checks/);
  await page.waitForURL('**/records/licences/checks');
  await run('audit', /Audit log/);
  await page.waitForURL('**/audit-log');
  // From a field too.
  await open('records/new');
  await page.getByLabel('URL of the data').focus();
  await run('developer', /Developer/);
  await page.waitForURL('**/developer');
  expect(new URL(page.url()).pathname).toBe('/dashboard/developer');
});

it('regression: begins empty when it is opened again at once', async () => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await open('records');
  await run('licen', /Our licences/);
  await page.keyboard.press('Control+k');
  await hasFocus();
  await page.keyboard.type('checks');
  expect(await command().inputValue()).toBe('checks');
});

it('runs the actions of the page', async () => {
  await open('records/prices');
  await option('Pause').waitFor();
  await run('pause', /Pause/);
  await option('Resume').waitFor();
  const status = async () => (await dashboard.system.call('GET', '/v1/sources/prices')).body['status'];
  expect(await status()).toBe('paused');
  await run('resume', /Resume/);
  await option('Pause').waitFor();
  expect(await status()).toBe('active');
});

it('regression: shows an action that the page enables while the palette is open', async () => {
  let answer = (): void => {};
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/v1/sources/licences/pause', async (route) => {
    await isAnswered;
    await route.continue();
  });
  await open('records/licences');
  await option('Pause').click();
  await expect.poll(() => page.locator('#main button:disabled').count()).toBeGreaterThan(0);
  await page.keyboard.press('Control+k');
  await hasFocus();
  const resume = page.getByRole('dialog').getByRole('button', { name: /Resume/ });
  expect(await resume.count()).toBe(0);
  answer();
  await resume.waitFor();
});

it('opens from the menu, is accessible, and closes with Escape', async () => {
  await open('records/prices');
  await option('Check now').waitFor();
  await page.getByRole('button', { name: 'Ada' }).click();
  await page.getByRole('menuitem', { name: /Search and commands/ }).click();
  await command().waitFor();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Our licences/ })
    .waitFor();
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  await page.keyboard.press('Escape');
  await command().waitFor({ state: 'detached' });
});
