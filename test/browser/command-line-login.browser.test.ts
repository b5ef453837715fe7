// Logging in on the command line, the whole way: the command shows a code, a person allows it in the dashboard by keyboard, and
// the command has a key.
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type CliUser, newCliUser, type Running, untilSaid } from '../cli/service/cli-user.ts';
import { useDashboard } from '../support/pages/dashboard.ts';
import { tabTo } from '../support/pages/keyboard.ts';
import { createAccount, createTestRecord } from '../support/rows/factories.ts';

const dashboard = useDashboard();
const NARROW = { width: 390, height: 844 };

let user: CliUser;
beforeEach(() => {
  user = newCliUser();
});
afterEach(() => user.leave());

async function startLogin(): Promise<Running & { link: string; code: string }> {
  const { origin: url } = new URL(dashboard.url);
  const running = user.start('login', '--no-browser', '--url', url);
  await untilSaid(running, 'Waiting for your answer');
  const [link = '', code = ''] = /http\S+code=(\S+)/.exec(running.stderr) ?? [];
  return Object.assign(running, { link, code });
}

/** A person whose account may make keys. */
async function newOwner(): Promise<Page> {
  const { db } = dashboard.system.database;
  const accountId = await createAccount(db);
  await createTestRecord(db, accountId, { tier: 'watch' });
  return dashboard.newOwner({ accountId, viewport: NARROW });
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

it('a person who compares the code and allows it by keyboard logs the command line in', async () => {
  const running = await startLogin();
  const page = await newOwner();
  await page.goto(running.link);
  await button(page, 'Allow').waitFor();
  await page.getByText(running.code, { exact: true }).waitFor();
  await page.getByText('Only continue if you started this on your own machine').waitFor();
  await page.getByText('127.0.0.1').waitFor();
  expect((await new AxeBuilder({ page }).setLegacyMode(true).analyze()).violations).toEqual([]);
  const overhang = await page.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth);
  expect(overhang).toBe(0);
  await tabTo(page, page.getByRole('radio', { name: 'Read' }));
  await page.keyboard.press('ArrowDown');
  await tabTo(page, button(page, 'Allow'));
  await page.keyboard.press('Enter');
  await page.getByRole('status').getByText('The login is allowed').waitFor();
  expect(await running.ended).toBe(0);
  expect(running.stdout).toMatch(/^Logged in\.\n[^]*scope full\n/);
  await page.getByRole('link', { name: 'developer settings' }).click();
  const keys = page.getByRole('table', { name: 'API keys' });
  await keys.getByRole('rowheader', { name: /^recordwatch on / }).waitFor();
  expect((await user.run(['whoami'])).code).toBe(0);
});

it('a person who types the code and refuses gives the program nothing, and the code is used up', async () => {
  const running = await startLogin();
  const page = await newOwner();
  await page.goto(`${dashboard.url}allow-login`);
  await page.getByLabel('Code').fill(running.code.replace('-', '').toLowerCase());
  await button(page, 'Continue').click();
  await button(page, 'Refuse').click();
  await page.getByRole('status').getByText('The login is refused').waitFor();
  expect(await running.ended).toBe(1);
  expect(running.stderr).toContain('The login was refused in the dashboard');
  dashboard.expectComplaint('status of 404');
  await page.goto(running.link);
  await page
    .getByRole('alert')
    .getByText(/No program waits for this code/)
    .waitFor();
});

it('a person who is not signed in comes back to the code after the sign-in', async () => {
  const running = await startLogin();
  const page = await dashboard.newPerson();
  await page.goto(running.link);
  await button(page, 'Sign in').waitFor();
  const next = new URL(page.url()).searchParams.get('next');
  expect(next).toBe(`/allow-login?code=${running.code}`);
});
