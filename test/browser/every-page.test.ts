// Each page of the dashboard, in both themes and on wide and narrow screens: accessible, without scrolling sideways,
// with few calls, and a picture of each to be looked at.
import { fileURLToPath } from 'node:url';
import { AxeBuilder } from '@axe-core/playwright';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useDashboard } from '../support/dashboard.ts';
import { type DashboardPage, PAGES } from '../support/pages.ts';
import { makePagesWorld, PAGES_SETTINGS, type PagesWorld } from '../support/pages-world.ts';

const SCREENSHOTS = fileURLToPath(new URL('screenshots/', import.meta.url));
const WIDE = { width: 1440, height: 900 };
const NARROW = { width: 390, height: 844 };
const THEMES = ['light', 'dark'] as const;
const MOST_CALLS = 3;

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

/** Opens the page, whose main content must come although no more than three calls to the API are answered before it. */
async function open(page: Page, { path, main }: DashboardPage): Promise<void> {
  // Of the page before, which may still ask for something, nothing counts.
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
  } finally {
    letThrough();
    await page.unrouteAll({ behavior: 'wait' });
  }
}

/** In the dark, nothing but colours is another. */
async function violations(page: Page, theme: (typeof THEMES)[number] = 'light'): Promise<string[]> {
  const axe = new AxeBuilder({ page }).setLegacyMode(true);
  const found = await (theme === 'light' ? axe : axe.withRules('color-contrast')).analyze();
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${theme} ${id}: ${html} ${failureSummary}`),
  );
}

/** Of the page, or of the window over it, which keeps the page from being scrolled. */
const overhang = (page: Page): Promise<number> =>
  page
    .locator('html, [role=dialog]')
    .last()
    .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);

async function takePictures(page: Page, name: string, theme: string): Promise<void> {
  // Windows stand over what is in sight.
  const fullPage = (await page.getByRole('dialog').count()) === 0;
  for (const size of [NARROW, WIDE]) {
    /* oxlint-disable no-await-in-loop */
    await page.setViewportSize(size);
    const path = `${SCREENSHOTS}${name}-${size.width}-${theme}.png`;
    await page.screenshot({ path, fullPage, animations: 'disabled' });
    /* oxlint-enable no-await-in-loop */
  }
}

/** What is wrong with a page, in words. */
async function faultsOf(page: Page, shown: DashboardPage): Promise<string[]> {
  const faults: string[] = [];
  for (const theme of THEMES) {
    /* oxlint-disable no-await-in-loop */
    await page.emulateMedia({ colorScheme: theme });
    // Anew: of a page whose theme changes under it, the browser may take colours from before.
    await open(page, shown);
    await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
    faults.push(...(await violations(page, theme)));
    await takePictures(page, shown.name, theme);
    /* oxlint-enable no-await-in-loop */
  }
  await page.setViewportSize(NARROW);
  const px = await overhang(page);
  if (px > 0) faults.push(`is ${px} px too wide for a narrow screen`);
  await page.setViewportSize(WIDE);
  return faults;
}

/** Pages looked at side by side. */
const LANES = 2;

it.each(['anybody', 'session', 'owner'] as const)(
  'is accessible, fits, and asks for little: pages of %s',
  async (as) => {
    const pages = PAGES.filter((each) => each.as === as);
    const faults: Record<string, string[]> = {};
    const look = async (lane: number): Promise<void> => {
      const page = await dashboard.newPerson({ ...states[as], reducedMotion: 'reduce' });
      for (const shown of pages.filter((_, at) => at % LANES === lane)) {
        // One browser that has loaded the parts that pages share.
        // oxlint-disable-next-line no-await-in-loop
        faults[shown.name] = await faultsOf(page, shown).catch((error: unknown) => [String(error)]);
      }
    };
    await Promise.all(Array.from({ length: LANES }, (_, lane) => look(lane)));
    expect(Object.entries(faults).filter(([, found]) => found.length > 0)).toEqual([]);
  },
  600_000,
);

it('opens windows, menus and notes under the content security policy', async () => {
  // A violation is an error in the console, which fails the test.
  dashboard.expectComplaint('net::ERR_FAILED');
  const page = await dashboard.newPerson(states.owner);
  await page.route('**/download-links', (route) => route.abort());
  await page.goto(`${dashboard.url}records/licences/data?row=MIT`);
  const drawer = page.getByRole('dialog', { name: 'Row MIT' });
  await drawer.getByRole('button', { name: 'Copy the row as JSON' }).hover();
  await page.getByRole('tooltip').waitFor();
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: 'JSON Lines' }).click();
  await page.getByText('The file could not be made').waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('link', { name: 'Webhooks', exact: true }).click();
  await page.getByRole('button', { name: 'New webhook' }).click();
  const dialog = page.getByRole('dialog', { name: 'New webhook' });
  await dialog.getByLabel('Endpoint URL').waitFor();
  expect(await violations(page)).toEqual([]);
  // The page under a window stands still: that style is one of those that need a nonce.
  expect(await page.evaluate('getComputedStyle(document.body).overflow')).toBe('hidden');
});

it('keeps what was chosen through a reload and the way back', async () => {
  const page = await dashboard.newPerson(states.owner);
  await page.goto(`${dashboard.url}records`);
  await page.getByLabel('Search by name, slug or URL').fill('spdx');
  await page.waitForURL('**/records?search=spdx');
  await page.reload();
  await page.getByRole('link', { name: 'SPDX licences' }).click();
  const tabs = page.getByRole('navigation', { name: 'Pages of the record' });
  await tabs.getByRole('link', { name: 'Changes' }).click();
  await page.getByRole('list', { name: 'Delta events' }).getByRole('link').nth(1).click();
  const rows = page.getByRole('table', { name: 'Rows of the event' });
  await rows.waitFor();
  await page.getByRole('radio', { name: /new$/ }).click();
  await page.waitForURL('**?type=new');
  await page.reload();
  await rows.waitFor();
  expect(new URL(page.url()).search).toBe('?type=new');
  expect(await rows.getByText('changed', { exact: true }).count()).toBe(0);
  await tabs.getByRole('link', { name: 'Data' }).click();
  await page.getByRole('table', { name: 'Rows', exact: true }).waitFor();
  await page.goBack();
  await rows.waitFor();
  await page.goBack();
  await page.getByRole('list', { name: 'Delta events' }).waitFor();
  await page.goBack();
  await page.goBack();
  await page.getByRole('row', { name: 'SPDX licences' }).waitFor();
  expect(await page.getByLabel('Search by name, slug or URL').inputValue()).toBe('spdx');
  expect(await page.getByRole('row').count()).toBe(2);
});
