// The whole product with its dashboard in real browsers. An error in a page's console fails the test.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { createLink, linkUrl } from '../../api/auth/links.ts';
import { addUser } from '../../api/auth/new-user.ts';
import { findUserOfAccount } from '../../db/access/users.ts';
import { launchBrowser } from './chromium.ts';
import { freePort } from './free-port.ts';
import { type Origin, startOrigin } from './origin-server.ts';
import { startSystem, type System } from './system.ts';

export interface Dashboard {
  system: System;
  origin: Origin;
  /** Where the pages begin, with a slash at the end. */
  url: string;
  /** A browser of their own: nothing is shared with others'. */
  newPerson: (options?: PersonOptions) => Promise<Page>;
  /** Somebody who is signed in to an account, the system's own unless told, and has opened no page yet. */
  newOwner: (options?: PersonOptions & { accountId?: string }) => Promise<Page>;
  /** An address that signs in to the account, once. */
  newSignInLink: (accountId?: string) => Promise<string>;
  /** Complaints that a test expects, as parts of their texts. */
  expectComplaint: (part: string) => void;
}

interface PersonOptions extends BrowserContextOptions {
  /** Their pages ask for nothing again by themselves: for those who count what is asked. */
  isPatient?: boolean;
}

/** Nothing moves: a window that was closed is gone at once. A language that the machine's settings do not decide. */
const STILL: BrowserContextOptions = {
  viewport: { width: 1440, height: 900 },
  reducedMotion: 'reduce',
  locale: 'en-US',
};

/** What pages ask for every few seconds, they ask for so many times as often. */
const PACE = { hurried: 5, patient: 1 / 1_000 };

const paced = (factor: number): string => `{
  const { setInterval } = window;
  window.setInterval = (deed, ms, ...rest) => setInterval(deed, ms < 1_000 ? ms : ms / ${factor}, ...rest);
}`;

/** Fields are there from the first test on. */
export function useDashboard(settings: Record<string, string> = {}): Dashboard {
  const complaints: string[] = [];
  const expected: string[] = [];
  // Filled before the first test.
  const dashboard = {} as Dashboard;
  let browser: Browser;
  const newPerson: Dashboard['newPerson'] = async ({ isPatient = false, ...options } = {}) => {
    const context = await browser.newContext({ ...STILL, ...options });
    await context.addInitScript(paced(isPatient ? PACE.patient : PACE.hurried));
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
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
    const port = await freePort();
    const baseUrl = `http://127.0.0.1:${port}`;
    const system = await startSystem({ PORT: String(port), BASE_URL: baseUrl, ...settings });
    const { db } = system.database;
    browser = await launchBrowser();
    const newToken = async (accountId: string): Promise<string> => {
      const email = `${accountId}@example.test`;
      const user =
        (await findUserOfAccount(db, accountId)) ?? (await addUser(db, { accountId, email, name: 'Ada' }));
      return createLink(db, { kind: 'sign-in', userId: user.id });
    };
    const newOwner: Dashboard['newOwner'] = async ({ accountId = system.accountId, ...options } = {}) => {
      const page = await newPerson(options);
      const answer = await page.request.post(`${baseUrl}/auth/link`, {
        headers: { origin: baseUrl },
        data: { token: await newToken(accountId) },
      });
      if (!answer.ok()) throw new Error(`Not signed in: ${answer.status()} ${await answer.text()}`);
      return page;
    };
    Object.assign(dashboard, {
      system,
      origin: await startOrigin(),
      url: `${baseUrl}/dashboard/`,
      newPerson,
      newOwner,
      newSignInLink: async (accountId = system.accountId) => linkUrl(baseUrl, await newToken(accountId)),
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
