// The whole product with its dashboard, and people in front of real browsers. What a page complains of fails its test.
import getPort from 'get-port';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { linkUrl } from '../../api/auth/link-url.ts';
import { createLink } from '../../api/auth/links.ts';
import { addUser } from '../../api/auth/new-user.ts';
import { findUserOfAccount } from '../../db/users.ts';
import { launchBrowser } from './chromium.ts';
import { type Origin, startOrigin } from './origin-server.ts';
import { startSystem, type System } from './system.ts';

export interface Dashboard {
  system: System;
  origin: Origin;
  /** Where the pages begin, with a slash at the end. */
  url: string;
  /** A browser of their own: nothing is shared with others'. */
  newPerson: (options?: BrowserContextOptions) => Promise<Page>;
  /** Somebody who has just signed in to an account by a link; the system's own unless told. */
  newOwner: (options?: BrowserContextOptions & { accountId?: string }) => Promise<Page>;
  /** Complaints that a test expects, as parts of their texts. */
  expectComplaint: (part: string) => void;
}

/** Nothing moves: a window that was closed is gone at once. */
const STILL: BrowserContextOptions = { viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' };

/** Fields are there from the first test on. */
export function useDashboard(settings: Record<string, string> = {}): Dashboard {
  const complaints: string[] = [];
  const expected: string[] = [];
  // Filled before the first test.
  const dashboard = {} as Dashboard;
  let browser: Browser;
  const newPerson = async (options: BrowserContextOptions = {}): Promise<Page> => {
    const context = await browser.newContext({ ...STILL, ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    page.on('pageerror', ({ message }) => complaints.push(message));
    // Among these are violations of the content security policy, and warnings of React.
    page.on(
      'console',
      (message) =>
        message.type() === 'error' && complaints.push(`${message.text()} ${message.location().url}`),
    );
    return page;
  };
  beforeAll(async () => {
    const port = await getPort({ host: '127.0.0.1' });
    const baseUrl = `http://127.0.0.1:${port}`;
    const system = await startSystem({ PORT: String(port), BASE_URL: baseUrl, ...settings });
    const { db } = system.database;
    browser = await launchBrowser();
    const newOwner: Dashboard['newOwner'] = async ({ accountId = system.accountId, ...options } = {}) => {
      const email = `${accountId}@example.test`;
      const user =
        (await findUserOfAccount(db, accountId)) ?? (await addUser(db, { accountId, email, name: 'Ada' }));
      const page = await newPerson(options);
      await page.goto(linkUrl(baseUrl, await createLink(db, { kind: 'sign-in', userId: user.id })));
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.waitForURL('**/dashboard/records');
      return page;
    };
    Object.assign(dashboard, {
      system,
      origin: await startOrigin(),
      url: `${baseUrl}/dashboard/`,
      newPerson,
      newOwner,
      expectComplaint: (part: string) => expected.push(part),
    });
  });
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
    const found = complaints.splice(0);
    const excused = expected.splice(0);
    expect(found.filter((text) => !excused.some((part) => text.includes(part)))).toEqual([]);
  });
  afterAll(async () => {
    await browser.close();
    await dashboard.origin.close();
    await dashboard.system.stop();
  });
  return dashboard;
}
