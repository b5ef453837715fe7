// The whole product with its dashboard in real browsers. An error in a page's console fails the test.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { createLink, linkUrl } from '../../../api/auth/links.ts';
import { addUser } from '../../../api/auth/new-user.ts';
import { findUserOfAccount } from '../../../db/access/users.ts';
import { launchBrowser } from './chromium.ts';
import { freePort } from '../servers/free-port.ts';
import { type Origin, startOrigin } from '../servers/origin-server.ts';
import { startSystem, type System } from '../servers/system.ts';
import { LIVENESS_MS } from '../until.ts';

export interface Dashboard {
  system: System;
  origin: Origin;
  /** Where the pages begin, with a slash at the end. */
  url: string;
  /** Opens a separate browser context, which shares nothing with others. */
  newPerson: (options?: PersonOptions) => Promise<Page>;
  /** Opens a browser context that is signed in to an account, by default the system's. No page is open yet. */
  newOwner: (options?: PersonOptions & { accountId?: string }) => Promise<Page>;
  /** Creates a link that signs in to the account once. */
  newSignInLink: (accountId?: string) => Promise<string>;
  /** Excuses an expected error in the console by a part of its text. */
  expectComplaint: (part: string) => void;
}

interface PersonOptions extends BrowserContextOptions {
  /** Turns off the pages' periodic requests, for tests that count requests. */
  isPatient?: boolean;
}

/** No animations, so a closed dialog is gone at once, and a language that does not depend on the machine. */
const STILL: BrowserContextOptions = {
  viewport: { width: 1440, height: 900 },
  reducedMotion: 'reduce',
  locale: 'en-US',
};

/** Factors by which pages make their periodic requests more often. */
const PACE = { hurried: 5, patient: 1 / 1_000 };

const paced = (factor: number): string => `{
  const { setInterval } = window;
  window.setInterval = (callback, ms, ...rest) => setInterval(callback, ms < 1_000 ? ms : ms / ${factor}, ...rest);
}`;

/** The fields are set before the first test. */
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
    page.setDefaultTimeout(LIVENESS_MS);
    page.on('pageerror', ({ message }) => complaints.push(message));
    // These include violations of the content security policy and warnings of React.
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
