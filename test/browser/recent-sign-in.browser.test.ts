// The dashboard asks for the password again before it creates what outlasts the sign-in: keys and URLs of webhooks.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useDashboard } from '../support/pages/dashboard.ts';
import { createAccount, createTestRecord } from '../support/rows/factories.ts';

const dashboard = useDashboard();
const PASSWORD = 'four words of a password';

const pageAt = (path: string): string => dashboard.url + path;
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });

describe('with a sign-in older than 15 minutes', () => {
  const name = (page: Page) => page.getByRole('textbox', { name: 'Name' });
  const password = (page: Page) => page.getByRole('dialog').getByLabel(/^Your password/);
  const asked = (page: Page) => page.getByText('You signed in more than 15 minutes ago');

  /** Signs in a user who has a record. */
  async function newPersonOfOld(
    given?: string,
    inAccount?: string,
  ): Promise<{ page: Page; recordId: string }> {
    const { db } = dashboard.system.database;
    const accountId = inAccount ?? (await createAccount(db));
    const recordId = await createTestRecord(db, accountId, { tier: 'watch' });
    const page = await dashboard.newOwner({ accountId });
    if (given !== undefined) {
      const { origin } = new URL(dashboard.url);
      const set = { headers: { origin }, data: { newPassword: given } };
      const answer = await page.request.post(`${origin}/auth/change-password`, set);
      if (!answer.ok()) throw new Error(`No password was set: ${answer.status()}`);
    }
    const old = new Date(Date.now() - 16 * 60_000);
    await db('loginSessions').update({ createdAt: old, confirmedAt: null });
    return { page, recordId };
  }

  async function askForKey(page: Page, words: string): Promise<void> {
    await page.goto(pageAt('developer'));
    await button(page, 'New key').click();
    await name(page).fill(words);
    await button(page, 'Create key').click();
  }

  it('a key is created after the password is entered, with the values of the form', async () => {
    const { page } = await newPersonOfOld(PASSWORD);
    dashboard.expectComplaint('status of 403');
    await askForKey(page, 'Price board');
    await asked(page).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await name(page).inputValue()).toBe('Price board');
    dashboard.expectComplaint('status of 422');
    await password(page).fill('not the password');
    await button(page, 'Create key').click();
    await page.getByText('Is not your password').waitFor();
    await password(page).fill(PASSWORD);
    await button(page, 'Create key').click();
    await button(page, 'Done').click();
    const keys = page.getByRole('table', { name: 'API keys' });
    await keys.getByRole('rowheader', { name: 'Price board' }).waitFor();
    // For the next 15 minutes the password is not requested again.
    await askForKey(page, 'Second');
    await button(page, 'Done').click();
    await keys.getByRole('rowheader', { name: 'Second' }).waitFor();
  });

  it('no key is created for a user without a password, who is told to sign in again', async () => {
    const { page } = await newPersonOfOld();
    dashboard.expectComplaint('status of 403');
    await askForKey(page, 'Price board');
    await page
      .getByRole('alert')
      .getByText(/Sign in again, and create an API key/)
      .waitFor();
    expect(await asked(page).count()).toBe(0);
  });

  it('a webhook is created, and gets another URL, after the password is entered', async () => {
    // Secrets are sealed with the keys of the record's account.
    const { page, recordId } = await newPersonOfOld(PASSWORD, dashboard.system.accountId);
    const url = page.getByRole('dialog').getByLabel(/^Endpoint URL/);
    await page.goto(pageAt(`records/${recordId}/webhooks`));
    await button(page, 'New webhook').click();
    await url.fill('https://example.com/hooks');
    dashboard.expectComplaint('status of 403');
    await button(page, 'Create webhook').click();
    await password(page).fill(PASSWORD);
    await button(page, 'Create webhook').click();
    await button(page, 'Go to webhook').click();
    await heading(page, 'https://example.com/hooks').waitFor();
    const { db } = dashboard.system.database;
    await db('loginSessions').update({ confirmedAt: null });
    await button(page, 'More about this webhook').click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await url.fill('https://example.com/others');
    await button(page, 'Save').click();
    await password(page).fill(PASSWORD);
    await button(page, 'Save').click();
    await heading(page, 'https://example.com/others').waitFor();
    const stored = await db('webhooks').where({ recordId }).pluck('url');
    expect(stored).toEqual(['https://example.com/others']);
  });
});
