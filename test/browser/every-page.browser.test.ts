// Every page of the dashboard in both themes, on wide and narrow screens: accessible, without horizontal scrolling, with few
// calls and little JavaScript. Takes a screenshot of each.
import { fileURLToPath } from 'node:url';
import { AxeBuilder } from '@axe-core/playwright';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useDashboard } from '../support/pages/dashboard.ts';
import { type DashboardPage, PAGES } from '../support/pages/pages.ts';
import { recordTab } from '../support/pages/record-tabs.ts';
import { makePagesWorld, PAGES_SETTINGS, type PagesWorld } from '../support/pages/pages-world.ts';

const SCREENSHOTS = fileURLToPath(new URL('screenshots/', import.meta.url));
const WIDE = { width: 1440, height: 900 };
const NARROW = { width: 390, height: 844 };
const MOST_CALLS = 3;
/** Of a page's JavaScript, compressed as it is sent. */
const MOST_SCRIPT_BYTES = 200_000;

const dashboard = useDashboard(PAGES_SETTINGS);
let world: PagesWorld;
let states: Record<DashboardPage['as'], BrowserContextOptions>;

beforeAll(async () => {
  world = await makePagesWorld(dashboard);
  const owner = await dashboard.newOwner();
  const localStorage = [{ name: 'recordwatch.session', value: JSON.stringify(world.session) }];
  const origin = new URL(dashboard.url).origin;
  states = {
    owner: { storageState: await owner.context().storageState() },
    session: { storageState: { cookies: [], origins: [{ origin, localStorage }] } },
    anybody: {},
  };
  await owner.context().close();
});
afterAll(() => world.close());

/** Opens the page and waits until it has loaded. Its main content must appear after at most three calls to the API. */
async function open(page: Page, { path, main }: DashboardPage): Promise<void> {
  // Requests of the previous page do not count.
  await page.goto('about:blank');
  let calls = 0;
  const { promise: mainIsThere, resolve: letThrough } = Promise.withResolvers<void>();
  await page.route('**/v1/**', async (route) => {
    calls += 1;
    if (calls > MOST_CALLS) await mainIsThere;
    await route.continue();
  });
  try {
    await page.goto(dashboard.url + path(world));
    await main(page).waitFor();
    letThrough();
    // Taking the routes away while a request is under way has lost that request: its page then loads without end.
    await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
  } finally {
    letThrough();
    await page.unrouteAll({ behavior: 'wait' });
  }
}

async function violations(page: Page, theme = 'light'): Promise<string[]> {
  const found = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${theme} ${id}: ${html} ${failureSummary}`),
  );
}

/** Switches the page to dark colours and waits until it is drawn. */
async function darken(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.locator('html[data-mantine-color-scheme=dark]').waitFor();
  await painted(page);
}

/** Waits until earlier changes of the page are laid out and drawn. */
const painted = (page: Page): Promise<unknown> =>
  page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');

/** How many pixels the page is too wide, or the dialog over it, under which the page does not scroll. */
const overhang = (page: Page): Promise<number> =>
  page
    .locator('html, [role=dialog]')
    .last()
    .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);

/** @returns by how many pixels the page is too wide for a narrow screen */
async function takePictures(page: Page, name: string): Promise<number> {
  // A dialog covers only the visible part of the page.
  const fullPage = (await page.getByRole('dialog').count()) === 0;
  let px = 0;
  for (const size of [NARROW, WIDE]) {
    /* oxlint-disable no-await-in-loop */
    await page.setViewportSize(size);
    await painted(page);
    const path = `${SCREENSHOTS}${name}-${size.width}.png`;
    await page.screenshot({ path, fullPage, animations: 'disabled' });
    if (size === NARROW) px = await overhang(page);
    /* oxlint-enable no-await-in-loop */
  }
  return px;
}

interface Script {
  name: string;
  bytes: number;
}

/** Everything that this page alone has loaded, from the server or the browser's cache. */
const scriptsOf = (page: Page): Promise<Script[]> =>
  page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter((entry) => entry instanceof PerformanceResourceTiming)
      .filter(({ name }) => name.endsWith('.js'))
      .map(({ name, encodedBodySize }) => ({ name: name.split('/').at(-1) ?? '', bytes: encodedBodySize })),
  );

async function scriptFaults(page: Page): Promise<string[]> {
  const scripts = (await scriptsOf(page)).toSorted((one, other) => other.bytes - one.bytes);
  const bytes = scripts.reduce((sum, script) => sum + script.bytes, 0);
  if (bytes > 0 && bytes <= MOST_SCRIPT_BYTES) return [];
  const largest = scripts.map((script) => `${script.name} ${script.bytes}`);
  return [`loads ${bytes} bytes of JavaScript, at most ${MOST_SCRIPT_BYTES}: ${largest.join(', ')}`];
}

/** Describes the faults of a page. */
async function faultsOf(page: Page, shown: DashboardPage): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' });
  await open(page, shown);
  const faults = await violations(page);
  const px = await takePictures(page, shown.name);
  if (px > 0) faults.push(`is ${px} px too wide for a narrow screen`);
  await darken(page);
  faults.push(...(await violations(page, 'dark')), ...(await scriptFaults(page)));
  return faults;
}

/** Pages examined in parallel. */
const LANES = 2;

it.each(['anybody', 'session', 'owner'] as const)(
  'pages of %s are accessible, fit the screen, make few calls and load little JavaScript',
  async (as) => {
    const pages = PAGES.filter((each) => each.as === as);
    const faults: Record<string, string[]> = {};
    const look = async (lane: number): Promise<void> => {
      const page = await dashboard.newPerson({ ...states[as], isPatient: true });
      for (const shown of pages.filter((_, at) => at % LANES === lane)) {
        // One page after the other, in a browser that has loaded their shared parts.
        // oxlint-disable-next-line no-await-in-loop
        faults[shown.name] = await faultsOf(page, shown).catch((error: unknown) => [String(error)]);
      }
    };
    await Promise.all(Array.from({ length: LANES }, (_, lane) => look(lane)));
    expect(Object.entries(faults).filter(([, found]) => found.length > 0)).toEqual([]);
  },
  600_000,
);

it('dialogs, menus and notifications open under the content security policy', async () => {
  // A violation is an error in the console, which fails the test.
  dashboard.expectComplaint('net::ERR_FAILED');
  const page = await dashboard.newPerson(states.owner);
  await page.route('**/download-links', (route) => route.abort());
  await page.goto(`${dashboard.url}records/licences/data?row=MIT`);
  const drawer = page.getByRole('dialog', { name: 'Row MIT' });
  await drawer.getByRole('button', { name: 'Copy the row as JSON' }).waitFor();
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: 'JSON Lines' }).click();
  await page.getByText('The file could not be created').waitFor();
  expect(await violations(page)).toEqual([]);
  await recordTab(page, 'Webhooks').click();
  await page.getByRole('button', { name: 'New webhook' }).click();
  const dialog = page.getByRole('dialog', { name: 'New webhook' });
  await dialog.getByLabel('Endpoint URL').waitFor();
  expect(await violations(page)).toEqual([]);
  // The page under a dialog does not scroll. That style is one of those that need a nonce.
  expect(await page.evaluate('getComputedStyle(document.body).overflow')).toBe('hidden');
});
